// A push whose threads share the edges of the queue, not its vertices, since one of them may have most.
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

/// Of one level. The queue's edges stand one after the other, and threads take some at a time.
template <class Rows, class Exchange>
class EdgePush {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All of them outlive the push.
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

  /// How many the queue has.
  [[nodiscard]] std::size_t edges() const noexcept { return edges_; }

  /// Pushes along all of them, so many at a time.
  void run(std::size_t grain, Exchange& exchange, ThreadTeam& threads) {
    scanning_blocks(threads, edges_, grain, exchange, [this](IndexRange range, int thread) {
      push<Visitors::several>(range, state_.visited(), thread);
    });
  }
  /// The same where every neighbour is here: each thread visits in its copy.
  void run_apart(std::size_t grain, VisitedCopies& copies, Exchange& exchange, ThreadTeam& threads) {
    copies.visit(state_, [&] {
      scanning_blocks(threads, edges_, grain, exchange, [&](IndexRange range, int thread) {
        push<Visitors::apart>(range, copies.of(thread), thread);
      });
    });
  }

 private:
  static constexpr std::size_t ahead = 32;  ///< vertices whose rows are asked for before they are needed

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
      rows_.for_each_span(vertex, {begin, end},
                          [&](std::span<const Neighbour> some) { visits.add_along(some, label, thread, targets_); });
    }
    visits.write();
    tally.edges_examined += edges.size();
  }

  /// What the queue's vertices after i need for that.
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
  std::vector<std::size_t> first_edge_;  ///< of each vertex in the queue, among the queue's edges
  std::size_t edges_ = 0;
};

}  // namespace breadth
