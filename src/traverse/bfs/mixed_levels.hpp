// Whether a pull pays on one rank, and which rows it leaves to a push.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/search.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/edge_estimates.hpp"
#include "traverse/bfs/ranged_push.hpp"
#include "traverse/bfs/search_plan.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// The size of a frontier.
struct FrontierSize {
  std::size_t vertices;
  std::uint64_t edges;            ///< an estimate
  std::uint64_t unvisited_edges;  ///< an estimate: edges of unvisited vertices and of the frontier
};

/// Levels on one rank that both pull and push. Vertices with short rows stand together at the end of the order by
/// degree. If the frontier is small, a pull scans most of these rows to their ends in vain. If it also consists of few
/// vertices with many neighbours, a push finds the same vertices in the frontier's rows, in which they are a small
/// part.
template <class Neighbour>
class MixedLevels {
 public:
  /// All arguments except the options outlive this. Vertices from `rows_end` on have all their neighbours in columns.
  MixedLevels(SearchState<Neighbour>& state, const IndexedAdjacencies<Adjacency<Neighbour>>& adjacencies,
              const Partition& partition, std::size_t rows_end, const PushStrategy& pushes, const BfsOptions& options,
              ThreadTeam& threads)
      : state_(state),
        rows_(adjacencies.pull_rows()),
        push_rows_(adjacencies.push_rows()),
        partition_(partition),
        threads_(threads),
        sampled_rows_(rows_),
        short_rows_{rows_end, rows_end} {
    const bool may_mix = options.mixed_levels && options.direction.may_choose();
    if (!may_mix || !pushes.in_ranges || !pushes.by_degree) return;
    short_rows_.begin = first_with_at_most(PushStrategy::edges_of_short_row, {0, rows_end},
                                           [&](LocalVertex vertex) { return adjacencies.total_degree(vertex); });
  }

  /// Whether a pull of the first so many vertices takes less time than a push from the frontier.
  [[nodiscard]] bool pull_pays(const FrontierSize& frontier, std::size_t vertices) const {
    constexpr double pull_edges_for_push_edge = 1.2;
    if (frontier.edges > frontier.unvisited_edges / 2 || left_to_push(frontier, {0, vertices}).size() > 0) return true;
    const std::uint64_t pull_edges = sampled_rows_.edges_of_pull(state_, vertices);
    return static_cast<double>(pull_edges) < pull_edges_for_push_edge * static_cast<double>(frontier.edges);
  }

  /// The vertices among `vertices` whose rows, beyond the columns, a pull leaves to a push; often none.
  [[nodiscard]] IndexRange left_to_push(const FrontierSize& frontier, IndexRange vertices) const {
    constexpr std::uint64_t small = 8;
    const IndexRange rows{std::max(short_rows_.begin, vertices.begin), std::min(short_rows_.end, vertices.end)};
    if (rows.begin >= rows.end || frontier.edges > frontier.unvisited_edges / small) return none;
    // As many edges lead to a vertex as stand in its row.
    const double share = static_cast<double>(rows_.entries(rows)) / static_cast<double>(rows_.entries());
    const auto edges = static_cast<std::size_t>(share * static_cast<double>(frontier.edges));
    return RangedPush<Neighbour>::pays(frontier.vertices, edges, threads_) ? rows : none;
  }
  /// What left_to_push() returns where a pull leaves no rows.
  static constexpr IndexRange none{SIZE_MAX, SIZE_MAX};

  /// Visits those of the vertices that have a neighbour in the state's queue.
  void push_to(IndexRange vertices) {
    RangedPush(state_, push_rows_, partition_, vertices).run(threads_);
    state_.forget_found();
  }

 private:
  SearchState<Neighbour>& state_;
  const Adjacency<Neighbour>& rows_;
  const Adjacency<Neighbour>& push_rows_;
  const Partition& partition_;
  ThreadTeam& threads_;
  SampledRows<Neighbour> sampled_rows_;
  IndexRange short_rows_;  ///< empty where levels may not mix
};

}  // namespace breadth
