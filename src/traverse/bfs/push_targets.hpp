// What pushes share: where an edge leads, and how threads scan while queries come and go.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>

#include "comm/context.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/partition.hpp"
#include "simd/frontier.hpp"
#include "simd/kernels.hpp"
#include "traverse/exchange/query_exchange.hpp"

namespace breadth {

/// In place of a QueryExchange on one rank, where every neighbour is here.
template <class ParentLabel>
struct NoExchange {
  NoExchange(const Context&, const ExchangeStrategy&, const typename QueryExchange<ParentLabel>::Handler&) {}
  void progress() {}
  void leave(int, int) {}
  void finish() {}
  [[nodiscard]] Traffic traffic() const { return {}; }
  [[nodiscard]] std::uint64_t partial_packets() const { return 0; }
  [[nodiscard]] std::span<const SentTraffic> sent() const { return {}; }
  [[nodiscard]] ExchangeSeconds seconds() const { return {}; }
};

/// Parts rows into the neighbours that this rank owns and those whose owners get queries (Fuentes et al. 2014, fig. 1).
template <class Neighbour, class Exchange>
class PushTargets {
 public:
  /// Neighbours with local ids from `end` on are left alone. `order` is the rows'.
  PushTargets(const Partition& partition, NeighbourOrder order, std::size_t end, Exchange& exchange)
      : code_(partition.code()),
        which_{.above = static_cast<Neighbour>(code_.encode(partition.rank(), LocalVertex{0})),
               .local_mask = static_cast<Neighbour>(code_.stride() - 1)},
        rows_rise_(order == NeighbourOrder::vertices),
        end_(end),
        exchange_(exchange) {}

  /// Calls body(local ids), once or several times, with the neighbours in a row that this rank owns; the others' owners
  /// get queries.
  template <class Body>
  [[gnu::always_inline]] void for_each_own(std::span<const Neighbour> row, Neighbour label, int thread,
                                           Body&& body) const {
    if (rows_rise_) {
      part(row.first(wanted_of_rising(row)), label, thread, body);
      return;
    }
    std::array<Neighbour, at_a_time> wanted;
    while (!row.empty()) {
      const auto some = row.first(std::min(at_a_time, row.size()));
      const auto end =
          std::copy_if(some.begin(), some.end(), wanted.begin(), [this](Neighbour p) { return is_wanted(p); });
      part(std::span<const Neighbour>(wanted.begin(), end), label, thread, body);
      row = row.subspan(some.size());
    }
  }

 private:
  static constexpr std::size_t at_a_time = 1024;

  [[nodiscard]] bool is_wanted(Neighbour global_id) const { return code_.local(global_id).index() < end_; }
  /// How many of a rising row's neighbours are not left alone: they come first.
  [[gnu::always_inline, nodiscard]] std::size_t wanted_of_rising(std::span<const Neighbour> row) const {
    if (row.empty() || is_wanted(row.back())) return row.size();
    const auto end = std::partition_point(row.begin(), row.end(), [this](Neighbour p) { return is_wanted(p); });
    return static_cast<std::size_t>(end - row.begin());
  }

  /// Calls body(local ids) with those that this rank owns of some neighbours, and asks the others' owners.
  template <class Body>
  void part(std::span<const Neighbour> row, Neighbour label, int thread, Body&& body) const {
    if constexpr (std::is_same_v<Exchange, NoExchange<Neighbour>>) {
      body(row);
    } else {
      std::array<Neighbour, at_a_time + most_lanes> own;
      std::array<Neighbour, at_a_time + most_lanes> others;
      while (!row.empty()) {
        const auto some = row.first(std::min(at_a_time, row.size()));
        const std::size_t owned = split_row(some, which_, own.data(), others.data());
        body(std::span<const Neighbour>(own).first(owned));
        ask_owners(std::span(others).first(some.size() - owned), label, thread);
        row = row.subspan(some.size());
      }
    }
  }

  /// Sends queries; with two ranks, all to the other one.
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
  bool rows_rise_;  ///< local ids do, from each row's front to its end
  std::size_t end_;
  Exchange& exchange_;
};

/// Leaves an exchange whatever fails on the way: the other threads of this rank wait for thread 0 to send their
/// messages, and thread 0 for all of them. The first failure is kept.
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

/// Calls body(range, thread) for blocks of at most `grain` indices that together are [0, count); thread 0 sees to the
/// exchange in between, and leaves its end to the caller. What a thread throws is thrown again on this rank when its
/// threads have ended; other ranks do not know of it.
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

/// The same; returns when all queries of all ranks are answered. Collective.
template <class Exchange>
void exchanging_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain, Exchange& exchange,
                       FunctionRef<void(IndexRange range, int thread)> body) {
  scanning_blocks(threads, count, grain, exchange, body);
  exchange.finish();
}

}  // namespace breadth
