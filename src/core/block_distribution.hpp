// Which rank answers for which label.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"

namespace breadth {

/// Labels 0..N-1 in consecutive blocks of equal size, a multiple of 64, one block a rank: the way in which results
/// (parents, levels) lie on the ranks. Trailing ranks may hold fewer labels or none.
class BlockDistribution {
 public:
  BlockDistribution() = default;
  BlockDistribution(std::uint64_t vertex_count, int ranks)
      : vertex_count_(vertex_count), ranks_(ranks), block_(block_size(vertex_count, ranks)) {
    // 2^64 / block, rounded up: multiplying by it divides by the block, at most one too high.
    reciprocal_ = ~std::uint64_t{0} / block_ + 1;
  }

  /// N, on all ranks together.
  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  /// The most labels that a rank holds.
  [[nodiscard]] std::uint64_t block() const noexcept { return block_; }

  /// The rank that holds a label below vertex_count().
  [[nodiscard]] int owner(Label label) const noexcept {
    const auto value = static_cast<std::uint64_t>(label.value);
    auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(value) * reciprocal_) >> 64);
    quotient -= static_cast<std::uint64_t>(quotient * block_ > value);
    return static_cast<int>(quotient);
  }
  [[nodiscard]] Label first(int rank) const noexcept {
    return Label{static_cast<std::int64_t>(std::min(vertex_count_, block_ * static_cast<std::uint64_t>(rank)))};
  }
  /// How many labels a rank holds.
  [[nodiscard]] std::size_t count(int rank) const noexcept {
    return static_cast<std::size_t>(first(rank + 1).value - first(rank).value);
  }
  /// A label's place among those of its owner.
  [[nodiscard]] std::size_t offset(Label label, int owner) const noexcept {
    return static_cast<std::size_t>(label.value) - block_ * static_cast<std::size_t>(owner);
  }
  [[nodiscard]] Label label(int rank, std::size_t offset) const noexcept {
    return Label{first(rank).value + static_cast<std::int64_t>(offset)};
  }

 private:
  __extension__ using Wide = unsigned __int128;

  static std::uint64_t block_size(std::uint64_t vertex_count, int ranks) {
    constexpr std::uint64_t unit = 64;
    const auto parts = static_cast<std::uint64_t>(ranks);
    const std::uint64_t even = (vertex_count + parts - 1) / parts;
    return std::max(unit, (even + unit - 1) / unit * unit);
  }

  std::uint64_t vertex_count_ = 0;
  int ranks_ = 1;
  std::uint64_t block_ = 64;
  std::uint64_t reciprocal_ = (std::uint64_t{1} << 58);
};

}  // namespace breadth
