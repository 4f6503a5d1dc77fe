// What checking the tree of a search on a device finds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/phases/array_view.hpp"

namespace breadth::gpu {

/// The rules of the specification, under the names of validate/report.hpp; what a distance can be wrong by are rules of
/// their own here. Distances and weights are given by their bits.
enum TreeRule : std::uint32_t {
  covers_edge_list,  ///< a case is source, target
  root,              ///< label, parent
  parent_range,      ///< label, parent
  leads_to_root,     ///< label, parent
  edge_span,         ///< source, target, and their levels
  spanning,          ///< source, target, the one of them in the tree; of shortest paths, the weight and its distance
  tree_edge,         ///< label, parent
  root_distance,     ///< the root, distance
  tree_distance,     ///< label in the tree, distance
  lone_distance,     ///< label without a parent, distance
  parent_distance,   ///< label, parent, distance: no edge between them gives that
  distance_span,     ///< source, target, weight, and their distances
  weight,            ///< source, target, weight
  tree_rules
};

/// Cases of each rule that are kept, and the numbers of each.
inline constexpr std::uint32_t most_cases = 5;
inline constexpr std::uint32_t case_numbers = 5;

/// The level of a label outside the tree.
inline constexpr std::uint32_t no_tree_level = ~std::uint32_t{0};

/// Broken rules as phases count them.
struct CaseView {
  ArrayView<std::uint64_t> counts;   ///< one a rule
  ArrayView<std::uint32_t> numbers;  ///< of most_cases cases a rule, case_numbers each
};

/// What was found of one search.
struct TreeFindings {
  struct Broken {
    std::uint64_t count = 0;
    std::vector<std::array<std::uint32_t, case_numbers>> cases;  ///< the first ones, most_cases at the most
  };
  std::array<Broken, tree_rules> broken;
  std::uint64_t reached = 0;          ///< vertices in the tree, the root among them
  std::uint64_t depth = 0;            ///< the deepest level
  std::uint64_t traversed_edges = 0;  ///< tuples with both ends in the tree
};

}  // namespace breadth::gpu
