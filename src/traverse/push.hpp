// One level from the frontier along its edges.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "comm/context.hpp"
#include "core/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/query_exchange.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// In place of a QueryExchange on one rank, where every neighbour is here.
struct NoExchange {
  NoExchange(const Context&, std::size_t, const QueryExchange::Handler&) {}
  void progress() {}
  void leave(int, int) {}
  void finish() {}
  [[nodiscard]] std::uint64_t messages() const { return 0; }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
};

/// Claims `vertex` for `parent` and queues it.
template <class Neighbour>
void push_to(SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows, std::uint32_t vertex,
             std::uint64_t parent, int thread) {
  if (!state.claim(vertex, parent)) return;
  Tally& tally = state.tally(thread);
  ++tally.claimed;
  tally.claimed_edges += rows.degree(LocalVertex{vertex});
  tally.queue.push_back(vertex);
}

/// Pushes from every vertex of the queue: claims its unvisited neighbours here, sends a query to the owner of each
/// other (Fuentes et al. 2014, fig. 1). Returns when all queries of all ranks are answered. Collective.
template <class Neighbour, class Exchange>
void push_level(SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows, const Partition& partition,
                Exchange& exchange, const Context& context) {
  constexpr std::size_t grain = 64;
  const PositionCode code = partition.code();
  const int self = partition.rank();
  const auto& queue = state.queue();
  std::atomic<std::size_t> next{0};

  const auto push_from = [&](std::uint32_t vertex, int thread) {
    const std::uint64_t parent = partition.position(LocalVertex{vertex});
    const auto row = rows.row(LocalVertex{vertex});
    state.tally(thread).edges_examined += row.size();
    for (const Neighbour neighbour : row) {
      const LocalVertex target = code.local(neighbour);
      if constexpr (std::is_same_v<Exchange, QueryExchange>) {
        if (const int owner = code.rank(neighbour); owner != self) {
          exchange.add(thread, owner, {target.value, vertex});
          continue;
        }
      }
      push_to(state, rows, target.value, parent, thread);
    }
  };
  const auto work = [&](int thread, int workers) {
    for (std::size_t begin = next.fetch_add(grain); begin < queue.size(); begin = next.fetch_add(grain)) {
      const std::size_t end = std::min(begin + grain, queue.size());
      for (std::size_t i = begin; i < end; ++i) push_from(queue[i], thread);
      if (thread == 0) exchange.progress();
    }
    exchange.leave(thread, workers);
  };

  if (queue.size() <= grain) {
    work(0, 1);
  } else {
    context.threads.run([&](int thread) { work(thread, context.threads.size()); });
  }
  exchange.finish();
}

}  // namespace breadth
