// What pushes share: where an edge leads, and how threads scan while queries come and go.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "comm/context.hpp"
#include "core/graph_layout.hpp"
#include "core/parallel.hpp"
#include "graph/partition.hpp"
#include "traverse/query_exchange.hpp"

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

/// Parts a row into the neighbours that this rank owns and those whose owners get queries (Fuentes et al. 2014, fig.
/// 1).
template <class Neighbour, class Exchange>
class PushTargets {
 public:
  /// Neighbours with local ids from `end` on are left alone. `order` is the rows'.
  PushTargets(const Partition& partition, NeighbourOrder order, std::size_t end, Exchange& exchange)
      : code_(partition.code()),
        rank_(partition.rank()),
        rows_rise_(order == NeighbourOrder::vertices),
        end_(end),
        exchange_(exchange) {}

  /// Calls body(local id) for the neighbours in a row that this rank owns; the others' owners get queries.
  template <class Body>
  void for_each_own(std::span<const Neighbour> row, Neighbour label, int thread, Body&& body) const {
    for (const Neighbour neighbour : row) {
      const LocalVertex target = code_.local(neighbour);
      if (target.index() >= end_) {
        if (rows_rise_) return;  // as all that follow, which have no more edges
        continue;
      }
      if constexpr (std::is_same_v<Exchange, QueryExchange<Neighbour>>) {
        if (const int owner = code_.rank(neighbour); owner != rank_) {
          exchange_.add(thread, owner, {target.value, label});
          continue;
        }
      }
      body(target.value);
    }
  }

 private:
  PositionCode code_;
  int rank_;
  bool rows_rise_;  ///< local ids do, from each row's front to its end
  std::size_t end_;
  Exchange& exchange_;
};

/// Calls body(range, thread) for blocks of at most `grain` indices that together are [0, count); threads take blocks as
/// they become free, and thread 0 sees to the exchange in between. Returns when all queries of all ranks are answered.
/// Collective.
template <class Exchange, class Body>
void exchanging_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain, Exchange& exchange, Body&& body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](int thread, int workers) {
    for (std::size_t begin = next.fetch_add(grain); begin < count; begin = next.fetch_add(grain)) {
      body(IndexRange{begin, std::min(begin + grain, count)}, thread);
      if (thread == 0) exchange.progress();
    }
    exchange.leave(thread, workers);
  };
  if (count <= grain) {
    work(0, 1);
  } else {
    threads.run([&](int thread) { work(thread, threads.size()); });
  }
  exchange.finish();
}

}  // namespace breadth
