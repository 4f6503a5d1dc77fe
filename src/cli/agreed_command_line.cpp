#include <algorithm>
#include <optional>

#include "cli/command_line.hpp"
#include "comm/agreement.hpp"
#include "core/text.hpp"

namespace breadth::cli {

namespace {
/// What a rank was asked for, one item a line.
std::vector<std::string> describe(const Invocation& invocation) {
  if (invocation.command == nullptr)
    return {"a text to print: " + invocation.text.substr(0, invocation.text.find('\n'))};
  std::vector<std::string> lines = {"the command " + invocation.command->name};
  for (const auto& [name, text] : invocation.command->options.values()) lines.push_back("--" + name + " " + text);
  return lines;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The first item that only one of the two has; empty where they agree.
std::optional<std::string> first_difference(const std::vector<std::string>& mine,
                                            const std::vector<std::string>& first_rank) {
  const auto missing_from = [](const std::vector<std::string>& items, const std::string& item) {
    return std::find(items.begin(), items.end(), item) == items.end();
  };
  for (const std::string& item : mine) {
    if (missing_from(first_rank, item)) return "it was given " + item + ", unlike rank 0";
  }
  for (const std::string& item : first_rank) {
    if (missing_from(mine, item)) return "it was not given " + item + ", unlike rank 0";
  }
  return std::nullopt;
}

void agree(const Communicator& ranks, const std::optional<std::string>& failure) {
  try {
    agree_on_failure(ranks, failure);
  } catch (const AgreedError& error) {
    throw UsageError(error.what());
  }
}
}  // namespace

Invocation agree_on_command_line(std::span<const std::string> words, const Variables& variables,
                                 std::vector<Command>& commands, const Communicator& ranks) {
  Invocation invocation;
  std::optional<std::string> failure;
  try {
    invocation = parse_command_line(words, variables, commands);
  } catch (const UsageError& error) {
    failure = error.what();
  }
  agree(ranks, failure);

  const std::vector<std::string> mine = describe(invocation);
  const std::string of_first_rank = ranks.broadcast(joined(mine, "\n"), 0);
  if (const auto difference = first_difference(mine, split_lines(of_first_rank))) {
    failure = "the ranks disagree on the options: " + *difference;
  }
  agree(ranks, failure);
  return invocation;
}

}  // namespace breadth::cli
