// Coalesced queries between ranks: "your vertex is my frontier vertex's neighbour".
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "comm/exchange/message_exchange.hpp"
#include "core/parallel/lane.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/packet_codec.hpp"

namespace breadth {

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

  [[nodiscard]] std::uint64_t messages() const noexcept { return exchange_->messages(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return exchange_->bytes(); }
  /// That this rank sent.
  [[nodiscard]] std::uint64_t queries() const noexcept { return queries_; }
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
  std::vector<std::vector<OpenMessage>> open_;        ///< by thread and destination
  std::vector<std::vector<Word>> scratch_;            ///< by thread
  std::vector<std::unique_ptr<Lane<Packet>>> lanes_;  ///< from each thread but the first to that one
  Packet taken_;                                      ///< out of a lane
  std::uint64_t queries_ = 0;
  std::uint64_t partial_packets_ = 0;
  std::atomic<int> left_{0};
};

}  // namespace breadth
