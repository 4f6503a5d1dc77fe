// Checks whether the results of searches are breadth-first search trees, or trees of shortest paths, of the graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/words.hpp"

namespace breadth {

// Reports.

/// The rules of the Graph500 specification (section on validation), and their preconditions.
enum class Rule {
  covers_edge_list,
  root,
  parent_range,
  leads_to_root,
  level,
  edge_span,
  distance,
  distance_span,
  weight,
  spanning,
  tree_edge
};
/// The text of each rule, a sentence.
constexpr auto words_of(Rule) {
  return word_list<Rule>({
      "every label of the edge list has a place in the result",
      "the root is its own parent, and no other vertex is",
      "every parent is a label of the graph",
      "parents lead from every vertex of the tree to the root",  // so there is no cycle
      "every level is one more than the parent's",
      "the levels of the ends of an edge differ by at most one",
      "every distance is the parent's plus the weight of an edge between them",
      "the distances of the ends of an edge differ by at most its weight",
      "every weight is a finite number that is not negative",
      "an edge has both ends in the tree or none",  // the tree spans the component
      "every edge of the tree is an input edge",
  });
}
inline constexpr std::size_t rule_count = words_of(Rule()).size();

/// A broken rule with the number of cases and the first few of them.
struct BrokenRule {
  Rule rule;
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< the first few
};

/// The verdict on one search, the same on every rank.
struct ValidationReport {
  std::vector<BrokenRule> broken;
  std::uint64_t reached = 0;          ///< vertices in the tree, including the root
  std::uint64_t depth = 0;            ///< the deepest level
  std::uint64_t traversed_edges = 0;  ///< input tuples with both ends in the tree, each once: m of the TEPS

  [[nodiscard]] bool valid() const { return broken.empty(); }
  /// The broken rules as lines of text; empty when valid.
  [[nodiscard]] std::string text() const;
};

// Breadth-first searches.

/// The result that a search claims, on this rank.
struct SearchResult {
  Label root;
  /// Entry i is the parent of label distribution.label(rank, i): no_label if the label was not reached, the label
  /// itself for the root.
  const LabelArray& parents;
  /// If not empty, a level for each entry, -1 if it was not reached; checked too.
  std::span<const std::int32_t> claimed_levels = {};
};

/// The most searches that one pass over the edge list validates.
inline constexpr std::size_t max_searches_per_pass = 12;
/// The possible numbers of searches that share a pass; more need more memory. Other numbers are rounded down to one of
/// these.
inline constexpr std::array<std::size_t, 3> searches_per_pass = {max_searches_per_pass, 4, 1};

/// Bytes that a validation takes for each label beside the results, if `per_pass` searches share a pass over the edge
/// list and labels take `label_bytes` (4 or 8). The maximum over several ranks, without the messages of a round.
std::size_t validation_bytes_per_label(std::size_t per_pass, std::size_t label_bytes);

/// Checks the results of searches by the rules of the specification, from the edge list and the results alone. Returns
/// a report for each. In a directed graph a tuple constrains its target only: if the source is reached, the target must
/// be, at most one level deeper.
///
/// Collective. Up to `per_pass` searches share a pass over the edge list: the data of a label in all of them is side by
/// side, and a tuple looks it up once. At most four deep trees, whose levels do not fit bytes, share a pass, and only
/// one if per_pass is below 12. A tuple with ends on other ranks is sent to one or both of them, in rounds of bounded
/// size, with the levels of all searches. If the context has a pool, later passes and calls reuse the memory of one
/// pass. Throws AgreedError if the list cannot be read, or if a result is not as long as this rank's block of the
/// distribution.
std::vector<ValidationReport> validate_bfs(const EdgeList& edges, Directedness directedness,
                                           std::span<const SearchResult> results, const BlockDistribution& distribution,
                                           const Context& context, std::size_t per_pass = max_searches_per_pass);

/// The same for one search.
ValidationReport validate_bfs(const EdgeList& edges, Directedness directedness, const SearchResult& result,
                              const BlockDistribution& distribution, const Context& context);

/// Only counts, for each search, the input tuples with both ends in the tree: m for the TEPS of a search that is not
/// validated. Makes the same passes over the edge list as validate_bfs(), without the checks. Collective; throws as
/// validate_bfs() does.
std::vector<std::uint64_t> count_traversed_edges(const EdgeList& edges, std::span<const SearchResult> results,
                                                 const BlockDistribution& distribution, const Context& context,
                                                 std::size_t per_pass = max_searches_per_pass);

// Shortest paths.

/// The result that a shortest-path search claims, on this rank. Entry i of both arrays is about label
/// distribution.label(rank, i).
struct ShortestPathResult {
  Label root;
  /// no_label if the label was not reached, the label itself for the root.
  const LabelArray& parents;
  /// Infinity if the label was not reached.
  std::span<const float> distances;
};

/// The possible numbers of shortest-path searches that share a pass over the edge list; other numbers are rounded down
/// to one of these. Four fit a cache line.
inline constexpr std::array<std::size_t, 2> sssp_searches_per_pass = {4, 1};

/// The same as validation_bytes_per_label() for shortest paths.
std::size_t sssp_validation_bytes_per_label(std::size_t per_pass, std::size_t label_bytes);

/// Checks the results of searches by the rules of the specification, from the weighted edge list and the results alone.
/// Returns a report for each. Parents must be a tree that spans the root's component, with edges of the list. The
/// root's distance must be 0, every other distance the parent's plus the weight of an edge between them, rounded to 32
/// bits. No edge may shorten a distance, and no weight may be negative, infinite or not a number. Only the shortest
/// distances satisfy all of these rules. In a directed graph a tuple constrains its target only.
///
/// Collective. One pass over the edge list for `per_pass` searches, as in validate_bfs(), and a look-up of each
/// vertex's parent. Throws AgreedError if the list cannot be read or has no weights, or if a result is not as long as
/// this rank's block of the distribution.
std::vector<ValidationReport> validate_sssp(const EdgeList& edges, Directedness directedness,
                                            std::span<const ShortestPathResult> results,
                                            const BlockDistribution& distribution, const Context& context,
                                            std::size_t per_pass = sssp_searches_per_pass.front());

/// The same for one search.
ValidationReport validate_sssp(const EdgeList& edges, Directedness directedness, const ShortestPathResult& result,
                               const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
