// On several ranks: splits rows by owner, and lets threads scan rows while queries are sent and received.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"
#include "simd/frontier.hpp"
#include "simd/kernels.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/exchange/query_exchange.hpp"

namespace breadth {

/// The exchange of a push. Splits rows into the neighbours that this rank owns and those whose owners get queries
/// (Fuentes et al. 2014, fig. 1).
template <class Neighbour>
class QueryTargets {
 public:
  QueryTargets(const Partition& partition, QueryExchange<Neighbour>& exchange)
      : code_(partition.code()),
        which_{.above = static_cast<Neighbour>(code_.encode(partition.rank(), LocalVertex{0})),
               .local_mask = static_cast<Neighbour>(code_.stride() - 1)},
        exchange_(exchange) {}

  void progress() { exchange_.progress(); }
  void leave(int thread, int workers) { exchange_.leave(thread, workers); }

  /// Calls body(local ids), once or several times, with the neighbours in `row` that this rank owns. Sends queries to
  /// the owners of the others.
  template <class Body>
  void for_each_own(std::span<const Neighbour> row, Neighbour label, int thread, Body&& body) const {
    constexpr std::size_t at_a_time = 1024;
    std::array<Neighbour, at_a_time + max_lanes> own;
    std::array<Neighbour, at_a_time + max_lanes> others;
    while (!row.empty()) {
      const auto some = row.first(std::min(at_a_time, row.size()));
      const std::size_t owned = split_row(some, which_, own.data(), others.data());
      body(std::span<const Neighbour>(own).first(owned));
      ask_owners(std::span(others).first(some.size() - owned), label, thread);
      row = row.subspan(some.size());
    }
  }

 private:
  /// Sends queries to the owners of these vertices.
  void ask_owners(std::span<Neighbour> global_ids, Neighbour label, int thread) const {
    while (!global_ids.empty()) {
      const int owner = code_.rank(global_ids.front());
      std::size_t count = 0;
      for (; count < global_ids.size() && code_.rank(global_ids[count]) == owner; ++count) {
        global_ids[count] &= which_.local_mask;
      }
      exchange_.add(thread, owner, label, global_ids.first(count));
      global_ids = global_ids.subspan(count);
    }
  }

  GlobalIdCode code_;
  OwnIds<Neighbour> which_;
  QueryExchange<Neighbour>& exchange_;
};

/// Visits a vertex if it is unvisited; safe beside other threads. Returns whether the caller has to set its parent.
template <class Neighbour>
[[gnu::always_inline]] inline bool claim_vertex(SearchState<Neighbour>& state, std::uint32_t vertex,
                                                Tally<Neighbour>& tally) {
  if (!state.visited().insert_atomic(vertex)) return false;
  __builtin_prefetch(state.parents().data() + vertex, 1);
  ++tally.claimed;
  tally.found.push_back(vertex);
  return true;
}

/// Visits the unvisited ones of some vertices, all different, from a parent with this label. Safe beside other threads.
template <class Neighbour>
void visit_among_threads(SearchState<Neighbour>& state, std::span<const Neighbour> vertices, Neighbour label,
                         Tally<Neighbour>& tally) {
  if (state.threads() == 1) {
    state.visit_alone(vertices, label, tally);
    return;
  }
  // Parents are written after the last claim: an atomic claim would wait until the parent before it is in memory.
  const std::size_t before = tally.found.size();
  for (const Neighbour vertex : vertices) (void)claim_vertex(state, static_cast<std::uint32_t>(vertex), tally);
  for (const std::uint32_t vertex : std::span(tally.found).subspan(before)) state.parents()[vertex] = label;
}

/// Leaves an exchange even if that fails, because the other threads of this rank wait for thread 0 to send their
/// messages, and thread 0 waits for all of them. Keeps the first failure.
template <class Exchange>
void leave_for_good(int thread, int workers, Exchange& exchange, std::exception_ptr& failure) {
  while (true) {
    try {
      exchange.leave(thread, workers);
      return;
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
}

/// Calls body(range, thread) for blocks of at most `grain` indices that cover [0, count). Between blocks thread 0 makes
/// progress with the exchange; the caller finishes it. Rethrows on this rank what a thread throws, after all threads
/// have ended. Other ranks are not informed.
template <class Exchange>
void scanning_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain, Exchange& exchange,
                     FunctionRef<void(IndexRange range, int thread)> body) {
  const int workers = count <= grain ? 1 : threads.size();
  SharedBlocks blocks(count, grain, workers);
  const auto work = [&](int thread) {
    std::exception_ptr failure;
    try {
      blocks.take(thread, [&](IndexRange range) {
        body(range, thread);
        if (thread == 0) exchange.progress();
      });
    } catch (...) {
      failure = std::current_exception();
    }
    leave_for_good(thread, workers, exchange, failure);
    if (failure) std::rethrow_exception(failure);
  };
  if (workers == 1) {
    work(0);
  } else {
    threads.run(work);
  }
}

}  // namespace breadth
