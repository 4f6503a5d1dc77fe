// Ending a run that has come to a standstill, and saying where.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace breadth {

/// While it lives, a thread of each rank watches the phases (comm/phase.hpp) of all ranks on its machine. When one has
/// been in the same phase for too long, without progress, the process of one rank prints where each of them is and all
/// of them end, with status 1; launchers then end the ranks on other machines, which have a second to print theirs.
/// Watchers read shared memory and make no calls of MPI: MPI_THREAD_FUNNELED is enough. A time during which this
/// machine, or the watcher, did not run at all hardly counts.
///
/// It outlives the communicators that are made from `ranks` meanwhile. One at a time; its memory is 304 bytes a rank.
class Watchdog {
 public:
  /// What a rank is doing.
  struct RankPhase {
    int rank;  ///< in `ranks`
    std::string phase;
  };

  /// `seconds`, more than 0, is longer than any phase should take. Collective, as is its end, unless an exception ends
  /// it.
  Watchdog(const Communicator& ranks, double seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Of the ranks on this machine, at this moment.
  [[nodiscard]] std::vector<RankPhase> phases() const;

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace breadth
