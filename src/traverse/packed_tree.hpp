// What a search for shortest paths on one rank knows so far.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/buffer.hpp"
#include "core/parallel.hpp"

namespace breadth {

/// As TentativeTree, for labels of 32 bits: a vertex's distance stands above its parent in one word, so that threads
/// improve both at once, wait for nobody and touch one line of the cache. Bits of distances, which are never negative,
/// are in the order of distances.
class PackedTree {
 public:
  using Neighbour = std::uint32_t;

  PackedTree(std::size_t size, ThreadTeam& threads) : words_(size) { clear(threads); }

  void clear(ThreadTeam& threads) { parallel_fill(threads, words_.span(), unreached_word); }

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] float distance(std::size_t vertex) const noexcept {
    return distance_in(std::atomic_ref(const_cast<std::uint64_t&>(words_[vertex])).load(std::memory_order_relaxed));
  }
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept {
    __builtin_prefetch(words_.data() + vertex, 1);
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
  /// The same where no other thread does anything with the tree meanwhile.
  bool improve_alone(std::size_t vertex, float distance, std::uint32_t parent) noexcept {
    if (distance >= distance_in(words_[vertex])) return false;
    words_[vertex] = word(distance, parent);
    return true;
  }
  void set(std::size_t vertex, float distance, std::uint32_t parent) noexcept {
    words_[vertex] = word(distance, parent);
  }

  /// Infinitely far away and nobody's child.
  static constexpr std::uint64_t unreached_word =
      std::uint64_t{std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity())} << 32 | ~std::uint32_t{0};
  /// Each vertex's distance and parent as they are packed.
  [[nodiscard]] const std::uint64_t* words() const noexcept { return words_.data(); }
  static float distance_in(std::uint64_t word) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32));
  }
  static std::uint32_t parent_in(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }

 private:
  static std::uint64_t word(float distance, std::uint32_t parent) noexcept {
    return std::uint64_t{std::bit_cast<std::uint32_t>(distance)} << 32 | parent;
  }
  Buffer<std::uint64_t> words_;
};

}  // namespace breadth
