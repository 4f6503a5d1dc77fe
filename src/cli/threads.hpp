// The threads of a rank, as the options have them.
#pragma once

#include "cli/common_options.hpp"
#include "core/thread_team.hpp"
#include "placement/placement.hpp"

namespace breadth::cli {

/// Starts and binds this rank's threads, and says on standard error, once, what is wrong with how the ranks were
/// started. What is one for all threads, instruction set and pages, is set before they work. Collective; throws
/// AgreedError where a rank's processor lacks the instruction set.
class RankThreads {
 public:
  RankThreads(const CommonSettings& settings, const Communicator& ranks);

  [[nodiscard]] ThreadTeam& team() noexcept { return team_; }
  [[nodiscard]] const Placement& placement() const noexcept { return placement_; }

 private:
  Placement placement_;
  ThreadTeam team_;
};

}  // namespace breadth::cli
