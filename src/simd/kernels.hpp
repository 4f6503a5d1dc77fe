// Inner loops on vectors of any length: one source file each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/frontier.hpp"

namespace breadth {

// Push levels: which neighbours are not visited yet?

/// Sets the bits of those neighbours that a bitmap does not have, and gives them `label` as their parent. They go to
/// the front of `claimed`, which has room for most_lanes more than there are neighbours. Returns how many there are. No
/// neighbour is there twice, and no other thread uses the words of their bits. Neighbour is uint32_t or uint64_t.
template <class Neighbour>
std::size_t claim_unvisited(std::span<const Neighbour> neighbours, Neighbour label, std::uint64_t* visited,
                            Neighbour* parents, Neighbour* claimed);

/// Copies those neighbours that a bitmap does not have to the front of `unvisited`, which has room for most_lanes more
/// than there are neighbours. Returns how many there are. No other thread sets bits meanwhile. Neighbour is uint32_t
/// or uint64_t.
template <class Neighbour>
std::size_t copy_unvisited(std::span<const Neighbour> neighbours, const std::uint64_t* visited, Neighbour* unvisited);

// Rows parted by owner.

/// Which global ids (graph/partition.hpp) are a rank's own: those that have these bits above the local id.
template <class Neighbour>
struct OwnIds {
  Neighbour above;
  Neighbour local_mask;
};

/// Puts the local ids of those global ids that are a rank's own to the front of `own`, and the other global ids to the
/// front of `others`, both in the order that they have. Both have room for most_lanes more than there are global ids.
/// Returns how many are own. Neighbour is uint32_t or uint64_t.
template <class Neighbour>
std::size_t split_row(std::span<const Neighbour> global_ids, OwnIds<Neighbour> which, Neighbour* own,
                      Neighbour* others);

// Sweeps: shorter ways to many vertices at once, by their lightest edges.

/// One edge of each vertex: its other end under both names, and its weight.
struct WeightedColumn {
  const std::uint32_t* global_ids;
  const std::uint32_t* labels;
  const float* weights;
};

/// What is known before a sweep over vertices, and what for.
struct SweepBounds {
  float base;     ///< no neighbour that is nearer than this has anything to give
  float settled;  ///< vertices that are no farther away than this are left alone
  float limit;    ///< distances from here on count as infinite
};

/// What pull_from_columns did with some vertices. Each list has room for all of them and most_lanes more.
struct PulledVertices {
  std::uint32_t* improved;    ///< those that came closer
  std::uint32_t* unfinished;  ///< those whose last column was not enough
  std::size_t improved_count = 0;
  std::size_t unfinished_count = 0;
  std::uint64_t edges_examined = 0;
};

/// For vertices [begin, end): looks along the columns, which are by rising weight, for as long as base + weight is less
/// than the vertex's distance, and takes distances and parents that are shorter. Adds to `pulled`. Neighbours'
/// distances are read `by_global_id`, where the vertices' own may lie too; other threads may lower them meanwhile: each
/// is read once. Global ids are below 2^31. O(vertices * columns).
void pull_from_columns(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin,
                       std::size_t end, const float* by_global_id, float* distances, std::uint32_t* parents,
                       PulledVertices& pulled);

// Those bits of a bitmap that another one lacks, side by side.

/// Bits that a bitmap lacks.
std::size_t count_unset(std::span<const std::uint64_t> bitmap);

/// Writes the bits of `bits` at those places that `known` lacks, side by side, in their order; the last word is filled
/// up with zeros. There are as many words in both, and room for count_unset(known) bits in `packed`.
void pack_unset(std::span<const std::uint64_t> bits, std::span<const std::uint64_t> known, std::uint64_t* packed);

/// Adds what pack_unset() has packed to the same `known` elsewhere.
void unpack_unset(const std::uint64_t* packed, std::span<std::uint64_t> known);

// Results in the order of labels.

/// Where written values go: to the caches, or past them if nobody reads them soon.
enum class Store { cached, past_cache };

/// Writes an entry for each bit of `words`: for the k-th bit that is set table[indices[k]], for one that is not `none`;
/// the last word may have more bits than there are values. Indices are below 2^31; `values` begins at a
/// multiple of 64 bytes. O(values).
void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices,
                      const std::uint32_t* table, std::uint32_t none, std::span<std::uint32_t> values, Store store);
/// The same with floating-point numbers.
void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices, const float* table,
                      float none, std::span<float> values, Store store);

}  // namespace breadth
