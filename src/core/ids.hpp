// Ids of a graph, each kind a type of its own.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace breadth {

/// A number of one kind: two kinds never mix, and no arithmetic is defined on either. It costs what its
/// representation costs (tests/core/ids_test.cpp asserts size and triviality).
template <class Kind, class Representation>
struct Id {
  Representation value;

  friend constexpr auto operator<=>(Id, Id) = default;
  /// As an array index.
  [[nodiscard]] constexpr std::size_t index() const noexcept { return static_cast<std::size_t>(value); }
};

/// A vertex as the user or the generator numbers it, the same on every rank: 0 <= value < 2^48.
using Label = Id<struct LabelKind, std::int64_t>;
/// A vertex of one rank, numbered densely in that rank's order (graph/partition.hpp).
using LocalVertex = Id<struct LocalVertexKind, std::uint32_t>;
/// An index into the edges of one rank. Always 64 bits: a rank may hold more than 2^32 edges.
using EdgeOffset = std::uint64_t;

/// The parent of a vertex that no search reached, and the answer to "which vertex?" where there is none.
inline constexpr Label no_label{-1};
inline constexpr LocalVertex no_local_vertex{0xFFFFFFFFU};
/// Labels are below this bound: the packed edge file gives each 48 bits.
inline constexpr std::int64_t label_bound = std::int64_t{1} << 48;

/// A tuple of an edge list. For a directed graph it leads from source to target.
struct Edge {
  Label source;
  Label target;

  friend constexpr auto operator<=>(const Edge&, const Edge&) = default;
};

// Where labels lie.

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

template <class Kind, class Representation>
struct std::hash<breadth::Id<Kind, Representation>> {
  std::size_t operator()(breadth::Id<Kind, Representation> id) const noexcept {
    return std::hash<Representation>{}(id.value);
  }
};
