#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "comm/agreement.hpp"

namespace breadth::cli {

void print_result(const std::string& text, const Communicator& ranks) {
  run_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) fail("cannot write to standard output: {}", std::strerror(errno));
  });
}

std::string lines_of(const nlohmann::ordered_json& values) {
  std::string text;
  for (const auto& [key, value] : values.items()) {
    text += fmt::format("{}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

}  // namespace breadth::cli
