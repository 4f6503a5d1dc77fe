// Whether what searches found are breadth-first search trees, or trees of shortest paths, of the graph.
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

/// The rules of the Graph500 specification (section on validation), and what they take for granted.
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
/// Each as a sentence.
constexpr auto words_of(Rule) {
  return word_list<Rule>(
      {{Rule::covers_edge_list, "every label of the edge list has a place in the result"},
       {Rule::root, "the root is its own parent, and no other vertex is"},
       {Rule::parent_range, "every parent is a label of the graph"},
       {Rule::leads_to_root, "parents lead from every vertex of the tree to the root"},  // so there is no cycle
       {Rule::level, "every level is one more than the parent's"},
       {Rule::edge_span, "the levels of the ends of an edge differ by at most one"},
       {Rule::distance, "every distance is the parent's plus the weight of an edge between them"},
       {Rule::distance_span, "the distances of the ends of an edge differ by at most its weight"},
       {Rule::weight, "every weight is a finite number that is not negative"},
       {Rule::spanning, "an edge has both ends in the tree or none"},  // the tree spans the component
       {Rule::tree_edge, "every edge of the tree is an input edge"}});
}
inline constexpr std::size_t rule_count = words_of(Rule()).size();

/// How often a rule was broken, with the first cases.
struct BrokenRule {
  Rule rule;
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< the first few
};

/// The verdict on one search, the same on every rank.
struct ValidationReport {
  std::vector<BrokenRule> broken;
  std::uint64_t reached = 0;          ///< vertices in the tree, the root among them
  std::uint64_t depth = 0;            ///< the deepest level
  std::uint64_t traversed_edges = 0;  ///< input tuples with both ends in the tree, each once: m of the TEPS

  [[nodiscard]] bool valid() const { return broken.empty(); }
  /// The broken rules as lines of text; empty when valid.
  [[nodiscard]] std::string text() const;
};

// Breadth-first searches.

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

// Shortest paths.

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

/// As validation_bytes_per_label.
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
