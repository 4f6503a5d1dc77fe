// What each rank is doing, as others can read it while it is stuck, and a watchdog that ends a run at a standstill.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "comm/communicator.hpp"

namespace breadth {

// Phases.

/// The phases that a rank is in, the innermost last, and how often that changed. One thread writes; every process that
/// has this memory may read at any time, even when the writer has stopped for good.
class PhaseSlot {
 public:
  static constexpr std::size_t longest_name = 47;
  static constexpr std::size_t deepest = 6;  ///< phases further inside are counted, not named

  void enter(const char* name) noexcept;
  void leave() noexcept;
  /// Still in the same phase, which gets on.
  void progress() noexcept;

  /// Differs from an earlier answer if the rank has got on since.
  [[nodiscard]] std::uint64_t changes() const noexcept;
  /// "kernel 1: rows by label > all-to-all".
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t changes_;  // zeroed memory is a slot
  std::uint64_t depth_;
  std::array<std::array<char, longest_name + 1>, deepest> names_;
};

/// While it lives, its rank is in a phase of this name; costs one comparison where no Watchdog reads it. Phases of a
/// rank nest, and are those of the one thread that communicates.
class Phase {
 public:
  /// The name is a noun, or what is done: "all-reduce", "pull".
  Phase(const Communicator& ranks, const char* name) noexcept : Phase(ranks.phases(), name) {}
  Phase(PhaseSlot* slot, const char* name) noexcept : slot_(slot) {
    if (slot_ != nullptr) slot_->enter(name);
  }
  ~Phase() {
    if (slot_ != nullptr) slot_->leave();
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// For a wait of which parts arrive: each is a sign of life.
  void progress() const noexcept {
    if (slot_ != nullptr) slot_->progress();
  }

 private:
  PhaseSlot* slot_;
};

// The watchdog: ends a run that has come to a standstill, and says where.

/// While it lives, a thread of each rank watches the phases (comm/phase.hpp) of all ranks on its machine. When one has
/// been in the same phase for too long, without progress, the process of one rank prints where each of them is and all
/// of them end, with status 1; launchers then end the ranks on other machines, which have a second to print theirs.
/// Watchers read shared memory and make no calls of MPI: MPI_THREAD_FUNNELED is enough. A time during which this
/// machine, or the watcher, did not run at all hardly counts.
///
/// It outlives the communicators that are made from `ranks` meanwhile. One at a time; its memory is 304 bytes a rank.
class Watchdog {
 public:
  /// `seconds`, more than 0, is longer than any phase should take. Collective, as is its end, unless an exception ends
  /// it.
  Watchdog(const Communicator& ranks, double seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace breadth
