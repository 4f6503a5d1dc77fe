// Coalesced queries between ranks: "your vertex is my frontier vertex's neighbour".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "comm/mailbox.hpp"

namespace breadth {

/// A push along one edge to a vertex of another rank, which gets `parent` unless it has one: 8 bytes, 16 where labels
/// need more than 32 bits.
template <class ParentLabel>
struct Query {
  std::uint32_t target;  ///< the receiver's local id
  ParentLabel parent;
};

/// One query an edge, coalesced into messages of `coalescing` queries a destination, sent as they fill while the
/// threads go on scanning (Fuentes et al. 2014, section III). Each thread fills messages of its own; thread 0 alone
/// talks to the other ranks.
template <class ParentLabel>
class QueryExchange {
 public:
  using Query = breadth::Query<ParentLabel>;
  /// Called on thread 0 with queries that came from another rank.
  using Handler = std::function<void(std::span<const Query> queries)>;

  /// Collective.
  QueryExchange(const Context& context, std::size_t coalescing, Handler handler);

  /// Adds one query on any thread. A full message is sent, or left to thread 0.
  void add(int thread, int destination, Query query) {
    std::vector<Query>& open = open_message(thread, destination);
    open.push_back(query);
    if (open.size() == coalescing_) hand_over(thread, destination, open);
  }
  /// Thread 0, between two pieces of scanning: sends what others left and handles what has arrived.
  void progress();
  /// Every one of the `workers` threads that scan, once it has no more to scan. Thread 0 stays until all have come.
  void leave(int thread, int workers);
  /// Thread 0, after all have left: sends the messages that are not full and waits for every rank's. Collective.
  void finish();

  [[nodiscard]] std::uint64_t messages() const noexcept { return mailbox_.messages(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return mailbox_.bytes(); }

 private:
  struct Full {
    int destination;
    std::vector<Query> queries;
  };

  std::vector<Query>& open_message(int thread, int destination) {
    return open_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(destination)];
  }
  void hand_over(int thread, int destination, std::vector<Query>& open);
  void send(int destination, std::span<const Query> queries);
  void send_left_over();

  std::size_t coalescing_;
  Mailbox mailbox_;
  std::vector<std::vector<std::vector<Query>>> open_;  ///< by thread and destination
  std::mutex full_mutex_;
  std::vector<Full> full_;  ///< guarded by full_mutex_
  std::atomic<std::size_t> full_count_{0};
  std::atomic<int> left_{0};
};

}  // namespace breadth
