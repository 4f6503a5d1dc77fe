// What a search derives from its graph and options before the first key: when it pulls, how it pushes, and where leaves
// begin in the order of degrees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/policy/search.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/edge_estimates.hpp"
#include "traverse/replication/replicated_frontier.hpp"

namespace breadth {

// Directions.

/// Whether no vertex has many times the average degree, as far as the order of vertices shows. Then no neighbour is
/// much likelier than others to be in the frontier, and a pull examines most of each row, so that it pays later.
/// Collective.
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

/// The direction rule for graphs whose rows are alike.
inline DirectionRule where_rows_are_alike(DirectionRule rule) {
  constexpr double later = 2;  // benchmarks/results/bfs.md, "Rows that are alike"
  rule.alpha = std::max(DirectionRule::alphas.minimum, rule.alpha / later);
  return rule;
}

/// The direction rule for a graph. Collective.
template <class Adjacencies>
DirectionRule direction_rule(const Graph& graph, const Adjacencies& adjacencies, const DirectionRule& rule,
                             const Communicator& ranks) {
  return rows_are_alike(graph, adjacencies, ranks) ? where_rows_are_alike(rule) : rule;
}

// Pushes and pulls.

/// How pushes divide their work.
struct PushStrategy {
  static constexpr std::size_t grain = 2048;             ///< vertices or edges that a thread takes at a time, at most
  static constexpr std::size_t edges_of_short_row = 64;  ///< at most
  static constexpr std::size_t long_queue = 4096;        ///< vertices, at least

  std::uint64_t edges_for_one;  ///< a level with at most so many edges runs on one thread, to wake no others
  bool in_ranges;               ///< threads may take ranges of target vertices; rows must be sorted
  bool by_degree;               ///< vertices are in the order of degrees, so that one bounds the rows of the next ones
  NeighbourOrder rows;          ///< the order of neighbours in rows

  /// How many of the queue's vertices make a block, or 0 if blocks of vertices would be uneven work. They are even if
  /// all rows are short, or if the queue is long and no row has more than an eighth of a thread's edges.
  template <class Rows>
  [[nodiscard]] std::size_t vertices_per_block(std::span<const std::uint32_t> queue, std::uint64_t queue_edges,
                                               const Rows& adjacency, const Hubs& hubs, int threads) const {
    if (!by_degree || queue.empty()) return 0;
    const LocalVertex first{least_of(queue)};
    if (hubs.contains(first)) return 0;
    const std::size_t longest = adjacency.degree(first);
    const auto team = static_cast<std::size_t>(threads);
    const auto in_blocks = [&](std::size_t blocks_per_thread) {
      return std::clamp<std::size_t>(queue.size() / (blocks_per_thread * team), 32, grain);
    };
    if (longest <= edges_of_short_row) return in_blocks(2);
    return queue.size() >= long_queue && longest * 8 * team <= queue_edges ? in_blocks(32) : 0;
  }
};
inline PushStrategy push_strategy(const Graph& graph, const BfsOptions& options, const ThreadTeam& threads) {
  const GraphLayout& layout = graph.layout();
  return {.edges_for_one = options.small_level * static_cast<std::uint64_t>(threads.size()),
          .in_ranges = options.push_ranges && layout.neighbours == NeighbourOrder::vertices,
          .by_degree = layout.order == VertexOrder::degree,
          .rows = layout.neighbours};
}

/// The form of the frontier for pulls. One rank alone uses its own visited bits.
inline FrontierOptions frontier_options(const BfsOptions& options, const Communicator& ranks) {
  const bool replicated = ranks.size() == 1 || options.pull == PullPolicy::replicated;
  return {options.summary, options.replication, replicated};
}

// Vertices by how many edges they have, in the order of degrees.

/// The local id, the same on all ranks, from which on all vertices are leaves: have one edge and are no hubs. No path
/// goes on from a leaf, so that a search can visit leaves in one last pass. Returns no_local_vertex if it may not: in
/// the order of labels, where leaves are everywhere, and for searches up to a depth, which the last pass does not know.
/// Collective.
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

/// The local id from which on vertices have all their neighbours in columns.
template <class Rows>
std::size_t find_rows_end(const Graph& graph, const IndexedAdjacencies<Rows>& adjacencies) {
  const std::size_t count = graph.partition().local_count();
  if (graph.layout().order != VertexOrder::degree) return count;
  return first_with_at_most(adjacencies.head.size(), {graph.partition().hubs().end(), count},
                            [&adjacencies](LocalVertex vertex) { return adjacencies.total_degree(vertex); });
}

}  // namespace breadth
