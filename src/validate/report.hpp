// How a validation collects what it finds, and the text of each broken rule, of processors and of devices.
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

// Cases.

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
