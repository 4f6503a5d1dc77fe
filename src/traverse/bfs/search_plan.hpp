// What a search makes of its graph and options once, before the first key: when it pulls, how it pushes, and where in
// the order of degrees leaves begin.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/policy/search.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/replication/replicated_frontier.hpp"

namespace breadth {

// Directions.

/// Whether no vertex has many times as many edges as an average one, as far as the order of vertices and rows tells.
/// Then no neighbour is much likelier than another to be in the frontier, and a pull looks at most of each row: it pays
/// later. Collective.
template <class Adjacencies>
bool rows_are_alike(const Graph& graph, const Adjacencies& adjacencies, const Communicator& ranks) {
  constexpr double many = 4;
  const Partition& partition = graph.partition();
  if (graph.layout().order != VertexOrder::degree || partition.hubs().end() > 0) return false;
  const std::uint64_t own = partition.local_count() == 0 ? 0 : adjacencies.total_degree(LocalVertex{0});
  const auto longest = static_cast<double>(ranks.all_reduce(own, Reduction::maximum));
  const double ends = 2 * static_cast<double>(graph.edge_count());
  return longest * static_cast<double>(graph.connected_vertices()) < many * ends;
}

/// The rule for such rows.
inline DirectionRule where_rows_are_alike(DirectionRule rule) {
  constexpr double later = 2;  // benchmarks/results/bfs.md, "Rows that are alike"
  rule.alpha = std::max(DirectionRule::alphas.least, rule.alpha / later);
  return rule;
}

/// The rule for a graph. Collective.
template <class Adjacencies>
DirectionRule direction_rule(const Graph& graph, const Adjacencies& adjacencies, const DirectionRule& rule,
                             const Communicator& ranks) {
  return rows_are_alike(graph, adjacencies, ranks) ? where_rows_are_alike(rule) : rule;
}

// Pushes and pulls.

/// How pushes go about their work.
struct PushStrategy {
  /// So few edges are pushed along before the other threads have woken up and the last of them is done.
  std::uint64_t edges_for_one;
  /// Whether each thread takes a range of vertices to claim where that pays. Rows have to rise.
  bool in_ranges;
  /// Whether vertices are in the order of degrees: one of them bounds the rows of those after it.
  bool by_degree;
  NeighbourOrder rows;  ///< their order
};
inline PushStrategy push_strategy(const Graph& graph, const BfsOptions& options, const ThreadTeam& threads) {
  const GraphLayout& layout = graph.layout();
  return {.edges_for_one = options.small_level * static_cast<std::uint64_t>(threads.size()),
          .in_ranges = options.push_ranges && layout.neighbours == NeighbourOrder::vertices,
          .by_degree = layout.order == VertexOrder::degree,
          .rows = layout.neighbours};
}

/// What pulls have for the frontier; one rank alone looks into its own.
inline FrontierOptions frontier_options(const BfsOptions& options, const Communicator& ranks) {
  const bool replicated = ranks.size() == 1 || options.pull == PullPolicy::replicated;
  return {options.summary, options.replication, replicated};
}

// Vertices by how many edges they have, in the order of degrees.

/// The first local id, the same on all ranks, from which on every vertex has one edge and is no hub. Nothing leads on
/// from a leaf, so a search can leave them to one last pass; unless it ends at some depth, which that pass would not
/// know. In the order of labels leaves are everywhere. no_local_vertex if there is no such pass. Collective.
template <class Adjacencies>
std::size_t find_first_leaf(const Graph& graph, const Adjacencies& adjacencies, const BfsOptions& options,
                            const Communicator& ranks) {
  const bool together = graph.layout().order == VertexOrder::degree;
  if (!together || !options.leaves_last || options.max_depth != INT64_MAX) return no_local_vertex.value;
  const Partition& partition = graph.partition();
  const std::size_t first =
      first_with_at_most(1, {partition.hubs().end(), partition.local_count()},
                         [&adjacencies](LocalVertex vertex) { return adjacencies.total_degree(vertex); });
  return ranks.all_reduce(std::uint64_t{first}, Reduction::maximum);
}

/// From there on all neighbours of a vertex are in columns.
template <class Rows>
std::size_t find_rows_end(const Graph& graph, const IndexedAdjacencies<Rows>& adjacencies) {
  const std::size_t count = graph.partition().local_count();
  if (graph.layout().order != VertexOrder::degree) return count;
  return first_with_at_most(adjacencies.leading.size(), {graph.partition().hubs().end(), count},
                            [&adjacencies](LocalVertex vertex) { return adjacencies.total_degree(vertex); });
}

}  // namespace breadth
