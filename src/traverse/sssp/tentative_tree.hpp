// What a search for shortest paths knows so far.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <thread>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// For each vertex of a rank the shortest distance found so far and the label of the vertex that gave it. Threads
/// improve them at once: a distance is never negative, so that its sign bit can lock the pair.
///
/// Parents have no cycle, whatever the weights: a vertex takes its last distance D once, from a parent whose distance
/// is at most D then and in the end no less than along any cycle, thus D, and took it before.
template <class Neighbour>
class TentativeTree {
 public:
  /// `places`: of distances, in the order of global ids, of which this rank's own have those in `own`. They outlive
  /// this.
  TentativeTree(std::span<float> places, IndexRange own, ThreadTeam& threads)
      : all_(places), distances_(all_.data() + own.begin), parents_(own.size()) {
    parallel_fill(threads, parents_.span(), Neighbour{0});
    clear(threads);
  }

  void clear(ThreadTeam& threads) { parallel_fill(threads, std::span(distances_, size()), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return parents_.size(); }
  [[nodiscard]] float distance(std::size_t vertex) const noexcept { return read(distances_[vertex]); }
  /// Of any rank's vertex, as far as it is known here.
  [[nodiscard]] float distance_at(std::size_t global_id) const noexcept { return read(all_[global_id]); }
  /// Whether it may come closer by that: unless something as short is known here.
  [[nodiscard]] bool may_improve(std::size_t global_id, float distance) const noexcept {
    return !knows_others() || distance_at(global_id) > distance;
  }
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept { __builtin_prefetch(distances_ + vertex); }
  /// The same of any rank's vertex, if there is something to know of those.
  [[gnu::always_inline]] void prefetch(std::size_t global_id, std::size_t vertex) const noexcept {
    __builtin_prefetch(knows_others() ? all_.data() + global_id : distances_ + vertex);
  }

  /// Takes a distance, not negative, and its parent if it is shorter. Any number of threads at once.
  bool improve(std::size_t vertex, float distance, Neighbour parent) noexcept {
    std::atomic_ref<float> place(distances_[vertex]);
    float now = place.load(std::memory_order_relaxed);
    do {
      while (std::abs(now) > distance && std::signbit(now)) {
        std::this_thread::yield();
        now = place.load(std::memory_order_relaxed);
      }
      if (std::abs(now) <= distance) return false;
    } while (!place.compare_exchange_weak(now, -distance, std::memory_order_acquire, std::memory_order_relaxed));
    parents_[vertex] = parent;
    place.store(distance, std::memory_order_release);
    return true;
  }
  /// Takes them where no other thread improves this vertex meanwhile; others may ask for its distance.
  void set(std::size_t vertex, float distance, Neighbour parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(distances_[vertex]).store(distance, std::memory_order_relaxed);
  }

  /// All distances, +infinity where there is none, and all parents, of any value there: for when no thread improves
  /// any.
  [[nodiscard]] float* distances() noexcept { return distances_; }
  [[nodiscard]] std::span<Neighbour> parents() noexcept { return parents_.span(); }
  /// The places, those of other ranks' vertices too: what is known here of their distances, as it was received.
  [[nodiscard]] std::span<const float> by_global_id() const noexcept { return all_; }

  static constexpr float unreached = std::numeric_limits<float>::infinity();

 private:
  [[nodiscard]] bool knows_others() const noexcept { return all_.size() != size(); }
  static float read(const float& place) noexcept {
    return std::abs(std::atomic_ref(const_cast<float&>(place)).load(std::memory_order_relaxed));
  }

  std::span<float> all_;
  float* distances_;  ///< this rank's own, in all_
  Buffer<Neighbour> parents_;
};

}  // namespace breadth
