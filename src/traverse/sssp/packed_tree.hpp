// What a search for shortest paths on one rank knows so far.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// For each vertex of the one rank the shortest distance found so far and the local id of the vertex that gave it, in
/// one word: a relaxation touches one line of memory, and what it writes is one atomic instruction.
///
/// Parents have no cycle, for the reasons that TentativeTree gives.
class PackedTree {
 public:
  /// Of `size` vertices, none of which has a distance.
  PackedTree(std::size_t size, ThreadTeam& threads) : words_(size) { clear(threads); }

  void clear(ThreadTeam& threads) { parallel_fill(threads, words_.span(), word(unreached, 0)); }

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  /// +infinity where there is none.
  [[nodiscard]] float distance(std::size_t vertex) const noexcept { return distance_in(load(vertex)); }
  /// Of a vertex that has a distance; 0 of any other.
  [[nodiscard]] std::uint32_t parent(std::size_t vertex) const noexcept {
    return static_cast<std::uint32_t>(load(vertex) >> 32);
  }
  /// Ahead of an access. Always inlined: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept {
    __builtin_prefetch(words_.data() + vertex);
  }

  /// Takes a distance, not negative, and its parent if it is shorter. Any number of threads at once.
  bool improve(std::size_t vertex, float distance, std::uint32_t parent) noexcept {
    std::atomic_ref<std::uint64_t> place(words_[vertex]);
    std::uint64_t now = place.load(std::memory_order_relaxed);
    while (distance < distance_in(now)) {
      if (place.compare_exchange_weak(now, word(distance, parent), std::memory_order_relaxed)) return true;
    }
    return false;
  }
  /// The same where no other thread improves any vertex meanwhile.
  bool improve_alone(std::size_t vertex, float distance, std::uint32_t parent) noexcept {
    if (distance >= distance_in(words_[vertex])) return false;
    words_[vertex] = word(distance, parent);
    return true;
  }

  static constexpr float unreached = std::numeric_limits<float>::infinity();

 private:
  static std::uint64_t word(float distance, std::uint32_t parent) noexcept {
    return std::uint64_t{parent} << 32 | std::bit_cast<std::uint32_t>(distance);
  }
  static float distance_in(std::uint64_t word) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word));
  }
  [[nodiscard]] std::uint64_t load(std::size_t vertex) const noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(words_[vertex])).load(std::memory_order_relaxed);
  }

  Buffer<std::uint64_t> words_;
};

}  // namespace breadth
