// Coalesced queries between ranks: "your vertex is my frontier vertex's neighbour".
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/exchange/message_exchange.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/packet_codec.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

// A lock-free queue between two threads.

/// A queue of bounded length between one thread that pushes and one that pops. Values are swapped with those in the
/// queue, so that the memory they own is reused. Both operations are wait-free.
template <class Value>
class ThreadQueue {
 public:
  /// Holds at least one value and at most `capacity`.
  explicit ThreadQueue(std::size_t capacity) : slots_(std::max<std::size_t>(1, capacity)) {}

  /// Appends a value and leaves a used one in its place. Returns whether there was room; if not, nothing changes.
  bool push(Value& value) {
    const std::size_t pushed = pushed_.load(std::memory_order_relaxed);
    if (pushed - popped_.load(std::memory_order_acquire) == slots_.size()) return false;
    std::swap(slots_[pushed % slots_.size()], value);
    pushed_.store(pushed + 1, std::memory_order_release);
    return true;
  }
  /// Takes the first value and leaves the given one in its place. Returns whether there was one; if not, nothing
  /// changes.
  bool pop(Value& value) {
    const std::size_t popped = popped_.load(std::memory_order_relaxed);
    if (pushed_.load(std::memory_order_acquire) == popped) return false;
    std::swap(slots_[popped % slots_.size()], value);
    popped_.store(popped + 1, std::memory_order_release);
    return true;
  }

 private:
  std::vector<Value> slots_;
  alignas(64) std::atomic<std::size_t> pushed_{0};
  alignas(64) std::atomic<std::size_t> popped_{0};
};

// The exchange.

/// Sends queries to other ranks. Queries are coalesced into messages of `coalescing` queries for each destination.
/// Messages are sent when they are full while the threads go on scanning (Fuentes et al. 2014, section III), or all
/// together at the end, by the strategy's route. Each thread fills messages of its own; only thread 0 communicates.
template <class Word>
class QueryExchange {
 public:
  /// Called on thread 0 with received queries.
  using Handler = std::function<void(QueryMessage<Word> queries)>;

  /// Collective.
  QueryExchange(const Context& context, const ExchangeStrategy& strategy, Handler handler);

  /// Adds queries for local ids of another rank. Any thread may call this. Thread 0 sends a full message at once; other
  /// threads leave it to thread 0.
  void add(int thread, int destination, Word parent, std::span<const Word> targets) {
    OpenMessage& open = open_message(thread, destination);
    while (!targets.empty()) {
      const auto some = targets.first(std::min(targets.size(), coalescing_ - open.queries));
      open.add(parent, some);
      if (open.queries == coalescing_) hand_over(thread, destination, open);
      targets = targets.subspan(some.size());
    }
  }
  /// Sends the full messages of other threads and handles received ones. Thread 0 calls this between pieces of
  /// scanning.
  void progress();
  /// Called by each of the `workers` scanning threads when it has no more to scan. Thread 0 returns when all have left.
  void leave(int thread, int workers);
  /// Sends the messages that are not full and waits for those of all ranks. Thread 0 calls this after all threads have
  /// left. Collective.
  void finish();

  /// The traffic that this rank has sent so far.
  [[nodiscard]] Traffic traffic() const noexcept {
    return {.messages = exchange_->messages(), .bytes = exchange_->bytes(), .queries = queries_};
  }
  /// The packets that were sent at the end of a level although they were not full.
  [[nodiscard]] std::uint64_t partial_packets() const noexcept { return partial_packets_; }
  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept { return exchange_->sent(); }
  [[nodiscard]] ExchangeSeconds seconds() const noexcept { return exchange_->seconds(); }

 private:
  using OpenMessage = QueryRuns<Word>;
  /// A full message, encoded.
  struct Packet {
    int destination = 0;
    std::size_t queries = 0;
    std::vector<Word> words;
  };

  OpenMessage& open_message(int thread, int destination) {
    return open_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(destination)];
  }
  void hand_over(int thread, int destination, OpenMessage& open);
  void encode(int thread, OpenMessage& open);
  void send(int destination, std::size_t queries, std::span<const Word> words);
  void send_left_over();

  std::size_t coalescing_;
  std::unique_ptr<PacketCodec<Word>> codec_;
  std::unique_ptr<MessageExchange> exchange_;
  std::vector<std::vector<OpenMessage>> open_;              ///< by thread and destination
  std::vector<std::vector<Word>> scratch_;                  ///< by thread
  std::vector<std::unique_ptr<ThreadQueue<Packet>>> full_;  ///< from each other thread to thread 0
  Packet taken_;                                            ///< from one of these queues
  std::uint64_t queries_ = 0;
  std::uint64_t partial_packets_ = 0;
  std::atomic<int> left_{0};
};

}  // namespace breadth
