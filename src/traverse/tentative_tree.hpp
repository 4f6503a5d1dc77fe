// What a search for shortest paths knows so far.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <thread>

#include "core/buffer.hpp"
#include "core/parallel.hpp"

namespace breadth {

/// For each vertex of a rank the shortest distance found so far and the label of the vertex that gave it. Threads
/// improve them at once: a distance is never negative, so that its sign bit can lock the pair.
///
/// Parents have no cycle, whatever the weights: a vertex takes its last distance D once, from a parent whose distance
/// is at most D then and in the end no less than along any cycle, thus D, and took it before.
template <class Neighbour>
class TentativeTree {
 public:
  explicit TentativeTree(std::size_t vertices, ThreadTeam& threads) : distances_(vertices), parents_(vertices) {
    parallel_fill(threads, parents_.span(), Neighbour{0});
    clear(threads);
  }

  void clear(ThreadTeam& threads) { parallel_fill(threads, distances_.span(), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return distances_.size(); }
  [[nodiscard]] float distance(std::size_t vertex) const noexcept {
    return std::abs(std::atomic_ref(const_cast<float&>(distances_[vertex])).load(std::memory_order_relaxed));
  }
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept {
    __builtin_prefetch(distances_.data() + vertex);
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
  /// The same where no other thread improves this vertex meanwhile; others may ask for its distance.
  void set(std::size_t vertex, float distance, Neighbour parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(distances_[vertex]).store(distance, std::memory_order_relaxed);
  }

  /// All distances, +infinity where there is none, and all parents, of any value there: for when no thread improves
  /// any.
  [[nodiscard]] float* distances() noexcept { return distances_.data(); }
  [[nodiscard]] std::span<Neighbour> parents() noexcept { return parents_.span(); }

 private:
  static constexpr float unreached = std::numeric_limits<float>::infinity();

  Buffer<float> distances_;
  Buffer<Neighbour> parents_;
};

}  // namespace breadth
