#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "comm/agreement.hpp"

namespace breadth::cli {

void print_result(const std::string& text, const Communicator& ranks) {
  run_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) fail("cannot write to standard output: {}", std::strerror(errno));
  });
}

}  // namespace breadth::cli
