// What a command has while it runs: its threads, a way to stop it, and where its result goes.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "comm/phase.hpp"
#include "core/parallel/parallel.hpp"
#include "io/files/output_file.hpp"
#include "placement/placement.hpp"

namespace breadth::cli {

// Threads.

/// Starts and binds this rank's threads, has them watched if that is wanted, and says on standard error, once, what is
/// wrong with how the ranks were started. What is one for all threads, instruction set and pages, is set before they
/// work. Collective; throws AgreedError where the MPI library or the machine has too few threads, or a rank's
/// processor lacks the instruction set.
class RankThreads {
 public:
  RankThreads(const CommonSettings& settings, const Communicator& ranks);

  [[nodiscard]] ThreadTeam& team() noexcept { return *team_; }
  [[nodiscard]] const Placement& placement() const noexcept { return placement_; }

 private:
  int threads_;                         ///< 0: as many as the rank's share of the processors
  std::unique_ptr<Watchdog> watchdog_;  ///< if any; before threads are bound, so that its own is not
  Placement placement_;
  std::optional<ThreadTeam> team_;  ///< always there
};

// Stopping when a person or the scheduler asks for it.

/// While it lives, the first SIGINT, SIGTERM, SIGUSR1, SIGUSR2 or SIGXCPU is only noted; the second one does what it
/// does without this. One at a time in a program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that came, 0 for none.
  [[nodiscard]] static int signal_received() noexcept;
  [[nodiscard]] static bool has_received() noexcept { return signal_received() != 0; }
};

/// With what status a program ends that stopped because of the signal that any rank received: as shells report an end
/// by a signal. Collective; the same on every rank.
int interrupt_status(const Communicator& ranks);

// What options do here.

/// Says on standard error which options have no effect on one rank (OptionSet::without_effect_on_one_rank); nothing on
/// several.
void say_without_effect(const std::vector<std::string>& names, const Communicator& ranks);

// Results, on standard output and as JSON.

/// Writes the first rank's text to standard output, at once and whole. Throws AgreedError if that fails. Collective.
void print_result(const std::string& text, const Communicator& ranks);

/// The same of an object: as JSON, or a line `key: value` for each value; words stand without quotes.
void print_values(const nlohmann::ordered_json& values, bool as_json, const Communicator& ranks);

/// --json, whose file a ResultOutput writes.
void add_json_option(OptionSet& options, std::string& json);

/// Where a command's result goes: lines to standard output and, with --json FILE, everything to that file. With
/// `--json -` that is standard output, and the lines go to standard error. All of it is collective.
class ResultOutput {
 public:
  /// `json` is the file, empty for none. Throws AgreedError where it cannot be written.
  ResultOutput(std::string json, const Communicator& ranks);

  /// Whether anybody will read JSON.
  [[nodiscard]] bool wants_json() const noexcept { return !json_.empty(); }
  /// Writes the first rank's result; json() makes the text there, if it is wanted. To be called once. Throws
  /// AgreedError.
  void write(const std::string& lines, const std::function<std::string()>& json);

 private:
  const Communicator& ranks_;
  std::string json_;
  std::optional<OutputFile> file_;  ///< on the first rank
};

}  // namespace breadth::cli
