// Exchanges of messages between ranks in supersteps: the common interface, one that sends immediately (Mailbox), and
// one that sends at the end of the superstep (BulkExchange). An exchange that forwards messages through other ranks is
// in comm/routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "core/policy/search.hpp"

namespace breadth {

/// Sends whole messages from any rank to any other in supersteps: `finish` returns when every message of the superstep
/// for this rank has been handled. Used from one thread per rank.
class MessageExchange {
 public:
  /// Called for each message that arrives, inside send, poll and finish. It must not call the exchange. It may change
  /// the message, which is valid until it returns.
  using Handler = std::function<void(int source, std::span<std::byte> message)>;

  MessageExchange() = default;
  virtual ~MessageExchange() = default;
  MessageExchange(const MessageExchange&) = delete;
  MessageExchange& operator=(const MessageExchange&) = delete;

  /// Copies the message and queues or sends it to another rank. Throws Error if the size is not as declared, or if the
  /// destination is this rank or does not exist.
  virtual void send(int destination, std::span<const std::byte> message) = 0;
  /// Handles what has arrived.
  virtual void poll() = 0;
  /// Ends the superstep. Collective.
  virtual void finish() = 0;

  /// The traffic that this rank sent since construction, by destination. Messages that only signal the end of a
  /// superstep or announce counts are not included.
  [[nodiscard]] virtual std::span<const SentTraffic> sent() const noexcept { return sent_; }
  /// The traffic to all destinations together.
  [[nodiscard]] virtual SentTraffic total() const noexcept { return total_; }
  [[nodiscard]] std::uint64_t messages() const noexcept { return total().messages; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return total().bytes; }
  /// Seconds spent on messages since construction.
  [[nodiscard]] virtual const ExchangeSeconds& seconds() const noexcept { return seconds_; }

 protected:
  /// Messages have 1 to message_bytes bytes.
  MessageExchange(const Communicator& ranks, std::size_t message_bytes)
      : rank_(ranks.rank()), message_bytes_(message_bytes), sent_(static_cast<std::size_t>(ranks.size())) {}

  /// Throws Error for messages that send() does not accept.
  void check(int destination, std::span<const std::byte> message) const {
    if (message.empty() || message.size() > message_bytes_) {
      fail("a message has {} bytes; this mailbox takes 1 to {}", message.size(), message_bytes_);
    }
    if (destination < 0 || static_cast<std::size_t>(destination) >= sent_.size() || destination == rank_) {
      fail("rank {} of {} has no message box for rank {}", rank_, sent_.size(), destination);
    }
  }

  void count(int destination, std::size_t bytes) {
    const SentTraffic one{.messages = 1, .bytes = bytes};
    sent_[static_cast<std::size_t>(destination)] += one;
    total_ += one;
  }
  ExchangeSeconds seconds_;  // NOLINT(*-non-private-member-variables-in-classes): for those that exchange

 private:
  int rank_;
  std::size_t message_bytes_;
  std::vector<SentTraffic> sent_;
  SentTraffic total_;
};

// The exchange that sends messages while ranks go on working. Each back end has its own (mailbox_*.cpp).

/// Sends whole messages from any rank to any other while the ranks go on working, several at a time to each. Sends are
/// asynchronous, interleaved with tests for arrivals. By default between few ranks, an end mark per pair ends the
/// superstep, as in Fuentes et al. 2014, section III. Used from one thread per rank.
class Mailbox final : public MessageExchange {
 public:
  /// Messages have 1 to message_bytes bytes, fewer than 2^31. Collective.
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler)
      : Mailbox(ranks, message_bytes, std::move(handler), termination_for(ranks.size())) {}
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler, Termination termination)
      : Mailbox(ranks, message_bytes, std::move(handler), ranks.others(), termination) {}
  /// Between few ranks only: each rank sends only to its peers. If rank a is a peer of b, b must be a peer of a.
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler, std::vector<int> peers,
          Termination termination);
  ~Mailbox() override;

  /// Copies the message and sends it to another rank. While too many messages are under way, it handles arrivals.
  /// Throws Error if the size is not as declared, or if the destination is this rank or does not exist.
  void send(int destination, std::span<const std::byte> message) override;
  /// Handles what has arrived.
  void poll() override;
  /// Ends the superstep: handles messages until no peer has more to send.
  void finish() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The exchange that holds messages back until the end of a superstep and then sends them together.

/// The bulk-synchronous exchange in two phases of Checconi & Petrini 2014 (section IV-B, the baseline of fig. 7): ranks
/// first only collect messages by destination; then they exchange the byte counts and all the bytes, and handle the
/// messages that arrived. Nothing overlaps, and a rank holds all messages that it sends in a superstep. Memory for
/// arrivals is bounded, because the exchange takes as many rounds as the rank with most bytes needs. Used from one
/// thread per rank.
///
/// The traffic counts one message for each round and destination that receives something. Its bytes include a length of
/// 8 bytes for each message and padding to 8 bytes.
class BulkExchange final : public MessageExchange {
 public:
  static constexpr std::size_t default_round_bytes = std::size_t{1} << 27;

  /// Messages have 1 to message_bytes bytes. In a round a rank receives at most `round_bytes`, plus one message from
  /// each other rank. `round_bytes` is the same on every rank.
  BulkExchange(const Communicator& ranks, std::size_t message_bytes, Handler handler,
               std::size_t round_bytes = default_round_bytes);

  /// Copies the message; nothing is sent yet.
  void send(int destination, std::span<const std::byte> message) override;
  /// Does nothing: messages arrive only in finish().
  void poll() override {}
  /// Exchanges and handles all messages. Collective.
  void finish() override;

 private:
  /// The messages for one rank, each preceded by its length.
  struct Outbox {
    std::vector<std::byte> bytes;
    std::vector<std::size_t> rounds;  ///< where each round's messages begin

    /// The bytes that are sent in a round.
    [[nodiscard]] std::span<const std::byte> of_round(std::size_t round) const;
  };

  void exchange_round(std::size_t round);
  void handle(int source, std::span<std::byte> messages);

  Communicator ranks_;
  Handler handler_;
  std::size_t piece_bytes_;  ///< per round and destination
  std::vector<Outbox> outboxes_;
};

}  // namespace breadth
