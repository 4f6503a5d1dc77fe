// The threads of a rank, as the options have them.
#pragma once

#include <memory>
#include <optional>

#include "cli/options/common_options.hpp"
#include "comm/phase.hpp"
#include "core/parallel/parallel.hpp"
#include "placement/placement.hpp"

namespace breadth::cli {

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

}  // namespace breadth::cli
