// The environment of a running command: its threads, its interruption, and its result.
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

/// Starts and binds this rank's threads, starts a watchdog if requested, and warns once on standard error if the ranks
/// were started badly. Instruction set and page size, which are common to all threads, are set before the threads work.
/// Collective; throws AgreedError if the MPI library or the machine supports too few threads, or if a rank's processor
/// lacks the instruction set.
class RankThreads {
 public:
  RankThreads(const CommonSettings& settings, const Communicator& ranks);

  [[nodiscard]] ThreadTeam& team() noexcept { return *team_; }
  [[nodiscard]] const Placement& placement() const noexcept { return placement_; }

 private:
  int threads_;                         ///< 0: the rank's share of the processors
  std::unique_ptr<Watchdog> watchdog_;  ///< if requested; made before threads are bound, so that its own thread is not
                                        ///< bound
  Placement placement_;
  std::optional<ThreadTeam> team_;  ///< always set
};

// Stopping at the request of the user or the scheduler.

/// During its lifetime, the first SIGINT, SIGTERM, SIGUSR1, SIGUSR2 or SIGXCPU is only recorded; a second one has its
/// usual effect. A program has at most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that was received, 0 for none.
  [[nodiscard]] static int signal_received() noexcept;
  [[nodiscard]] static bool has_received() noexcept { return signal_received() != 0; }
};

/// The exit status of a program that stopped because any rank received a signal, as shells report an end by a signal.
/// Collective; equal on every rank.
int interrupt_status(const Communicator& ranks);

// Options without effect.

/// Reports on standard error which options have no effect on one rank (OptionSet::without_effect_on_one_rank). Does
/// nothing on several ranks.
void say_without_effect(const std::vector<std::string>& names, const Communicator& ranks);

// Results, on standard output and as JSON.

/// Writes the first rank's text to standard output at once. Throws AgreedError if that fails. Collective.
void print_result(const std::string& text, const Communicator& ranks);

/// Writes an object to standard output: as JSON, or as a line `key: value` for each value, with words unquoted. Throws
/// AgreedError if that fails. Collective.
void print_values(const nlohmann::ordered_json& values, bool as_json, const Communicator& ranks);

/// Adds --json, the file that a ResultOutput writes.
void add_json_option(OptionSet& options, std::string& json);

/// The output of a command's result: lines on standard output and, with --json FILE, the complete result in that file.
/// With `--json -` the complete result goes to standard output and the lines to standard error. All member functions
/// but wants_json() are collective.
class ResultOutput {
 public:
  /// `json` is the file, empty for none. Throws AgreedError if it cannot be written.
  ResultOutput(std::string json, const Communicator& ranks);

  /// Whether JSON was requested.
  [[nodiscard]] bool wants_json() const noexcept { return !json_.empty(); }
  /// Writes the first rank's result; json() is called there if JSON is requested. May be called once. Throws
  /// AgreedError.
  void write(const std::string& lines, const std::function<std::string()>& json);

 private:
  static constexpr const char* standard_output = "-";

  const Communicator& ranks_;
  std::string json_;
  std::optional<OutputFile> file_;  ///< on the first rank
};

}  // namespace breadth::cli
