// Breadth-first searches in the order of networkx, on the calling thread. Those that need no order are the engine's.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "networkx/rows.hpp"

namespace breadth::python {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// What a search visits, level by level: level i is nodes[begins[i]] … nodes[begins[i + 1] - 1].
struct OrderedTree {
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> parents;  ///< of each of them, -1 for sources
  std::vector<std::int64_t> begins;
};

/// Visits neighbours in the order of the rows up to a depth. Sources are distinct. Nothing where it would look at more
/// than `budget` neighbours. O(what it visits), and a byte of address space for each node.
std::optional<OrderedTree> ordered_bfs(const Rows& rows, std::span<const std::int32_t> sources,
                                       std::int64_t max_depth = no_limit, std::int64_t budget = no_limit);

/// Puts the nodes of each level into the order of the graph. Their parents are lost.
void order_levels(OrderedTree& tree, std::size_t node_count);

/// The same of the levels of all nodes, -1 for those that are not reached. O(nodes + levels).
OrderedTree by_level(std::span<const std::int64_t> levels);

/// For each of some nodes, those before it: the ones of nodes[i] are nodes[starts[i]] … of the second array.
struct Predecessors {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> nodes;
};

/// All nodes before each of a tree's on shortest paths, in the order in which a search meets them.
Predecessors predecessors(const Rows& rows, const OrderedTree& tree);

/// The path between different nodes on which networkx's searches from both ends meet; columns are the rows of the graph
/// turned round. Empty where there is none.
std::vector<std::int32_t> meeting_path(const Rows& rows, const Rows& columns, std::int32_t source, std::int32_t target);

/// Two colours, 0 and 1, such that neighbours differ, and nodes in the order in which they get them.
struct Colors {
  std::vector<std::int32_t> nodes;
  std::vector<std::uint8_t> colors;  ///< of each of them
};

/// As networkx colours them, those without edges last. Ends at the first edge whose ends have the same colour, with
/// nothing. `columns` is nullptr where edges have no direction.
std::optional<Colors> two_colors(const Rows& rows, const Rows* columns);

}  // namespace breadth::python
