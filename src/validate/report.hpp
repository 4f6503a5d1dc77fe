// Collects the broken rules that a validation finds, and makes the text of each, for processors and devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "validate/validate.hpp"

namespace breadth {

// Cases of broken rules.

/// The cases that one thread found.
class BrokenRules {
 public:
  static constexpr std::size_t most_examples = 5;

  /// Counts a case. `describe` returns its text and is only called for the first few cases.
  template <class Describe>
  void add(Rule rule, Describe&& describe) {
    auto& [count, examples] = cases_[static_cast<std::size_t>(rule)];
    if (count++ < most_examples) examples.push_back(describe());
  }
  /// Adds another thread's cases.
  void add(const BrokenRules& other);
  /// Returns the broken rules of all ranks, the same on each rank. Collective.
  [[nodiscard]] std::vector<BrokenRule> gather(const Communicator& ranks) const;

 private:
  struct Cases {
    std::uint64_t count = 0;
    std::vector<std::string> examples;
  };
  std::array<Cases, rule_count> cases_;
};

// Texts of broken rules.

/// For Rule::covers_edge_list, with the number of labels in the result.
std::string edge_outside_text(const Edge& edge, std::uint64_t labels);
/// For Rule::root, if the root is not a label of the graph.
std::string no_root_text(Label root);
/// For Rule::root and Rule::parent_range.
std::string parent_text(Label vertex, Label parent);
/// For Rule::leads_to_root.
std::string no_way_text(Label vertex, Label parent, Label root);
/// For Rule::edge_span, with the levels of source and target.
std::string edge_span_text(const Edge& edge, std::uint64_t source_level, std::uint64_t target_level);
/// For Rule::spanning; `inside` is the end in the tree.
std::string one_end_text(const Edge& edge, Label inside);
/// For Rule::tree_edge.
std::string no_neighbour_text(Label vertex, Label parent);

/// For Rule::distance: of the root, of a vertex in the tree, of a vertex without a parent, and of a vertex whose
/// distance does not follow from any edge to its parent.
std::string root_distance_text(Label root, float distance);
std::string tree_distance_text(Label vertex, float distance);
std::string lone_distance_text(Label vertex, float distance);
std::string parent_distance_text(Label vertex, Label parent, float distance);
/// For Rule::distance_span, with the distances of source and target.
std::string distance_span_text(const Edge& edge, float weight, float source, float target);
/// For Rule::weight.
std::string weight_text(const Edge& edge, float weight);
/// For Rule::spanning, appended to one_end_text(): says that the weight is the reason why the edge leaves the tree, if
/// the distance of its other end overflows. `distance` is that of the end in the tree.
std::string beyond_text(float weight, float distance);

}  // namespace breadth
