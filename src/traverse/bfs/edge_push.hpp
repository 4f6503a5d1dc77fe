// A push whose threads divide the queue's edges and not its vertices, because one vertex may have most of the edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/push_visits.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/visited_copies.hpp"

namespace breadth {

/// A push of one level. Numbers the queue's edges consecutively; threads take blocks of these numbers.
template <class Rows, class Exchange>
class EdgePush {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All arguments outlive the push. O(queue) on the calling thread.
  EdgePush(SearchState<Neighbour>& state, const Rows& rows, const Partition& partition,
           const PushTargets<Neighbour, Exchange>& targets)
      : state_(state), rows_(rows), partition_(partition), targets_(targets), first_edge_(state.queue().size()) {
    const auto& queue = state_.queue();
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (i + ahead < queue.size()) rows_.prefetch_index(LocalVertex{queue[i + ahead]});
      first_edge_[i] = edges_;
      edges_ += rows_.degree(LocalVertex{queue[i]});
    }
  }

  /// How many edges the queue has.
  [[nodiscard]] std::size_t edges() const noexcept { return edges_; }

  /// Pushes along all edges, in blocks of `grain` edges.
  void run(std::size_t grain, Exchange& exchange, ThreadTeam& threads) {
    scanning_blocks(threads, edges_, grain, exchange,
                    [this](IndexRange range, int thread) { push<Visitors::several>(range, state_.visited(), thread); });
  }
  /// Pushes on one rank, where each thread visits in its copy.
  void run_apart(std::size_t grain, VisitedCopies& copies, Exchange& exchange, ThreadTeam& threads) {
    copies.visit(state_, [&] {
      scanning_blocks(threads, edges_, grain, exchange,
                      [&](IndexRange range, int thread) { push<Visitors::apart>(range, copies.of(thread), thread); });
    });
  }

 private:
  static constexpr std::size_t ahead = 32;  ///< how many rows are prefetched

  /// Pushes along these of the queue's edges.
  template <Visitors who>
  void push(IndexRange edges, Bitmap& visited, int thread) {
    auto& tally = state_.tally(thread);
    PushVisits<Neighbour, who> visits(state_, visited, tally);
    const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), edges.begin);
    for (auto i = static_cast<std::size_t>(after - first_edge_.begin()) - 1;
         i < first_edge_.size() && first_edge_[i] < edges.end; ++i) {
      prefetch_row(i);
      const LocalVertex vertex{state_.queue()[i]};
      const std::size_t begin = std::max(edges.begin, first_edge_[i]) - first_edge_[i];
      const std::size_t end = std::min(edges.end - first_edge_[i], rows_.degree(vertex));
      if (begin == end) continue;
      const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
      rows_.for_each_span(vertex, {begin, end}, [&](std::span<const Neighbour> some) {
        targets_.for_each_own(some, label, thread, [&](std::span<const Neighbour> own) { visits.add(own, label); });
      });
    }
    visits.write();
    tally.edges_examined += edges.size();
  }

  /// Prefetches what pushes from the queue's vertices after i read.
  [[gnu::always_inline]] void prefetch_row(std::size_t i) const {
    const auto& queue = state_.queue();
    if (i + ahead >= queue.size()) return;
    const LocalVertex vertex{queue[i + ahead]};
    rows_.prefetch_row(vertex);
    __builtin_prefetch(partition_.offset_of_local().data() + vertex.index());
    if (i + 2 * ahead < queue.size()) rows_.prefetch_index(LocalVertex{queue[i + 2 * ahead]});
  }

  SearchState<Neighbour>& state_;
  const Rows& rows_;
  const Partition& partition_;
  const PushTargets<Neighbour, Exchange>& targets_;
  std::vector<std::size_t> first_edge_;  ///< the number of the first edge of each vertex in the queue
  std::size_t edges_ = 0;
};

}  // namespace breadth
