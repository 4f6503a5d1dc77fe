// Breadth-first searches in the order of networkx, on the calling thread. The engine runs searches that need no order.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "networkx/rows.hpp"

namespace breadth::python {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// The nodes that a search visits, level by level: level i is nodes[begins[i]] … nodes[begins[i + 1] - 1].
struct OrderedTree {
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> parents;  ///< the parent of each node, -1 for sources
  std::vector<std::int64_t> begins;
};

/// Visits neighbours in the order of the rows, up to a depth. Sources must be distinct. Returns nothing if it would
/// examine more than `budget` neighbours. O(visited nodes and edges), and a byte of address space for each node.
std::optional<OrderedTree> ordered_bfs(const Rows& rows, std::span<const std::int32_t> sources,
                                       std::int64_t max_depth = no_limit, std::int64_t budget = no_limit);

/// Puts the nodes of each level into the order of the graph. The parents are lost.
void order_levels(OrderedTree& tree, std::size_t node_count);

/// The tree, in this order and without parents, for the levels of all nodes, -1 for unreached ones. O(nodes + levels).
OrderedTree by_level(std::span<const std::int64_t> levels);

/// The predecessors of some nodes. Those of the i-th node begin at starts[i] of the second array.
struct Predecessors {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> nodes;
};

/// All predecessors on shortest paths of each node of a tree, in the order in which a search meets them.
Predecessors predecessors(const Rows& rows, const OrderedTree& tree);

/// The path between two different nodes on which networkx's searches from both ends meet; empty if there is none.
/// `columns` are the rows of the reversed graph.
std::vector<std::int32_t> meeting_path(const Rows& rows, const Rows& columns, std::int32_t source, std::int32_t target);

/// A colouring with 0 and 1 in which neighbours differ, with nodes in the order in which they are coloured.
struct Colors {
  std::vector<std::int32_t> nodes;
  std::vector<std::uint8_t> colors;  ///< the colour of each node
};

/// Colours nodes as networkx does, those without edges last. Returns nothing at the first edge whose ends have one
/// colour. `columns` is nullptr for an undirected graph.
std::optional<Colors> two_colors(const Rows& rows, const Rows* columns);

}  // namespace breadth::python
