// The program `breadth`.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "cli/command.hpp"

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
  std::fprintf(stderr, "breadth: %s; the program ends at once, a partial file (.NAME.partial-...) may be left\n",
               reason);
  std::_Exit(EXIT_FAILURE);
}
}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of writing (EFBIG), not the end
  std::set_terminate(end_at_once);
  return breadth::cli::run_program(argc, argv);
}
