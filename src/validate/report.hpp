// Collects the broken rules that a validation finds, and makes the text of each, for processors and devices.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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
  static constexpr std::size_t max_examples = 5;

  /// Counts a case. `describe` returns its text and is only called for the first few cases.
  template <class Describe>
  void add(Rule rule, Describe&& describe) {
    auto& [count, examples] = cases_[static_cast<std::size_t>(rule)];
    if (count++ < max_examples) examples.push_back(describe());
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
inline std::string edge_outside_text(const Edge& edge, std::uint64_t labels) {
  return fmt::format("edge ({}, {}) has a label outside of the result, which has labels 0 to {}", edge.source.value,
                     edge.target.value, labels - 1);
}
/// For Rule::root, if the root is not a label of the graph.
inline std::string no_root_text(Label root) { return fmt::format("root {} is not a label of the graph", root.value); }
/// For Rule::root and Rule::parent_range.
inline std::string parent_text(Label vertex, Label parent) {
  return fmt::format("vertex {} has parent {}", vertex.value, parent.value);
}
/// For Rule::leads_to_root.
inline std::string no_way_text(Label vertex, Label parent, Label root) {
  return fmt::format("vertex {} has parent {}, but its parents do not lead to root {}", vertex.value, parent.value,
                     root.value);
}
/// For Rule::edge_span, with the levels of source and target.
inline std::string edge_span_text(const Edge& edge, std::uint64_t source_level, std::uint64_t target_level) {
  return fmt::format("edge ({}, {}) joins levels {} and {}", edge.source.value, edge.target.value, source_level,
                     target_level);
}
/// For Rule::spanning; `inside` is the end in the tree.
inline std::string one_end_text(const Edge& edge, Label inside) {
  return fmt::format("edge ({}, {}): only {} is in the tree", edge.source.value, edge.target.value, inside.value);
}
/// For Rule::tree_edge.
inline std::string no_neighbour_text(Label vertex, Label parent) {
  return fmt::format("vertex {} has parent {}, which is not its neighbour", vertex.value, parent.value);
}

/// For Rule::distance: of the root, of a vertex in the tree, of a vertex without a parent, and of a vertex whose
/// distance does not follow from any edge to its parent.
inline std::string root_distance_text(Label root, float distance) {
  return fmt::format("root {} has distance {}", root.value, distance);
}
inline std::string tree_distance_text(Label vertex, float distance) {
  return fmt::format("vertex {} in the tree has distance {}", vertex.value, distance);
}
inline std::string lone_distance_text(Label vertex, float distance) {
  return fmt::format("vertex {} without a parent has distance {}", vertex.value, distance);
}
inline std::string parent_distance_text(Label vertex, Label parent, float distance) {
  return fmt::format("vertex {} has distance {}; no edge to its parent {} gives that", vertex.value, distance,
                     parent.value);
}
/// For Rule::distance_span, with the distances of source and target.
inline std::string distance_span_text(const Edge& edge, float weight, float source, float target) {
  return fmt::format("edge ({}, {}) of weight {} joins distances {} and {}", edge.source.value, edge.target.value,
                     weight, source, target);
}
/// For Rule::weight.
inline std::string weight_text(const Edge& edge, float weight) {
  return fmt::format("edge ({}, {}) has weight {}", edge.source.value, edge.target.value, weight);
}
/// For Rule::spanning, appended to one_end_text(): says that the weight is the reason why the edge leaves the tree, if
/// the distance of its other end overflows. `distance` is that of the end in the tree.
inline std::string beyond_text(float weight, float distance) {
  if (!std::isinf(distance + weight)) return {};
  return fmt::format("; with its weight {} the other end's distance goes beyond {:.3g}, the largest that 32 bits hold",
                     weight, std::numeric_limits<float>::max());
}

}  // namespace breadth
