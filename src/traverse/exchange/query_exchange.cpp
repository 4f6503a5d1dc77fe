#include "traverse/exchange/query_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "comm/routes/routed_exchange.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/packet_codec.hpp"

namespace breadth {

namespace {
template <class Word>
struct WaitingQuery {
  Word target;
  Word distance;  ///< the bits of a distance, which have the same order; 0 if queries have none
  Word parent;
};

/// Queries for one rank. Keeps the best one for each target.
template <class Word>
class BestQueries {
 public:
  void add(const WaitingQuery<Word>& query) {
    queries_.push_back(query);
    if (queries_.size() < room_) return;
    drop_others();
    room_ = std::max(min_room, 2 * queries_.size());
  }
  /// The best queries, sorted by parent.
  const std::vector<WaitingQuery<Word>>& best() {
    drop_others();
    std::ranges::sort(queries_, {}, [](const auto& one) { return std::tie(one.parent, one.target); });
    return queries_;
  }
  void clear() { queries_.clear(); }
  [[nodiscard]] bool empty() const { return queries_.empty(); }

 private:
  void drop_others() {
    std::ranges::sort(queries_, {}, [](const auto& one) { return std::tie(one.target, one.distance, one.parent); });
    const auto same = [](const auto& a, const auto& b) { return a.target == b.target; };
    queries_.erase(std::unique(queries_.begin(), queries_.end(), same), queries_.end());
  }

  static constexpr std::size_t min_room = 4096;
  std::vector<WaitingQuery<Word>> queries_;
  std::size_t room_ = min_room;
};

/// Keeps one query for each target ("uniquify", Pan et al. 2018, section V-B): the one with the smallest parent or, of
/// relaxations (traverse/sssp/bucket_search.hpp), the one with the smallest distance. Emits packets of at most
/// `coalescing` queries, sorted by parent. O(q log q) for q queries of a superstep; holds at most twice as many queries
/// as there are targets, or some thousands.
template <class Word>
class QueryCombiner final : public MessageCombiner {
 public:
  QueryCombiner(QueryKind queries, PacketFormat format, std::size_t coalescing)
      : words_per_query_(queries == QueryKind::relaxations ? 2 : 1),
        coalescing_(coalescing),
        codec_(make_packet_codec<Word>(format, queries)) {}

  void add(int destination, std::span<std::byte> message) override {
    BestQueries<Word>& waiting = waiting_[destination];
    const std::span packet(reinterpret_cast<Word*>(message.data()), message.size() / sizeof(Word));
    codec_->decode(packet).for_each_run([&](Word parent, std::span<const Word> words) {
      if (words.size() % words_per_query_ != 0) fail("a packet has half a query");
      for (; !words.empty(); words = words.subspan(words_per_query_)) {
        waiting.add({words[words_per_query_ - 1], words_per_query_ == 2 ? words[0] : 0, parent});
      }
    });
  }

  [[nodiscard]] bool empty() const override {
    return std::all_of(waiting_.begin(), waiting_.end(), [](const auto& waiting) { return waiting.second.empty(); });
  }

  void drain(const Emit& emit) override {
    for (auto& [destination, waiting] : waiting_) {
      for (const WaitingQuery<Word>& query : waiting.best()) {
        const std::array<Word, 2> words{query.distance, query.target};
        open_.add(query.parent, std::span(words).last(words_per_query_));
        if (open_.queries + words_per_query_ > coalescing_) send(destination, emit);
      }
      if (open_.queries > 0) send(destination, emit);
      waiting.clear();
    }
  }

 private:
  void send(int destination, const Emit& emit) {
    open_.end_run();
    codec_->encode(open_.words, scratch_);
    emit(destination, std::as_bytes(std::span(open_.words)));
    open_.clear();
  }

  std::size_t words_per_query_;
  std::size_t coalescing_;
  std::unique_ptr<PacketCodec<Word>> codec_;
  std::map<int, BestQueries<Word>> waiting_;  ///< by destination
  QueryRuns<Word> open_;
  std::vector<Word> scratch_;
};

/// The queries that a thread encodes at a time in a bulk exchange.
constexpr std::size_t bulk_queries = 4096;

/// The number of packets that may wait for thread 0, so that memory stays bounded.
std::size_t queue_capacity(std::size_t coalescing) {
  constexpr std::size_t max_queries = std::size_t{1} << 18;
  return std::clamp<std::size_t>(max_queries / coalescing, 2, 1024);
}

/// Makes the exchange that carries messages from one rank to the next.
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
          strategy, context.ranks, codec_->max_words(coalescing_) * sizeof(Word),
          [this, handler = std::move(handler)](int, std::span<std::byte> message) {
            handler(codec_->decode({reinterpret_cast<Word*>(message.data()), message.size() / sizeof(Word)}));
          },
          strategy.combining == Combining::none
              ? nullptr
              : std::make_unique<QueryCombiner<Word>>(strategy.queries, strategy.packets, coalescing_))),
      open_(static_cast<std::size_t>(context.threads.size()),
            std::vector<OpenMessage>(static_cast<std::size_t>(context.ranks.size()))),
      scratch_(open_.size()) {
  for (std::size_t thread = 1; thread < open_.size(); ++thread) {
    full_.push_back(std::make_unique<ThreadQueue<Packet>>(queue_capacity(coalescing_)));
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
    ThreadQueue<Packet>& queue = *full_[static_cast<std::size_t>(thread) - 1];
    while (!queue.push(packet)) std::this_thread::yield();
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
  for (const auto& queue : full_) {
    while (queue->pop(taken_)) send(taken_.destination, taken_.queries, taken_.words);
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
