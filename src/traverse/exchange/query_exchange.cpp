#include "traverse/exchange/query_exchange.hpp"

#include <thread>
#include <utility>

#include "comm/exchange/bulk_exchange.hpp"
#include "comm/exchange/mailbox.hpp"
#include "comm/routes/routed_exchange.hpp"
#include "traverse/exchange/query_combiner.hpp"

namespace breadth {

namespace {
/// In bulk, queries that a thread encodes at a time.
constexpr std::size_t bulk_queries = 4096;

/// Packets that may wait in a lane, so that memory stays bounded.
std::size_t lane_capacity(std::size_t coalescing) {
  constexpr std::size_t most_queries = std::size_t{1} << 18;
  return std::clamp<std::size_t>(most_queries / coalescing, 2, 1024);
}

/// What carries messages from one rank to the next.
std::unique_ptr<MessageExchange> make_carrier(const ExchangeStrategy& strategy, const Communicator& ranks,
                                              std::size_t message_bytes, MessageExchange::Handler handler) {
  const Termination ending = strategy.ending.value_or(termination_for(ranks.size()));
  switch (strategy.policy) {
    case ExchangePolicy::asynchronous:
      return strategy.route.direct()
                 ? std::make_unique<Mailbox>(ranks, message_bytes, std::move(handler), ending)
                 : std::make_unique<Mailbox>(ranks, message_bytes, std::move(handler), strategy.route.peers, ending);
    case ExchangePolicy::bulk: return std::make_unique<BulkExchange>(ranks, message_bytes, std::move(handler));
  }
  fail("unknown exchange");
}

std::unique_ptr<MessageExchange> make_exchange(const ExchangeStrategy& strategy, const Communicator& ranks,
                                               std::size_t message_bytes, MessageExchange::Handler handler,
                                               std::unique_ptr<MessageCombiner> combiner) {
  if (strategy.route.direct()) return make_carrier(strategy, ranks, message_bytes, std::move(handler));
  const auto make = [&](std::size_t packed_bytes, MessageExchange::Handler unpack) {
    return make_carrier(strategy, ranks, packed_bytes, std::move(unpack));
  };
  return std::make_unique<RoutedExchange>(ranks, strategy.route, message_bytes, make, std::move(handler),
                                          std::move(combiner));
}
}  // namespace

template <class Word>
QueryExchange<Word>::QueryExchange(const Context& context, const ExchangeStrategy& strategy, Handler handler)
    : coalescing_(strategy.policy == ExchangePolicy::bulk ? bulk_queries : strategy.coalescing),
      codec_(make_packet_codec<Word>(strategy.packets, strategy.queries)),
      exchange_(make_exchange(
          strategy, context.ranks, codec_->most_words(coalescing_) * sizeof(Word),
          [this, handler = std::move(handler)](int, std::span<std::byte> message) {
            handler(codec_->decode({reinterpret_cast<Word*>(message.data()), message.size() / sizeof(Word)}));
          },
          make_query_combiner<Word>(strategy.combining, strategy.packets, coalescing_))),
      open_(static_cast<std::size_t>(context.threads.size()),
            std::vector<OpenMessage>(static_cast<std::size_t>(context.ranks.size()))),
      scratch_(open_.size()) {
  for (std::size_t thread = 1; thread < open_.size(); ++thread) {
    lanes_.push_back(std::make_unique<Lane<Packet>>(lane_capacity(coalescing_)));
  }
}

template <class Word>
void QueryExchange<Word>::encode(int thread, OpenMessage& open) {
  open.end_run();
  codec_->encode(open.words, scratch_[static_cast<std::size_t>(thread)]);
}

template <class Word>
void QueryExchange<Word>::hand_over(int thread, int destination, OpenMessage& open) {
  encode(thread, open);
  if (thread == 0) {
    send(destination, open.queries, open.words);
  } else {
    Packet packet{destination, open.queries, std::move(open.words)};
    Lane<Packet>& lane = *lanes_[static_cast<std::size_t>(thread) - 1];
    while (!lane.push(packet)) std::this_thread::yield();
    open.words = std::move(packet.words);
  }
  open.clear();
}

template <class Word>
void QueryExchange<Word>::send(int destination, std::size_t queries, std::span<const Word> words) {
  exchange_->send(destination, std::as_bytes(words));
  queries_ += queries;
}

template <class Word>
void QueryExchange<Word>::send_left_over() {
  for (const auto& lane : lanes_) {
    while (lane->pop(taken_)) send(taken_.destination, taken_.queries, taken_.words);
  }
}

template <class Word>
void QueryExchange<Word>::progress() {
  send_left_over();
  exchange_->poll();
}

template <class Word>
void QueryExchange<Word>::leave(int thread, int workers) {
  if (thread != 0) {
    left_.fetch_add(1, std::memory_order_acq_rel);
    return;
  }
  while (left_.load(std::memory_order_acquire) < workers - 1) {
    progress();
    std::this_thread::yield();
  }
  left_.store(0, std::memory_order_relaxed);
}

template <class Word>
void QueryExchange<Word>::finish() {
  send_left_over();
  for (auto& messages : open_) {
    for (std::size_t destination = 0; destination < messages.size(); ++destination) {
      OpenMessage& open = messages[destination];
      if (open.queries == 0) continue;
      encode(0, open);
      send(static_cast<int>(destination), open.queries, open.words);
      open.clear();
      ++partial_packets_;
    }
  }
  exchange_->finish();
}

template class QueryExchange<std::uint32_t>;
template class QueryExchange<std::uint64_t>;

}  // namespace breadth
