// What a search for shortest paths knows so far.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <thread>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// How the highest bit of a distance, which is never negative, locks it with its parent.
template <class Key>
struct KeyLock;

template <>
struct KeyLock<float> {
  static constexpr float unreached = std::numeric_limits<float>::infinity();
  static float locked(float distance) noexcept { return -distance; }
  static float unlocked(float distance) noexcept { return std::abs(distance); }
  static bool is_locked(float distance) noexcept { return std::signbit(distance); }
};

/// Distances of 64 bits are whole numbers in their order, below 2^63.
template <>
struct KeyLock<std::uint64_t> {
  static constexpr std::uint64_t lock = std::uint64_t{1} << 63;
  static constexpr std::uint64_t unreached = lock - 1;
  static std::uint64_t locked(std::uint64_t key) noexcept { return key | lock; }
  static std::uint64_t unlocked(std::uint64_t key) noexcept { return key & ~lock; }
  static bool is_locked(std::uint64_t key) noexcept { return key >= lock; }
};

/// For each vertex of a rank the shortest distance found so far and the vertex that gave it, by label or local id.
/// Threads improve them at once.
///
/// Parents have no cycle, whatever the weights. No parent is farther away than its child, so that all distances in a
/// cycle would be equal; but a vertex takes its last distance once, from a parent that had that distance before.
template <class Key, class Parent>
class LockedTree {
  using Lock = KeyLock<Key>;

 public:
  /// `places`: of distances, in the order of global ids, of which this rank's own have those in `own`. They outlive
  /// this.
  LockedTree(std::span<Key> places, IndexRange own, ThreadTeam& threads)
      : all_(places), distances_(all_.data() + own.begin), parents_(own.size()) {
    parallel_fill(threads, parents_.span(), Parent{0});
    clear(threads);
  }

  void clear(ThreadTeam& threads) { parallel_fill(threads, std::span(distances_, size()), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return parents_.size(); }
  [[nodiscard]] Key distance(std::size_t vertex) const noexcept { return read(distances_[vertex]); }
  /// Of a vertex that has a distance, while no thread improves any.
  [[nodiscard]] Parent parent(std::size_t vertex) const noexcept { return parents_[vertex]; }
  /// Of any rank's vertex, as far as it is known here.
  [[nodiscard]] Key distance_at(std::size_t global_id) const noexcept { return read(all_[global_id]); }
  /// Whether it may come closer by that: unless something as short is known here.
  [[nodiscard]] bool may_improve(std::size_t global_id, Key distance) const noexcept {
    return !knows_others() || distance_at(global_id) > distance;
  }
  /// Ahead of an access. Always inlined: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept { __builtin_prefetch(distances_ + vertex); }
  /// The same of any rank's vertex, if there is something to know of those.
  [[gnu::always_inline]] void prefetch(std::size_t global_id, std::size_t vertex) const noexcept {
    __builtin_prefetch(knows_others() ? all_.data() + global_id : distances_ + vertex);
  }

  /// Takes a distance, not negative, and its parent if it is shorter. Any number of threads at once.
  bool improve(std::size_t vertex, Key distance, Parent parent) noexcept {
    std::atomic_ref<Key> place(distances_[vertex]);
    Key now = place.load(std::memory_order_relaxed);
    do {
      while (Lock::unlocked(now) > distance && Lock::is_locked(now)) {
        std::this_thread::yield();
        now = place.load(std::memory_order_relaxed);
      }
      if (Lock::unlocked(now) <= distance) return false;
    } while (!place.compare_exchange_weak(now, Lock::locked(distance), std::memory_order_acquire,
                                          std::memory_order_relaxed));
    parents_[vertex] = parent;
    place.store(distance, std::memory_order_release);
    return true;
  }
  /// Takes them where no other thread improves this vertex meanwhile; others may ask for its distance.
  void set(std::size_t vertex, Key distance, Parent parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(distances_[vertex]).store(distance, std::memory_order_relaxed);
  }

  /// All distances, `unreached` where there is none, and all parents, of any value there: for when no thread improves
  /// any.
  [[nodiscard]] Key* distances() noexcept { return distances_; }
  [[nodiscard]] std::span<Parent> parents() noexcept { return parents_.span(); }
  /// The places, those of other ranks' vertices too: what is known here of their distances, as it was received.
  [[nodiscard]] std::span<const Key> by_global_id() const noexcept { return all_; }

  static constexpr Key unreached = Lock::unreached;

 private:
  [[nodiscard]] bool knows_others() const noexcept { return all_.size() != size(); }
  static Key read(const Key& place) noexcept {
    return Lock::unlocked(std::atomic_ref(const_cast<Key&>(place)).load(std::memory_order_relaxed));
  }

  std::span<Key> all_;
  Key* distances_;  ///< this rank's own, in all_
  Buffer<Parent> parents_;
};

/// With distances of 32 bits and labels as parents.
template <class Neighbour>
using TentativeTree = LockedTree<float, Neighbour>;

}  // namespace breadth
