// Are they breadth-first search trees of that graph?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "validate/report.hpp"

namespace breadth {

/// What a search says that it found, on this rank.
struct SearchResult {
  Label root;
  /// Entry i is the parent of label distribution.label(rank, i): no_label where it was not reached, its own label for
  /// the root.
  const LabelArray& parents;
  /// If not empty, a level for each entry, -1 where it was not reached; checked too.
  std::span<const std::int32_t> claimed_levels = {};
};

/// The searches that one pass over the edge list validates at most.
inline constexpr std::size_t most_searches_a_pass = 12;
/// How many can share a pass, by the memory that they take; what is asked for is rounded down to one of these.
inline constexpr std::array<std::size_t, 3> searches_a_pass = {most_searches_a_pass, 4, 1};

/// Bytes that a validation takes for each label beside the results, if `a_pass` searches share a pass over the edge
/// list and labels take `label_bytes` (4 or 8). The most of several ranks; the messages of a round are not in it.
std::size_t validation_bytes_per_label(std::size_t a_pass, std::size_t label_bytes);

/// Checks the results of searches by the rules of the specification, from the edge list and the results alone: a report
/// for each. In a directed graph a tuple binds its target only: it must be reached, at most one level deeper, if the
/// source is.
///
/// Collective. Up to `a_pass` searches share a pass over the edge list: what is known of a label in all of them lies
/// side by side, and a tuple looks it up once. Deep trees, whose levels do not fit bytes, share it by fours at the
/// most, or not at all where a_pass is below 12. A tuple with ends on other ranks travels to one or both of them, in
/// rounds of bounded size, with the levels of all searches. A context with a pool has the memory of one pass serve the
/// next ones, and those of later calls. Throws AgreedError when the list cannot be read, or when a
/// result is not as long as this rank's block of the distribution.
std::vector<ValidationReport> validate_bfs(const EdgeList& edges, Directedness directedness,
                                           std::span<const SearchResult> results, const BlockDistribution& distribution,
                                           const Context& context, std::size_t a_pass = most_searches_a_pass);

/// The same for one search.
ValidationReport validate_bfs(const EdgeList& edges, Directedness directedness, const SearchResult& result,
                              const BlockDistribution& distribution, const Context& context);

/// Only counts, for each search, the input tuples with both ends in the tree: m for the TEPS of a search that is not
/// validated. The same pass over the edge list, without the checks. Collective; throws as validate_bfs does.
std::vector<std::uint64_t> count_traversed_edges(const EdgeList& edges, std::span<const SearchResult> results,
                                                 const BlockDistribution& distribution, const Context& context,
                                                 std::size_t a_pass = most_searches_a_pass);

}  // namespace breadth
