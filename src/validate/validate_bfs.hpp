// Is it a breadth-first search tree of that graph?
#pragma once

#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/directedness.hpp"
#include "core/edge_list.hpp"
#include "core/label_array.hpp"
#include "validate/report.hpp"

namespace breadth {

/// Checks the result of a search by the rules of the specification, from the edge list and the result alone.
///
/// Entry i of `parents` is the parent of label distribution.label(rank, i): no_label where it was not reached, its own
/// label for the root. `claimed_levels`, if not empty, has a level for each entry, -1 where it was not reached, and is
/// checked too. In a directed graph a tuple binds its target only: it must be reached, at most one level deeper, if the
/// source is.
///
/// Collective. One pass over the edge list with look-ups; a tuple with ends on other ranks travels to one or both of
/// them, in rounds of bounded size. 20 bytes a label at the most beside the result (36 where labels take 8 bytes), and
/// the messages of a round. Throws AgreedError when the list cannot be read, or when the result is not as long as this
/// rank's block of the distribution.
ValidationReport validate_bfs(const EdgeList& edges, Directedness directedness, Label root, const LabelArray& parents,
                              const BlockDistribution& distribution, const Context& context,
                              std::span<const std::int32_t> claimed_levels = {});

/// Only counts the input tuples with both ends in the tree: m for the TEPS of a search that is not validated. The same
/// pass over the edge list, without the checks. Collective; throws as validate_bfs does.
std::uint64_t count_traversed_edges(const EdgeList& edges, const LabelArray& parents,
                                    const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
