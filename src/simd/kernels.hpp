// Inner loops on vectors of any length, in groups. kernels.cpp has all groups but the last, which is in
// label_gather.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/frontier.hpp"

namespace breadth {

// Push levels: finding the unvisited neighbours.

/// Sets the bits in `visited` of the neighbours that are not in it, makes `label` their parent, and writes them to the
/// front of `claimed`. Returns their number. `claimed` must have room for max_lanes more than there are neighbours.
/// Neighbours must be distinct, and no other thread may use the words of their bits. Neighbour is uint32_t or uint64_t.
template <class Neighbour>
std::size_t claim_unvisited(std::span<const Neighbour> neighbours, Neighbour label, std::uint64_t* visited,
                            Neighbour* parents, Neighbour* claimed);

/// Copies the neighbours that are not in `visited` to the front of `unvisited`. Returns their number. `unvisited` must
/// have room for max_lanes more than there are neighbours. No other thread may set bits during the call. Neighbour is
/// uint32_t or uint64_t.
template <class Neighbour>
std::size_t copy_unvisited(std::span<const Neighbour> neighbours, const std::uint64_t* visited, Neighbour* unvisited);

// Rows split by owner.

/// The global ids (graph/partition.hpp) that a rank owns: those whose bits above the local id are `above`.
template <class Neighbour>
struct OwnIds {
  Neighbour above;
  Neighbour local_mask;
};

/// Writes the local ids of the global ids that a rank owns to `own`, and the other global ids to `others`, both in the
/// order of the row. Returns the number of own ids. `own` and `others` must have room for max_lanes more than there
/// are global ids. Neighbour is uint32_t or uint64_t.
template <class Neighbour>
std::size_t split_row(std::span<const Neighbour> global_ids, OwnIds<Neighbour> which, Neighbour* own,
                      Neighbour* others);

// Sweeps: relaxing the lightest edges of many vertices at once.

/// One edge of each vertex: the global id and the label of its other end, and its weight.
struct WeightedColumn {
  const std::uint32_t* global_ids;
  const std::uint32_t* labels;
  const float* weights;
};

/// Bounds that are known before a sweep.
struct SweepBounds {
  float base;     ///< no neighbour nearer than this can improve a distance
  float settled;  ///< vertices at most this far away are final and skipped
  float limit;    ///< distances from here on count as infinite
};

/// The results of pull_from_columns. Each list has room for all vertices and max_lanes more.
struct PulledVertices {
  std::uint32_t* improved;    ///< vertices whose distance became shorter
  std::uint32_t* unfinished;  ///< vertices that may need edges beyond the last column
  std::size_t improved_count = 0;
  std::size_t unfinished_count = 0;
  std::uint64_t edges_examined = 0;
};

/// For each vertex in [begin, end): reads the columns, which are ordered by ascending weight, as long as base + weight
/// is less than the vertex's distance, and stores shorter distances and their parents. Adds to `pulled`. Neighbours'
/// distances are read from `by_global_id`, which may contain the vertices' own `distances`; other threads may lower
/// them during the call, so each is read once. Global ids must be below 2^31. O(vertices * columns).
void pull_from_columns(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin,
                       std::size_t end, const float* by_global_id, float* distances, std::uint32_t* parents,
                       PulledVertices& pulled);

// Packing the bits of a bitmap at the places that are unset in another bitmap.

/// The number of unset bits of a bitmap.
std::size_t count_unset(std::span<const std::uint64_t> bitmap);

/// Packs the bits of `bits` at the places where `known` is unset, in order; the last word is filled with zeros. `bits`
/// and `known` have the same number of words, and `packed` has room for count_unset(known) bits.
void pack_unset(std::span<const std::uint64_t> bits, std::span<const std::uint64_t> known, std::uint64_t* packed);

/// Adds the bits that pack_unset() packed to a copy of the same `known`, for example on another rank.
void unpack_unset(const std::uint64_t* packed, std::span<std::uint64_t> known);

// Results in the order of labels.

/// How values are written: through the caches, or with stores that bypass them if nobody reads the values soon.
enum class Store { cached, past_cache };

/// Writes a value for each bit of `words`: table[indices[k]] for the k-th set bit, `none` for an unset bit. The last
/// word may have more bits than there are values. Indices must be below 2^31, and `values` must begin at a multiple of
/// 64 bytes. O(values).
void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices,
                      const std::uint32_t* table, std::uint32_t none, std::span<std::uint32_t> values, Store store);
/// The same for floating-point numbers.
void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices, const float* table,
                      float none, std::span<float> values, Store store);

}  // namespace breadth
