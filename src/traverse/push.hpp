// One level from the frontier along its edges.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/query_exchange.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// In place of a QueryExchange on one rank, where every neighbour is here.
template <class ParentLabel>
struct NoExchange {
  NoExchange(const Context&, std::size_t, const typename QueryExchange<ParentLabel>::Handler&) {}
  void progress() {}
  void leave(int, int) {}
  void finish() {}
  [[nodiscard]] std::uint64_t messages() const { return 0; }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
};

/// One push level of one rank: every neighbour of a vertex in the queue that is here and not visited gets it as its
/// parent, and the owner of every other neighbour a query (Fuentes et al. 2014, fig. 1). Threads share the queue's
/// edges, not its vertices: one of them may have most.
template <class Neighbour, class Exchange>
class PushLevel {
 public:
  PushLevel(SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows, const Partition& partition,
            Exchange& exchange)
      : state_(state), rows_(rows), partition_(partition), code_(partition.code()), exchange_(exchange) {}

  /// Carries it out; returns when all queries of all ranks are answered. Collective.
  void run(ThreadTeam& threads) {
    first_edge_.resize(state_.queue().size());
    std::size_t edges = 0;
    for (std::size_t i = 0; i < first_edge_.size(); ++i) {
      first_edge_[i] = edges;
      edges += rows_.degree(LocalVertex{state_.queue()[i]});
    }
    std::atomic<std::size_t> next{0};
    const auto work = [&](int thread, int workers) {
      for (std::size_t begin = next.fetch_add(grain); begin < edges; begin = next.fetch_add(grain)) {
        push_edges({begin, std::min(begin + grain, edges)}, thread);
        if (thread == 0) exchange_.progress();
      }
      exchange_.leave(thread, workers);
    };
    if (edges <= grain) {
      work(0, 1);
    } else {
      threads.run([&](int thread) { work(thread, threads.size()); });
    }
    exchange_.finish();
  }

 private:
  static constexpr std::size_t grain = 2048;

  /// Pushes along these of the queue's edges.
  void push_edges(IndexRange edges, int thread) {
    const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), edges.begin);
    for (auto i = static_cast<std::size_t>(after - first_edge_.begin()) - 1;
         i < first_edge_.size() && first_edge_[i] < edges.end; ++i) {
      const LocalVertex vertex{state_.queue()[i]};
      const auto row = rows_.row(vertex);
      const std::size_t begin = std::max(edges.begin, first_edge_[i]) - first_edge_[i];
      const std::size_t end = std::min(edges.end - first_edge_[i], row.size());
      push_row(vertex, row.subspan(begin, end - begin), thread);
    }
    state_.tally(thread).edges_examined += edges.size();
  }

  void push_row(LocalVertex vertex, std::span<const Neighbour> row, int thread) {
    const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
    auto& tally = state_.tally(thread);
    for (const Neighbour neighbour : row) {
      const LocalVertex target = code_.local(neighbour);
      if constexpr (std::is_same_v<Exchange, QueryExchange<Neighbour>>) {
        if (const int owner = code_.rank(neighbour); owner != partition_.rank()) {
          exchange_.add(thread, owner, {target.value, label});
          continue;
        }
      }
      state_.push_to(target.value, label, tally);
    }
  }

  SearchState<Neighbour>& state_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  PositionCode code_;
  Exchange& exchange_;
  std::vector<std::size_t> first_edge_;  ///< of each vertex in the queue, among the queue's edges
};

}  // namespace breadth
