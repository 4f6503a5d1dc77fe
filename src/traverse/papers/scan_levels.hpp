// Levels of a search on scanned lists.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/search.hpp"
#include "graph/forms/paper_adjacencies.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/message_pull.hpp"
#include "traverse/bfs/push.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// The levels of a search on a scanned list (graph/forms/paper_adjacencies.hpp). A push picks out the rows of the
/// frontier. A pull picks out the rows of unvisited vertices and searches each up to the first neighbour in the
/// frontier bits (Checconi & Petrini 2014, algorithm 3). Threads share the list in sections of equal size. O(n / 64)
/// and the edges of the rows wanted, plus whatever else the list cannot skip.
template <class List, class Exchange>
class ScanLevels {
 public:
  using Neighbour = typename List::Neighbour;
  static constexpr bool can_start_from_several = false;
  static constexpr bool can_follow = false;

  /// State, adjacencies, graph and context must outlive the levels.
  ScanLevels(SearchState<Neighbour>& state, const ScannedAdjacencies<List>& adjacencies, const Graph& graph,
             const BfsOptions&, const Context& context)
      : state_(state),
        adjacencies_(adjacencies),
        partition_(graph.partition()),
        neighbours_(graph.layout().neighbours),
        labels_(graph.contents().labels),
        threads_(context.threads),
        frontier_(partition_.local_count()),
        earlier_(partition_.local_count()) {}

  /// Begins a search. Its source must have been visited.
  void start() {
    earlier_.clear();
    frontier_edges_ = 0;
    unvisited_edges_ = adjacencies_.edges();
    take_frontier();
  }

  /// Does nothing: the frontier always has the form that a level needs.
  void prepare_push() {}
  /// Visits the frontier's neighbours with local ids below `end`; those on other ranks when the exchange is finished.
  void push(std::size_t end, Exchange& exchange) {
    const List& list = adjacencies_.push_list();
    const PushTargets<Neighbour, Exchange> targets(partition_, neighbours_, end, exchange);
    const IndexRange sections = list.sections({0, std::min(end, partition_.local_count())});
    const auto frontier = [this](std::size_t word) { return frontier_.words()[word]; };
    scanning_blocks(threads_, sections.size(), 1, exchange, [&](IndexRange range, int thread) {
      list.scan(sections.begin + range.begin, frontier,
                [&](LocalVertex vertex, std::span<const Neighbour> row) { push_row(vertex, row, targets, thread); });
    });
  }

  /// Carries out no fused levels, because scans are too long for these.
  bool push_fused(std::size_t, Exchange&, std::int64_t, std::vector<LevelStatistics>&) { return false; }

  /// Visits those of `vertices` that have a neighbour in the frontier bits.
  void pull(IndexRange vertices) { pull_into(vertices); }
  /// Visits those of `vertices` that have a neighbour in the frontier. Asks the owners of neighbours by message.
  /// Collective.
  void pull(IndexRange vertices, MessagePull<Neighbour>& messages) {
    messages.visit_list(adjacencies_.pull_list(), vertices,
                        [&](std::size_t word) { return unvisited(vertices, word); });
  }
  /// Visits the vertices in [begin, end) whose only neighbour is in the frontier bits.
  void visit_leaves(std::size_t begin, std::size_t end) { pull_into({begin, end}); }

  /// Ends a level: the vertices that it claimed become the frontier.
  void end_level(Direction, std::uint64_t) {
    state_.forget_found();
    take_frontier();
  }

  /// The number of edges of this rank's frontier.
  [[nodiscard]] std::uint64_t frontier_edges() const { return frontier_edges_; }
  /// The number of edges of this rank's unvisited vertices and of its frontier.
  [[nodiscard]] std::uint64_t unvisited_edges() const { return unvisited_edges_; }

 private:
  /// Makes the vertices visited since the last call the frontier.
  void take_frontier() {
    constexpr std::size_t words_per_block = 1024;
    unvisited_edges_ -= frontier_edges_;
    frontier_edges_ = parallel_sum(threads_, frontier_.words().size(), words_per_block,
                                   [this](std::size_t word) { return take_word(word); });
  }
  /// Does so for the 64 vertices of a word. Returns the number of their edges.
  std::uint64_t take_word(std::size_t word) {
    const std::uint64_t visited = state_.visited().words()[word];
    const std::uint64_t found = visited & ~earlier_.words()[word];
    frontier_.words()[word] = found;
    earlier_.words()[word] = visited;
    std::uint64_t edges = 0;
    for_each_set_bit(found, word * bits_per_word, [&](std::size_t vertex) {
      edges += adjacencies_.degree(LocalVertex{static_cast<std::uint32_t>(vertex)});
    });
    return edges;
  }

  void push_row(LocalVertex vertex, std::span<const Neighbour> row, const PushTargets<Neighbour, Exchange>& targets,
                int thread) {
    Tally<Neighbour>& tally = state_.tally(thread);
    const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
    targets.for_each_own(row, label, thread,
                         [&](std::span<const Neighbour> own) { visit_among_threads(state_, own, label, tally); });
    tally.edges_examined += row.size();
  }

  /// The unvisited ones of `vertices` in one word.
  [[nodiscard]] std::uint64_t unvisited(IndexRange vertices, std::size_t word) {
    // Other threads visit vertices of the same words.
    const std::atomic_ref<std::uint64_t> visited(state_.visited().words()[word]);
    return ~visited.load(std::memory_order_relaxed) & bits_below(vertices.end, word) &
           ~bits_below(vertices.begin, word);
  }

  void pull_into(IndexRange vertices) {
    const List& list = adjacencies_.pull_list();
    const IndexRange sections = list.sections(vertices);
    const auto wanted = [&](std::size_t word) { return unvisited(vertices, word); };
    std::visit(
        [&](auto frontier) {
          parallel_blocks(threads_, sections.size(), 1, [&](IndexRange range, int thread) {
            Tally<Neighbour>& tally = state_.tally(thread);
            list.scan(sections.begin + range.begin, wanted, [&](LocalVertex vertex, std::span<const Neighbour> row) {
              pull_row(vertex, row, frontier, tally);
            });
          });
        },
        state_.replicated().view());
  }

  template <class Bits>
  void pull_row(LocalVertex vertex, std::span<const Neighbour> row, Bits frontier, Tally<Neighbour>& tally) {
    const auto parent =
        std::find_if(row.begin(), row.end(), [&](Neighbour global_id) { return frontier.contains(global_id); });
    tally.edges_examined += static_cast<std::uint64_t>(parent - row.begin()) + (parent == row.end() ? 0 : 1);
    if (parent == row.end() || !state_.visited().insert_atomic(vertex.index())) return;
    state_.set_parent(vertex.value, *parent, labels_, tally);
    ++tally.claimed;
  }

  SearchState<Neighbour>& state_;
  const ScannedAdjacencies<List>& adjacencies_;
  const Partition& partition_;
  NeighbourOrder neighbours_;
  const LabelLookup& labels_;
  ThreadTeam& threads_;
  Bitmap frontier_;  ///< of this rank
  Bitmap earlier_;   ///< vertices visited up to the frontier, included
  std::uint64_t frontier_edges_ = 0;
  std::uint64_t unvisited_edges_ = 0;
};

}  // namespace breadth
