// The program `breadth`.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "cli/command.hpp"
#include "io/files/output_file.hpp"

namespace {
/// What happens where nothing can be caught: memory that is missing in a destructor of a library. Memory may be short
/// here as well.
[[noreturn]] void end_at_once() {
  const std::exception_ptr error = std::current_exception();
  const char* reason = "an error that cannot be caught";
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    reason = "out of memory";
  } catch (const std::exception& caught) {
    reason = caught.what();
  }
  std::fprintf(stderr, "breadth: %s; the program ends at once\n", reason);
  breadth::remove_partial_files();
  std::_Exit(EXIT_FAILURE);
}

/// The end by a signal, as it would have been but for files that are not complete.
void end_by_signal(int signal) {
  breadth::remove_partial_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// For the signals that end the program, unless it was started so that it ignores one.
void remove_partial_files_at_the_end() {
  for (const int signal : {SIGHUP, SIGINT, SIGPIPE, SIGTERM}) {
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}
}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of writing (EFBIG), not the end
  std::set_terminate(end_at_once);
  remove_partial_files_at_the_end();
  return breadth::cli::run_program(argc, argv);
}
