#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "comm/agreement.hpp"

namespace breadth::cli {

namespace {
constexpr const char* standard_output = "-";
}  // namespace

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

void add_json_option(OptionSet& options, std::string& json) {
  options.add_text("json", json, "a file, or - for standard output",
                   {.group = OptionGroup::everyday, .meaning = "file for the whole result as JSON"});
}

ResultOutput::ResultOutput(std::string json, const Communicator& ranks) : ranks_(ranks), json_(std::move(json)) {
  run_together(ranks, [&] {
    if (wants_json() && json_ != standard_output && ranks.rank() == 0) file_.emplace(json_);
  });
}

void ResultOutput::write(const std::string& lines, const std::function<std::string()>& json) {
  const bool first = ranks_.rank() == 0;
  const std::string text = run_together(ranks_, [&] { return first && wants_json() ? json() : std::string(); });
  if (json_ == standard_output) {
    if (first) std::fputs(lines.c_str(), stderr);
    print_result(text, ranks_);
    return;
  }
  print_result(lines, ranks_);
  run_together(ranks_, [&] {
    if (!file_) return;
    file_->write(text);
    file_->commit();
  });
}

}  // namespace breadth::cli
