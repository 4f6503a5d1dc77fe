// The program `breadth` as a function.
#pragma once

namespace breadth::cli {

/// Runs the program with the arguments of a main function, of which the first is its own name: prints results and
/// errors, and returns the exit status. Starts MPI where that is built in, so at most once in a process then.
int run_program(int argc, char** argv);

}  // namespace breadth::cli
