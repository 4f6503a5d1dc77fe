// What a search for shortest paths knows so far.
#pragma once

#include <atomic>
#include <bit>
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
  explicit TentativeTree(std::size_t vertices, ThreadTeam& threads) : bits_(vertices), parents_(vertices) {
    parallel_fill(threads, parents_.span(), Neighbour{0});
    clear(threads);
  }

  void clear(ThreadTeam& threads) { parallel_fill(threads, bits_.span(), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return bits_.size(); }
  [[nodiscard]] float distance(std::size_t vertex) const noexcept {
    const auto bits = std::atomic_ref(const_cast<std::uint32_t&>(bits_[vertex])).load(std::memory_order_relaxed);
    return std::bit_cast<float>(bits & ~lock);
  }
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept { __builtin_prefetch(bits_.data() + vertex); }

  /// Takes a distance, not negative, and its parent if it is shorter. Any number of threads at once.
  bool improve(std::size_t vertex, float distance, Neighbour parent) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(distance);
    std::atomic_ref<std::uint32_t> word(bits_[vertex]);
    std::uint32_t now = word.load(std::memory_order_relaxed);
    do {
      while ((now & ~lock) > bits && (now & lock) != 0) {
        std::this_thread::yield();
        now = word.load(std::memory_order_relaxed);
      }
      if ((now & ~lock) <= bits) return false;
    } while (!word.compare_exchange_weak(now, bits | lock, std::memory_order_acquire, std::memory_order_relaxed));
    parents_[vertex] = parent;
    word.store(bits, std::memory_order_release);
    return true;
  }
  /// The same where no other thread improves this vertex meanwhile; others may ask for its distance.
  void set(std::size_t vertex, float distance, Neighbour parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(bits_[vertex]).store(std::bit_cast<std::uint32_t>(distance), std::memory_order_relaxed);
  }

  /// The bits of all distances, those of +infinity where there is none, and all parents, of any value there: for when
  /// no thread improves any.
  [[nodiscard]] std::span<const std::uint32_t> distance_bits() const noexcept { return bits_.span(); }
  [[nodiscard]] std::span<Neighbour> parents() noexcept { return parents_.span(); }

  static constexpr std::uint32_t unreached = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());

 private:
  static constexpr std::uint32_t lock = 0x80000000U;

  Buffer<std::uint32_t> bits_;
  Buffer<Neighbour> parents_;
};

}  // namespace breadth
