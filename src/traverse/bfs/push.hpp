// A push level (top-down): from the frontier along its edges.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/edge_push.hpp"
#include "traverse/bfs/push_visits.hpp"
#include "traverse/bfs/ranged_push.hpp"
#include "traverse/bfs/search_plan.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/visited_copies.hpp"

namespace breadth {

/// One push level of one rank. Each unvisited neighbour of a queue vertex gets that vertex as its parent; if another
/// rank owns the neighbour, its owner gets a query (Fuentes et al. 2014, fig. 1). Threads divide the queue's vertices
/// if all rows are short, or if there are many and none is long. Otherwise they divide its edges, because one row may
/// have most.
template <class Rows, class Exchange>
class PushLevel {
  using Neighbour = typename Rows::Neighbour;
  using Row = typename RowFinder<Rows>::Row;

 public:
  /// Ignores neighbours with local ids from `end` on.
  PushLevel(SearchState<Neighbour>& state, const RowFinder<Rows>& finder, const Partition& partition,
            const PushStrategy& strategy, std::size_t end, Exchange& exchange)
      : state_(state),
        rows_(finder.rows()),
        finder_(finder),
        partition_(partition),
        strategy_(strategy),
        end_(end),
        exchange_(exchange),
        targets_(partition, strategy.rows, end, exchange) {}

  /// Carries out the level except for the end of the exchange. `queue_edges` is an estimate of the queue's edges. If
  /// there are `copies`, threads visit in them where that pays.
  void run(std::uint64_t queue_edges, VisitedCopies* copies, ThreadTeam& threads) {
    if (queue_edges <= strategy_.edges_for_one) return run_alone();
    const std::size_t vertices =
        strategy_.vertices_per_block(state_.queue(), queue_edges, rows_, partition_.hubs(), threads.size());
    const bool is_apart = is_alone && copies != nullptr && copies->pay(queue_edges);
    if constexpr (is_alone) {
      if (vertices > 0 && is_apart) return run_apart(vertices, *copies, threads);
    }
    if (threads.size() == 1) return run_alone();
    if (vertices > 0) {
      run_in_blocks(vertices, threads, [this](auto queue, int thread) { push_vertices(queue, thread); });
      return;
    }
    EdgePush push(state_, rows_, partition_, targets_);
    if constexpr (is_alone && std::is_same_v<Rows, Adjacency<Neighbour>>) {
      if (strategy_.in_ranges && RangedPush<Neighbour>::pays(state_.queue().size(), push.edges(), threads)) {
        RangedPush(state_, rows_, partition_, {0, end_}).run(threads);
        return;
      }
    }
    if constexpr (is_alone) {
      const bool is_long =
          state_.queue().size() >= PushStrategy::long_queue;  // a few long rows are faster in one bitmap
      if (is_long && is_apart) return push.run_apart(PushStrategy::grain, *copies, exchange_, threads);
    }
    push.run(PushStrategy::grain, exchange_, threads);
  }

  /// Carries out the level on the calling thread alone.
  void run_alone() { push_from<Visitors::one>(state_.queue(), state_.visited(), 0); }

  /// Pushes from some vertices on one thread, beside other threads.
  void push_vertices(std::span<const std::uint32_t> queue, int thread) {
    push_from<Visitors::several>(queue, state_.visited(), thread);
  }

 private:
  static constexpr std::size_t ahead = 32;  ///< how many rows are prefetched
  /// Whether there are no other ranks.
  static constexpr bool is_alone = std::is_same_v<Exchange, NoExchange<Neighbour>>;

  /// Calls body(vertices, thread) for blocks of so many vertices of the queue.
  void run_in_blocks(std::size_t vertices, ThreadTeam& threads,
                     FunctionRef<void(std::span<const std::uint32_t>, int)> body) {
    scanning_blocks(threads, state_.queue().size(), vertices, exchange_, [&](IndexRange range, int thread) {
      body(std::span(state_.queue()).subspan(range.begin, range.size()), thread);
    });
  }
  void run_apart(std::size_t vertices, VisitedCopies& copies, ThreadTeam& threads) {
    copies.visit(state_, [&] {
      run_in_blocks(vertices, threads, [&](std::span<const std::uint32_t> queue, int thread) {
        push_from<Visitors::apart>(queue, copies.of(thread), thread);
      });
    });
  }

  template <Visitors who>
  void push_from(std::span<const std::uint32_t> queue, Bitmap& visited, int thread) {
    auto& tally = state_.tally(thread);
    PushVisits<Neighbour, who> visits(state_, visited, tally);
    std::uint64_t edges = 0;
    for_each_row(
        queue, [&](const Row& row, Neighbour label) __attribute__((always_inline)) {
          finder_.for_each_span(
              row, [&](std::span<const Neighbour> some) __attribute__((always_inline)) {
                targets_.for_each_own(
                    some, label, thread, [&](std::span<const Neighbour> own) __attribute__((always_inline)) {
                      visits.add(own, label);
                    });
              });
          if (!is_alone && who == Visitors::one &&
              (edges + row.size()) / PushStrategy::grain > edges / PushStrategy::grain)
            exchange_.progress();
          edges += row.size();
        });
    visits.write();
    tally.edges_examined += edges;
  }

  /// Calls body(row, label) for each vertex of a queue in turn. Prefetches first what finds the row, then the row and
  /// the label.
  template <class Body>
  [[gnu::always_inline]] void for_each_row(std::span<const std::uint32_t> queue, Body&& body) const {
    std::array<Row, ahead> found;
    const auto find = [&](std::size_t i) __attribute__((always_inline)) {
      const LocalVertex vertex{queue[i]};
      const Row row = finder_.find(vertex);
      found[i % ahead] = row;
      finder_.prefetch(row);
      __builtin_prefetch(partition_.offset_of_local().data() + vertex.index());
      if (i + ahead < queue.size()) finder_.prefetch_index(LocalVertex{queue[i + ahead]});
    };
    for (std::size_t i = 0; i < std::min(ahead, queue.size()); ++i) find(i);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Row row = found[i % ahead];
      if (i + ahead < queue.size()) find(i + ahead);
      body(row, static_cast<Neighbour>(partition_.label(LocalVertex{queue[i]}).value));
    }
  }

  SearchState<Neighbour>& state_;
  const Rows& rows_;
  const RowFinder<Rows>& finder_;
  const Partition& partition_;
  PushStrategy strategy_;
  std::size_t end_;
  Exchange& exchange_;
  PushTargets<Neighbour, Exchange> targets_;
};

}  // namespace breadth
