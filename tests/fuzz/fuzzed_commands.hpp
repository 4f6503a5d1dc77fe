// Commands with every option that searches have, without the engine behind them.
#pragma once

#include <memory>
#include <vector>

#include "cli/command.hpp"

namespace breadth::fuzz {

/// `search` has the options of breadth graph500 and their checks; `show` has an argument and a required option.
class FuzzedCommands {
 public:
  FuzzedCommands();
  ~FuzzedCommands();
  FuzzedCommands(const FuzzedCommands&) = delete;
  FuzzedCommands& operator=(const FuzzedCommands&) = delete;

  [[nodiscard]] std::vector<cli::Command>& commands() noexcept { return commands_; }
  [[nodiscard]] const std::vector<cli::Command>& commands() const noexcept { return commands_; }

 private:
  struct Settings;
  std::unique_ptr<Settings> settings_;
  std::vector<cli::Command> commands_;
};

}  // namespace breadth::fuzz
