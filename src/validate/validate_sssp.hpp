// Are they trees of shortest paths in that graph?
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "validate/report.hpp"

namespace breadth {

/// What a search for shortest paths says that it found, on this rank. Entry i of both is about label
/// distribution.label(rank, i).
struct ShortestPathResult {
  Label root;
  /// no_label where it was not reached, its own label for the root.
  const LabelArray& parents;
  /// Infinity where it was not reached.
  std::span<const float> distances;
};

/// How many searches for shortest paths can share a pass over the edge list; what is asked for is rounded down to one
/// of these. Four fit a line of the cache.
inline constexpr std::array<std::size_t, 2> sssp_searches_a_pass = {4, 1};

/// As validation_bytes_per_label (validate_bfs.hpp).
std::size_t sssp_validation_bytes_per_label(std::size_t a_pass, std::size_t label_bytes);

/// Checks the results of searches by the rules of the specification, from the weighted edge list and the results alone:
/// a report for each. Parents are a tree that spans the root's component, with edges of the list; the root's distance
/// is 0, every other one the parent's plus the weight of an edge between them, rounded to 32 bits; no edge shortens a
/// way, and no weight is negative, infinite or not a number. These rules leave no other distances than the shortest
/// ones. In a directed graph a tuple binds its target only.
///
/// Collective; one pass over the edge list for `a_pass` searches, as validate_bfs, and a look-up of each vertex's
/// parent. Throws AgreedError when the list cannot be read or has no weights, or when a result is not as long as this
/// rank's block of the distribution.
std::vector<ValidationReport> validate_sssp(const EdgeList& edges, Directedness directedness,
                                            std::span<const ShortestPathResult> results,
                                            const BlockDistribution& distribution, const Context& context,
                                            std::size_t a_pass = sssp_searches_a_pass.front());

/// The same for one search.
ValidationReport validate_sssp(const EdgeList& edges, Directedness directedness, const ShortestPathResult& result,
                               const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
