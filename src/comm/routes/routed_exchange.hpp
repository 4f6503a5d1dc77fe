// Messages that other ranks forward.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "comm/routes/route.hpp"

namespace breadth {

/// Makes fewer or smaller messages of those that wait at one rank to cross to other groups.
class MessageCombiner {
 public:
  using Emit = std::function<void(int destination, std::span<const std::byte> message)>;

  MessageCombiner() = default;
  virtual ~MessageCombiner() = default;
  MessageCombiner(const MessageCombiner&) = delete;
  MessageCombiner& operator=(const MessageCombiner&) = delete;

  /// Takes a message in; nothing of it is needed afterwards. Throws Error for one that it cannot read.
  virtual void add(int destination, std::span<std::byte> message) = 0;
  /// Hands out what became of them, and is empty.
  virtual void drain(const Emit& emit) = 0;
};

/// Sends messages by a route, over whatever exchange carries them from one rank to the next. What a rank has for the
/// same next rank travels in one message, behind 16 bytes each that say from where to where; such a message goes when
/// it is as large as the largest that is sent, or when the superstep ends. A superstep of this exchange is one of the
/// other for each hop: the first is for what is left inside groups, the second for what crosses, the third again for
/// inside. Used from one thread a rank.
///
/// With a combiner what crosses to another group waits for all of its own group, so that it sees the whole superstep;
/// it then comes from the rank that combined it. What waits to be forwarded is held in memory: at most what a
/// superstep brings.
///
/// Counted as sent are the messages that travel, hop by hop, by next rank.
class RoutedExchange final : public MessageExchange {
 public:
  /// Makes the exchange that carries messages of at most so many bytes between peers.
  using Make = std::function<std::unique_ptr<MessageExchange>(std::size_t message_bytes, Handler handler)>;

  /// Messages have 1 to message_bytes bytes. Collective; the route is not direct.
  RoutedExchange(const Communicator& ranks, Route route, std::size_t message_bytes, const Make& make, Handler handler,
                 std::unique_ptr<MessageCombiner> combiner = nullptr);

  void send(int destination, std::span<const std::byte> message) override;
  void poll() override;
  /// Collective. Throws Error if a message needed more hops than the route has.
  void finish() override;

  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept override { return carrier_->sent(); }
  [[nodiscard]] SentTraffic total() const noexcept override { return carrier_->total(); }
  [[nodiscard]] const ExchangeSeconds& seconds() const noexcept override { return carrier_->seconds(); }

 private:
  void unpack(std::span<std::byte> messages);
  void pack(int source, int destination, std::span<const std::byte> message);
  void combine();
  void send_full();
  void send_open(int hop);
  /// The hop in which what is not full crosses to other groups: by then all of the own group's has come.
  [[nodiscard]] int crossing_hop() const noexcept { return route_.hops > 1 ? 1 : 0; }

  int rank_;
  Route route_;
  std::size_t packed_bytes_;  ///< of packed messages at the most
  Handler handler_;
  std::unique_ptr<MessageCombiner> combiner_;
  std::vector<std::vector<std::byte>> open_;                 ///< by next rank
  std::deque<std::pair<int, std::vector<std::byte>>> full_;  ///< with the next rank, in the order in which they filled
  std::unique_ptr<MessageExchange> carrier_;
};

}  // namespace breadth
