// The phase of each rank, readable by other processes while the rank is stuck, and a watchdog that ends a run without
// progress.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "comm/communicator.hpp"

namespace breadth {

// Phases.

/// The nested phases that a rank is in, the innermost last, and the number of changes. One thread writes. Every process
/// that maps this memory may read at any time, even if the writer has stopped for good.
class PhaseSlot {
 public:
  static constexpr std::size_t longest_name = 47;
  static constexpr std::size_t deepest = 6;  ///< phases nested more deeply are counted, not named

  void enter(const char* name) noexcept;
  void leave() noexcept;
  /// Records progress within the current phase.
  void progress() noexcept;

  /// A counter that has changed if the rank has made progress since an earlier call.
  [[nodiscard]] std::uint64_t changes() const noexcept;
  /// The names of the nested phases: "kernel 1: rows by label > all-to-all".
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t changes_;  // zeroed memory is a valid slot
  std::uint64_t depth_;
  std::array<std::array<char, longest_name + 1>, deepest> names_;
};

/// Marks its rank as being in a named phase during its lifetime. Costs one comparison if no Watchdog is active. Phases
/// of a rank nest; only the thread that communicates uses them.
class Phase {
 public:
  /// The name is a noun or an operation: "all-reduce", "pull".
  Phase(const Communicator& ranks, const char* name) noexcept : Phase(ranks.phases(), name) {}
  Phase(PhaseSlot* slot, const char* name) noexcept : slot_(slot) {
    if (slot_ != nullptr) slot_->enter(name);
  }
  ~Phase() {
    if (slot_ != nullptr) slot_->leave();
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// Reports progress during a wait, for each part that arrives.
  void progress() const noexcept {
    if (slot_ != nullptr) slot_->progress();
  }

 private:
  PhaseSlot* slot_;
};

// The watchdog: ends a run that makes no progress, and reports where it is stuck.

/// During its lifetime a thread of each rank watches the phases (comm/phase.hpp) of all ranks on its machine. If one
/// rank stays in a phase for too long without progress, the process of one rank prints the phase of each, and all ranks
/// of the machine exit with status 1. The launcher then ends the ranks on other machines, which have a second to print
/// their own phases. Watchers read shared memory and make no MPI calls, so MPI_THREAD_FUNNELED is enough. Time during
/// which the machine or the watcher did not run hardly counts.
///
/// The watchdog must outlive the communicators that are made from `ranks` during its lifetime. Only one may exist at a
/// time. It uses 304 bytes of memory per rank.
class Watchdog {
 public:
  /// `seconds` must be positive and longer than any phase should take. Construction and destruction are collective,
  /// except for destruction by an exception.
  Watchdog(const Communicator& ranks, double seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;
};

/// The name of this host; "this machine" if the system does not say.
std::string host_name();

}  // namespace breadth
