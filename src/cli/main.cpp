// The program `breadth`.
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "comm/agreement.hpp"

namespace breadth::cli {

namespace {
constexpr int status_error = 1;
constexpr int status_usage = 2;

void print_error(const std::string& message) { fmt::print(stderr, "breadth: {}\n", message); }

int run(const std::vector<std::string>& words, const Communicator& ranks) {
  std::vector<Command> commands = all_commands();
  const Invocation invocation = agree_on_command_line(words, breadth_variables(), commands, ranks);
  if (invocation.command != nullptr) return invocation.command->run(ranks);
  print_result(invocation.text, ranks);
  return 0;
}

/// The one place where errors end: every rank returns the same status, and one of them says why. A failure that the
/// others do not know of ends them too.
int guard(const std::vector<std::string>& words, const MessagePassing& message_passing) {
  const Communicator ranks = message_passing.world();
  try {
    return run(words, ranks);
  } catch (const UsageError& error) {
    if (ranks.rank() == 0) print_error(error.what());
    return status_usage;
  } catch (const AgreedError& error) {
    if (ranks.rank() == 0) print_error(error.what());
    return status_error;
  } catch (const std::exception& error) {
    const std::string message = message_of(error);
    if (ranks.size() == 1) {
      print_error(message);
      return status_error;
    }
    print_error(fmt::format("{} (on rank {} of {})", message, ranks.rank(), ranks.size()));
    message_passing.abort(status_error);
  }
}
}  // namespace

}  // namespace breadth::cli

int main(int argc, char** argv) {
  try {
    const breadth::MessagePassing message_passing(argc, argv);
    return breadth::cli::guard(std::vector<std::string>(argv + 1, argv + argc), message_passing);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "breadth: %s\n", breadth::message_of(error).c_str());
    return breadth::cli::status_error;
  }
}
