// Messages that wait for the end of a superstep and then travel together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/exchange/message_exchange.hpp"

namespace breadth {

/// The bulk-synchronous exchange in two phases of Checconi & Petrini 2014 (section IV-B, the yardstick of fig. 7):
/// first ranks only collect messages by destination, then exchange how many bytes there are, and the bytes
/// all, then handle what came. Nothing overlaps, and a rank holds all that it sends in a superstep. What comes is
/// bounded: as many rounds as the fullest rank needs. Used from one thread a rank.
///
/// Counted as sent: a message for each round and destination that gets something, with the messages' lengths (8 bytes
/// for each) and padding to 8 bytes.
class BulkExchange final : public MessageExchange {
 public:
  static constexpr std::size_t default_round_bytes = std::size_t{1} << 27;

  /// Messages have 1 to message_bytes bytes. A round brings a rank at most `round_bytes` and a message from each other
  /// rank; the same on every rank.
  BulkExchange(const Communicator& ranks, std::size_t message_bytes, Handler handler,
               std::size_t round_bytes = default_round_bytes);

  /// Copies the message; nothing leaves yet.
  void send(int destination, std::span<const std::byte> message) override;
  /// Nothing arrives before the end.
  void poll() override {}
  /// Exchanges and handles all messages. Collective.
  void finish() override;

 private:
  /// Messages for one rank, each behind its length.
  struct Outbox {
    std::vector<std::byte> bytes;
    std::vector<std::size_t> rounds;  ///< where each round's messages begin

    /// The bytes that go in a round.
    [[nodiscard]] std::span<const std::byte> of_round(std::size_t round) const;
  };

  void exchange_round(std::size_t round);
  void handle(int source, std::span<std::byte> messages);

  Communicator ranks_;
  Handler handler_;
  std::size_t piece_bytes_;  ///< of a round, to one rank
  std::vector<Outbox> outboxes_;
};

}  // namespace breadth
