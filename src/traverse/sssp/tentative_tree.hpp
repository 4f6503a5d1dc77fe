// The tentative distances and parents of a search for shortest paths.
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

/// Locks a distance and its parent by the highest bit of the distance, which is free because no distance is negative.
template <class Key>
struct KeyLock;

template <>
struct KeyLock<float> {
  static constexpr float unreached = std::numeric_limits<float>::infinity();
  static float locked(float distance) noexcept { return -distance; }
  static float unlocked(float distance) noexcept { return std::abs(distance); }
  static bool is_locked(float distance) noexcept { return std::signbit(distance); }
};

/// Distances of 64 bits are keys (DistanceKeys): whole numbers below 2^63, in the order of the distances.
template <>
struct KeyLock<std::uint64_t> {
  static constexpr std::uint64_t lock = std::uint64_t{1} << 63;
  static constexpr std::uint64_t unreached = lock - 1;
  static std::uint64_t locked(std::uint64_t key) noexcept { return key | lock; }
  static std::uint64_t unlocked(std::uint64_t key) noexcept { return key & ~lock; }
  static bool is_locked(std::uint64_t key) noexcept { return key >= lock; }
};

/// Holds for each vertex of a rank the shortest distance found so far and the parent that gave it, by label or local
/// id. Several threads may improve distances at the same time.
///
/// Parents have no cycle, whatever the weights. No parent is farther away than its child, so that all distances in a
/// cycle would be equal. But a vertex takes its last distance once, from a parent that had that distance before.
template <class Key, class Parent>
class LockedTree {
  using Lock = KeyLock<Key>;

 public:
  /// `places` is the memory for distances, by global id; the range `own` is for this rank's vertices. It must outlive
  /// the tree.
  LockedTree(std::span<Key> places, IndexRange own, ThreadTeam& threads)
      : all_(places), distances_(all_.data() + own.begin), parents_(own.size()) {
    parallel_fill(threads, parents_.span(), Parent{0});
    clear(threads);
  }

  void clear(ThreadTeam& threads) { parallel_fill(threads, std::span(distances_, size()), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return parents_.size(); }
  [[nodiscard]] Key distance(std::size_t vertex) const noexcept { return read(distances_[vertex]); }
  /// The parent of a vertex that has a distance. No thread may improve distances meanwhile.
  [[nodiscard]] Parent parent(std::size_t vertex) const noexcept { return parents_[vertex]; }
  /// The distance of any rank's vertex, as far as this rank knows it.
  [[nodiscard]] Key distance_at(std::size_t global_id) const noexcept { return read(all_[global_id]); }
  /// Whether a distance may improve a vertex: false if this rank knows that the vertex has one as short.
  [[nodiscard]] bool may_improve(std::size_t global_id, Key distance) const noexcept {
    return !knows_others() || distance_at(global_id) > distance;
  }
  /// Prefetches the distance of a vertex. Always inlined, because g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept { __builtin_prefetch(distances_ + vertex); }
  /// Prefetches the distance by global id if other ranks' distances are known here, else by local id.
  [[gnu::always_inline]] void prefetch(std::size_t global_id, std::size_t vertex) const noexcept {
    __builtin_prefetch(knows_others() ? all_.data() + global_id : distances_ + vertex);
  }

  /// Sets distance and parent of a vertex if the distance, which must not be negative, is shorter. Returns whether it
  /// was. Any number of threads may call this at once.
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
  /// Sets distance and parent of a vertex. No other thread may improve the vertex meanwhile, but others may read its
  /// distance.
  void set(std::size_t vertex, Key distance, Parent parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(distances_[vertex]).store(distance, std::memory_order_relaxed);
  }

  /// All distances and parents. The parent of an unreached vertex is undefined. No thread may improve any meanwhile.
  [[nodiscard]] Key* distances() noexcept { return distances_; }
  [[nodiscard]] std::span<Parent> parents() noexcept { return parents_.span(); }
  /// All distances by global id. Those of other ranks' vertices are as they were last received.
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

/// A tree with distances of 32 bits and labels as parents.
template <class Neighbour>
using TentativeTree = LockedTree<float, Neighbour>;

}  // namespace breadth
