// From one thread to another without locks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace breadth {

/// A queue of bounded length between one thread that pushes and one that pops. Values are swapped with those in the
/// queue, so that the room which they own goes round. Both operations are wait-free.
template <class Value>
class Lane {
 public:
  /// Holds at least one value and at most `capacity`.
  explicit Lane(std::size_t capacity) : slots_(std::max<std::size_t>(1, capacity)) {}

  /// Puts a value at the end and gives a popped one for it. Returns whether there was room; if not, nothing changes.
  bool push(Value& value) {
    const std::size_t pushed = pushed_.load(std::memory_order_relaxed);
    if (pushed - popped_.load(std::memory_order_acquire) == slots_.size()) return false;
    std::swap(slots_[pushed % slots_.size()], value);
    pushed_.store(pushed + 1, std::memory_order_release);
    return true;
  }
  /// Takes the first value and leaves the one given for it. Returns whether there was any; if not, nothing changes.
  bool pop(Value& value) {
    const std::size_t popped = popped_.load(std::memory_order_relaxed);
    if (pushed_.load(std::memory_order_acquire) == popped) return false;
    std::swap(slots_[popped % slots_.size()], value);
    popped_.store(popped + 1, std::memory_order_release);
    return true;
  }

 private:
  std::vector<Value> slots_;
  alignas(64) std::atomic<std::size_t> pushed_{0};
  alignas(64) std::atomic<std::size_t> popped_{0};
};

}  // namespace breadth
