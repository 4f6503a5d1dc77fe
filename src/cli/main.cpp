// The program `breadth`.
#include "cli/command.hpp"

int main(int argc, char** argv) { return breadth::cli::run_program(argc, argv); }
