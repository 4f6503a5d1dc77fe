// What a validation found, and the text of each broken rule, of processors and of devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
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
  std::vector<std::string> examples;  ///< at most BrokenRules::most_examples
};

/// Collects cases on one thread.
class BrokenRules {
 public:
  static constexpr std::size_t most_examples = 5;

  /// Counts a case; `describe` makes its text and is only called for the first few.
  template <class Describe>
  void add(Rule rule, Describe&& describe) {
    auto& [count, examples] = cases_[static_cast<std::size_t>(rule)];
    if (count++ < most_examples) examples.push_back(describe());
  }
  /// Adds another thread's cases.
  void add(const BrokenRules& other);
  /// The broken rules of all ranks, the same on each. Collective.
  [[nodiscard]] std::vector<BrokenRule> gather(const Communicator& ranks) const;

 private:
  struct Cases {
    std::uint64_t count = 0;
    std::vector<std::string> examples;
  };
  std::array<Cases, rule_count> cases_;
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

// Texts of broken rules.

/// Rule::covers_edge_list, of a result for so many labels.
std::string edge_outside_text(const Edge& edge, std::uint64_t labels);
/// Rule::root, where it is no label.
std::string no_root_text(Label root);
/// Rule::root and Rule::parent_range.
std::string parent_text(Label vertex, Label parent);
/// Rule::leads_to_root.
std::string no_way_text(Label vertex, Label parent, Label root);
/// Rule::edge_span, by the levels of source and target.
std::string edge_span_text(const Edge& edge, std::uint64_t source_level, std::uint64_t target_level);
/// Rule::spanning; `inside` is the end in the tree.
std::string one_end_text(const Edge& edge, Label inside);
/// Rule::tree_edge.
std::string no_neighbour_text(Label vertex, Label parent);

/// Rule::distance: of the root, of a vertex in the tree, of one without a parent, and of one that no edge to its parent
/// gives that.
std::string root_distance_text(Label root, float distance);
std::string tree_distance_text(Label vertex, float distance);
std::string lone_distance_text(Label vertex, float distance);
std::string parent_distance_text(Label vertex, Label parent, float distance);
/// Rule::distance_span, by the distances of source and target.
std::string distance_span_text(const Edge& edge, float weight, float source, float target);
/// Rule::weight.
std::string weight_text(const Edge& edge, float weight);
/// Rule::spanning, after one_end_text: what the weight has to do with it that the edge leads out of the tree, where it
/// has, from an end at that distance.
std::string beyond_text(float weight, float distance);

}  // namespace breadth
