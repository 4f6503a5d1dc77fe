// One level from the frontier along its edges.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/graph_layout.hpp"
#include "core/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/push_ranges.hpp"
#include "traverse/push_targets.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// How pushes go about their work.
struct PushStrategy {
  /// So few edges are pushed along before a second thread has woken up. In a graph of many small levels this is all.
  std::uint64_t edges_for_one;
  /// Whether each thread takes a range of vertices to claim where that pays. Rows have to rise.
  bool in_ranges;
  NeighbourOrder rows;  ///< their order
};

/// One push level of one rank: every neighbour of a vertex in the queue that is here and not visited gets it as its
/// parent, and the owner of every other neighbour a query (Fuentes et al. 2014, fig. 1). Threads share the queue's
/// edges, not its vertices: one of them may have most.
template <class Neighbour, class Exchange>
class PushLevel {
 public:
  /// Neighbours with local ids from `end` on are left alone.
  PushLevel(SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows, const Partition& partition,
            const PushStrategy& strategy, std::size_t end, Exchange& exchange)
      : state_(state),
        rows_(rows),
        partition_(partition),
        strategy_(strategy),
        end_(end),
        exchange_(exchange),
        targets_(partition, strategy.rows, end, exchange) {}

  /// Carries it out; returns when all queries of all ranks are answered. `queue_edges` is about how many edges this
  /// rank's queue has. Collective.
  void run(std::uint64_t queue_edges, ThreadTeam& threads) {
    if (queue_edges <= strategy_.edges_for_one || threads.size() == 1) {
      push_alone();
      return;
    }
    const std::size_t edges = lay_out_edges();
    if constexpr (std::is_same_v<Exchange, NoExchange<Neighbour>>) {
      if (strategy_.in_ranges && RangedPush<Neighbour>::pays(first_edge_.size(), edges, threads)) {
        RangedPush(state_, rows_, partition_, end_).run(threads);
        return;
      }
    }
    exchanging_blocks(threads, edges, grain, exchange_,
                      [this](IndexRange range, int thread) { push_edges(range, thread); });
  }

 private:
  static constexpr std::size_t grain = 2048;

  /// Up to where a thread's queue holds vertices that were claimed for this parent.
  struct Claims {
    std::size_t end;
    Neighbour label;
  };

  /// What the queue's vertices after i need: first where the row is, later the row and the vertex's label. Not left to
  /// the compiler to inline: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch_row(std::span<const std::uint32_t> queue, std::size_t i) const {
    constexpr std::size_t ahead = 16;
    if (i + ahead >= queue.size()) return;
    const std::uint32_t vertex = queue[i + ahead];
    __builtin_prefetch(rows_.neighbours.data() + rows_.offsets[vertex]);
    __builtin_prefetch(partition_.offset_of_local().data() + vertex);
    if (i + 2 * ahead < queue.size()) __builtin_prefetch(rows_.offsets.data() + queue[i + 2 * ahead]);
  }

  void push_alone() {
    auto& tally = state_.tally(0);
    const auto& queue = state_.queue();
    std::uint64_t edges = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      prefetch_row(queue, i);
      const LocalVertex vertex{queue[i]};
      const auto row = rows_.row(vertex);
      const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
      targets_.for_each_own(row, label, 0,
                            [&](std::span<const Neighbour> own) { state_.visit_alone(own, label, tally); });
      if ((edges + row.size()) / grain > edges / grain) exchange_.progress();
      edges += row.size();
    }
    tally.edges_examined += edges;
    exchange_.finish();
  }

  /// Puts the queue's edges one after the other and returns how many they are.
  std::size_t lay_out_edges() {
    constexpr std::size_t ahead = 16;
    const auto& queue = state_.queue();
    first_edge_.resize(queue.size());
    std::size_t edges = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (i + ahead < queue.size()) __builtin_prefetch(&rows_.offsets[queue[i + ahead]]);
      first_edge_[i] = edges;
      edges += rows_.degree(LocalVertex{queue[i]});
    }
    return edges;
  }

  /// Pushes along these of the queue's edges. Parents are written after the last claim: a claim, being atomic, would
  /// wait for the parent before it to reach memory.
  void push_edges(IndexRange edges, int thread) {
    auto& tally = state_.tally(thread);
    std::array<Claims, grain> rows;  // of each row that is begun
    std::size_t row_count = 0;
    std::size_t claimed = tally.found.size();
    const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), edges.begin);
    for (auto i = static_cast<std::size_t>(after - first_edge_.begin()) - 1;
         i < first_edge_.size() && first_edge_[i] < edges.end; ++i) {
      prefetch_row(state_.queue(), i);
      const LocalVertex vertex{state_.queue()[i]};
      const auto row = rows_.row(vertex);
      const std::size_t begin = std::max(edges.begin, first_edge_[i]) - first_edge_[i];
      const std::size_t end = std::min(edges.end - first_edge_[i], row.size());
      if (begin == end) continue;
      const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
      push_row(row.subspan(begin, end - begin), label, thread);
      rows[row_count++] = {tally.found.size(), label};
    }
    for (const Claims& row : std::span(rows).first(row_count)) {
      for (; claimed < row.end; ++claimed) state_.parents()[tally.found[claimed]] = row.label;
    }
    tally.edges_examined += edges.size();
  }

  void push_row(std::span<const Neighbour> row, Neighbour label, int thread) {
    targets_.for_each_own(row, label, thread, [&](std::span<const Neighbour> own) {
      for (const Neighbour target : own) state_.claim(static_cast<std::uint32_t>(target), state_.tally(thread));
    });
  }

  SearchState<Neighbour>& state_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  PushStrategy strategy_;
  std::size_t end_;
  Exchange& exchange_;
  PushTargets<Neighbour, Exchange> targets_;
  std::vector<std::size_t> first_edge_;  ///< of each vertex in the queue, among the queue's edges
};

}  // namespace breadth
