// What the phases of a search on a device work on: arrays in its memory, a graph, and the state of a search.
#pragma once

#include <cstdint>

#include "gpu/phases/lanes.hpp"

namespace breadth::gpu {

// Arrays.

/// Borrowed by a phase. Only a warp (LockStepWarp, CudaWarp) reads or writes it; the size is for the warp's checks.
template <class T>
struct ArrayView {
  T* data = nullptr;
  std::uint64_t size = 0;
};

// Graphs and searches.

inline constexpr std::uint32_t bits_per_word = 32;
/// Words of so many bits.
constexpr std::uint64_t words_for(std::uint64_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }

/// Lanes of a warp that look through a row of middling length together.
inline constexpr std::uint32_t group_lanes = 8;

/// Edges of a piece: a row that is longer is cut into such pieces, each for a warp of its own.
inline constexpr std::uint32_t piece_edges = 1024;

/// Who works off a row: ids fall with the lengths of rows, so that each class is a range of ids.
enum RowClass : std::uint32_t { by_pieces, by_warps, by_groups, by_lanes, row_classes };

/// Ranges of vertices by the lengths of their rows, each bound the end of one range and the start of the next.
struct RowBounds {
  std::uint32_t pieces = 0;    ///< rows before are longer than a piece
  std::uint32_t warps = 0;     ///< rows before are a warp's in a push,
  std::uint32_t groups = 0;    ///< a group's of 8 lanes, from there on one lane's
  std::uint32_t asked = 0;     ///< rows before are a warp's in a pull, from there on a group's
  std::uint32_t longer = 0;    ///< rows before have more than one neighbour
  std::uint32_t searched = 0;  ///< levels find the vertices before; the others are leaves, for one last pass
  std::uint32_t vertices = 0;

  /// The first vertex of a class.
  [[nodiscard]] constexpr std::uint32_t begin(std::uint32_t row_class) const {
    return row_class == by_pieces ? 0 : row_class == by_warps ? pieces : row_class == by_groups ? warps : groups;
  }
};

/// A graph in the memory of a device: vertices by falling degree.
struct GraphView {
  ArrayView<const std::uint64_t> offsets;           ///< where each row starts, and the end of the last
  ArrayView<const std::uint64_t> ends;              ///< where each row ends, as far as it is looked through
  ArrayView<const std::uint32_t> neighbours;        ///< all rows
  ArrayView<const std::uint32_t> first_neighbours;  ///< of each row, once more
  ArrayView<const std::uint32_t> word_degrees;      ///< the mean degree of each 32 vertices, rounded down
  ArrayView<const std::uint32_t> first_pieces;      ///< of each vertex before bounds.pieces, and one more: the end
  ArrayView<const std::uint32_t> piece_rows;        ///< of each piece, whose it is
  RowBounds bounds;
};

/// The frontier of a push: its vertices by the class of their rows, each class where its vertices' ids begin, and of
/// the longest rows all pieces.
struct QueueView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> pieces;
  ArrayView<std::uint32_t> sizes;  ///< row_classes of them
};

/// Vertices whose first neighbour is not in the frontier: those whose rows are for warps from the front of `vertices`,
/// those for groups from bounds.asked on.
struct MissView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> sizes;  ///< for warps, for groups
};
enum MissClass : std::uint32_t { missed_by_warps, missed_by_groups, miss_classes };

/// The state of a search. A parent counts only where its vertex is visited, so nothing else is cleared.
struct SearchView {
  ArrayView<std::uint32_t> visited;  ///< a bit a vertex
  ArrayView<std::uint32_t> found;    ///< of a pull, before they count as visited
  ArrayView<std::uint32_t> parents;  ///< by id
  ArrayView<std::uint64_t> tallies;  ///< sums of a level
};

/// The sums of a level.
enum TallyKind : std::uint32_t { edges_examined, vertices_claimed, edges_claimed, tally_kinds };

/// What the lanes of a warp have counted.
template <class Warp>
struct Tally {
  using Count = typename Warp::template Lanes<std::uint64_t>;
  Count examined{};
  Count claimed{};
  Count edges{};  ///< of the claimed vertices, by the mean degree of their words

  constexpr void add_to(const Warp& warp, const ArrayView<std::uint64_t>& tallies) const {
    warp.add(tallies, edges_examined, examined);
    warp.add(tallies, vertices_claimed, claimed);
    warp.add(tallies, edges_claimed, edges);
  }
};

}  // namespace breadth::gpu
