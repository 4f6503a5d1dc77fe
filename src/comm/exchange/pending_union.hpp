// A reduction that goes on while ranks do other things.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"

namespace breadth {

/// The bitwise or of all ranks' words by a non-blocking all-reduce, one at a time. Between start() and finish() a rank
/// may call any other collectives, in the same order as all ranks. Used from one thread a rank.
class PendingUnion {
 public:
  explicit PendingUnion(const Communicator& ranks);
  /// Of a reduction that was never finished, because something failed, the memory stays: others may still write to it.
  ~PendingUnion();
  PendingUnion(const PendingUnion&) = delete;
  PendingUnion& operator=(const PendingUnion&) = delete;

  /// Begins with this rank's words, equally many on every rank, which stay untouched as they are until finish().
  /// Collective.
  void start(std::span<std::uint64_t> words);
  /// Waits until the words are those of all ranks. Collective.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace breadth
