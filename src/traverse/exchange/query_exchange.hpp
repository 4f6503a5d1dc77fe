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

// From one thread to another without locks.

/// A queue of bounded length between one thread that pushes and one that pops. Values are swapped with those in the
/// queue, so that the room which they own goes round. Both operations are wait-free.
template <class Value>
class ThreadQueue {
 public:
  /// Holds at least one value and at most `capacity`.
  explicit ThreadQueue(std::size_t capacity) : slots_(std::max<std::size_t>(1, capacity)) {}

  /// Puts a value at the end and gives a popped one for it. Returns whether there was room; if not, nothing changes.
  bool push(Value& value) {
    const std::size_t pushed = pushed_.load(std::memory_order_relaxed);
    if (pushed - popped_.load(std::memory_order_acquire) == slots_.size()) return false;
    std::swap(slots_[pushed % slots_.size()], value);
    pushed_.store(pushed + 1, std::memory_order_release);
    return true;
  }
  /// Takes the first value and leaves the one given for it. Returns whether there was any; if not, nothing changes.
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

/// One query an edge, coalesced into messages of `coalescing` queries a destination, sent as they fill while the
/// threads go on scanning (Fuentes et al. 2014, section III), or all together in the end, by the strategy's route. Each
/// thread fills messages of its own; thread 0 alone talks to the other ranks.
template <class Word>
class QueryExchange {
 public:
  /// Called on thread 0 with queries that came from another rank.
  using Handler = std::function<void(QueryMessage<Word> queries)>;

  /// Collective.
  QueryExchange(const Context& context, const ExchangeStrategy& strategy, Handler handler);

  /// Adds queries for these local ids of another rank, on any thread. A full message is sent, or left to thread 0.
  void add(int thread, int destination, Word parent, std::span<const Word> targets) {
    OpenMessage& open = open_message(thread, destination);
    while (!targets.empty()) {
      const auto some = targets.first(std::min(targets.size(), coalescing_ - open.queries));
      open.add(parent, some);
      if (open.queries == coalescing_) hand_over(thread, destination, open);
      targets = targets.subspan(some.size());
    }
  }
  /// Thread 0, between two pieces of scanning: sends what others left and handles what has arrived.
  void progress();
  /// Every one of the `workers` threads that scan, once it has no more to scan. Thread 0 stays until all have come.
  void leave(int thread, int workers);
  /// Thread 0, after all have left: sends the messages that are not full and waits for every rank's. Collective.
  void finish();

  /// That this rank sent so far.
  [[nodiscard]] Traffic traffic() const noexcept {
    return {.messages = exchange_->messages(), .bytes = exchange_->bytes(), .queries = queries_};
  }
  /// Of the packets, those that were sent at the end of a level although they were not full.
  [[nodiscard]] std::uint64_t partial_packets() const noexcept { return partial_packets_; }
  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept { return exchange_->sent(); }
  [[nodiscard]] ExchangeSeconds seconds() const noexcept { return exchange_->seconds(); }

 private:
  using OpenMessage = QueryRuns<Word>;
  /// A message that is full, and encoded.
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
  std::vector<std::unique_ptr<ThreadQueue<Packet>>> full_;  ///< from each thread but the first to that one
  Packet taken_;                                            ///< out of one of these
  std::uint64_t queries_ = 0;
  std::uint64_t partial_packets_ = 0;
  std::atomic<int> left_{0};
};

}  // namespace breadth
