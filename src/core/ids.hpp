// The ids of a graph, with a separate type for each kind.
#pragma once

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

/// A vertex by the user's or the generator's number, the same on every rank: 0 <= value < 2^48.
using Label = Id<struct LabelKind, std::int64_t>;
/// A vertex of one rank, numbered densely in that rank's order (graph/partition.hpp).
using LocalVertex = Id<struct LocalVertexKind, std::uint32_t>;
/// An index into the edges of one rank. Always 64 bits: a rank may hold more than 2^32 edges.
using EdgeOffset = std::uint64_t;

/// No vertex: the parent of a vertex that a search did not reach, and the result of a look-up that finds no vertex.
inline constexpr Label no_label{-1};
inline constexpr LocalVertex no_local_vertex{0xFFFFFFFFU};
/// All labels are below this bound, because the packed edge file gives each 48 bits.
inline constexpr std::int64_t label_bound = std::int64_t{1} << 48;

/// A tuple of an edge list. For a directed graph it leads from source to target.
struct Edge {
  Label source;
  Label target;

  friend constexpr auto operator<=>(const Edge&, const Edge&) = default;
};

}  // namespace breadth

template <class Kind, class Representation>
struct std::hash<breadth::Id<Kind, Representation>> {
  std::size_t operator()(breadth::Id<Kind, Representation> id) const noexcept {
    return std::hash<Representation>{}(id.value);
  }
};
