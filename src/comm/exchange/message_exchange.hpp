// Messages between ranks in supersteps: what all exchanges have in common, one that sends at once (Mailbox), and one
// that sends at the end (BulkExchange). comm/routes has the one that other ranks forward.
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
/// that is for this rank has been handled. Used from one thread a rank.
class MessageExchange {
 public:
  /// Called for each message that arrives, inside send, poll and finish. It must not call the exchange; the message is
  /// its own until it returns.
  using Handler = std::function<void(int source, std::span<std::byte> message)>;

  MessageExchange() = default;
  virtual ~MessageExchange() = default;
  MessageExchange(const MessageExchange&) = delete;
  MessageExchange& operator=(const MessageExchange&) = delete;

  /// Copies the message, for another rank. Throws Error for a message of another size than declared, or to this rank
  /// itself or one that does not exist.
  virtual void send(int destination, std::span<const std::byte> message) = 0;
  /// Handles what has arrived.
  virtual void poll() = 0;
  /// Ends the superstep. Collective.
  virtual void finish() = 0;

  /// Sent by this rank since construction, by destination. What only tells that a superstep ends, or how much comes, is
  /// not counted.
  [[nodiscard]] virtual std::span<const SentTraffic> sent() const noexcept { return sent_; }
  /// The same to all together.
  [[nodiscard]] virtual SentTraffic total() const noexcept { return total_; }
  [[nodiscard]] std::uint64_t messages() const noexcept { return total().messages; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return total().bytes; }
  /// Since construction.
  [[nodiscard]] virtual const ExchangeSeconds& seconds() const noexcept { return seconds_; }

 protected:
  /// Messages have 1 to message_bytes bytes.
  MessageExchange(const Communicator& ranks, std::size_t message_bytes)
      : rank_(ranks.rank()), message_bytes_(message_bytes), sent_(static_cast<std::size_t>(ranks.size())) {}

  /// Throws Error for what send() does not take.
  void check(int destination, std::span<const std::byte> message) const {
    if (message.empty() || message.size() > message_bytes_) {
      fail("a message of {} bytes in a mailbox for 1 to {}", message.size(), message_bytes_);
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

// Messages that are sent while ranks go on working. Each back end has its own (mailbox_*.cpp).

/// Sends whole messages from any rank to any other while the ranks go on working, several at a time to each.
/// Asynchronous sends with an interleaved receive test and, by default between few ranks, an end mark a pair, as in
/// Fuentes et al. 2014, section III. Used from one thread a rank.
class Mailbox final : public MessageExchange {
 public:
  /// Messages have 1 to message_bytes bytes, fewer than 2^31. Collective.
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler)
      : Mailbox(ranks, message_bytes, std::move(handler), termination_for(ranks.size())) {}
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler, Termination termination)
      : Mailbox(ranks, message_bytes, std::move(handler), ranks.others(), termination) {}
  /// The same where ranks send to their peers alone. Who is a rank's peer has it as a peer.
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler, std::vector<int> peers,
          Termination termination);
  ~Mailbox() override;

  /// Copies the message and sends it to another rank. While too many are under way, it handles what arrives. Throws
  /// Error for a message of another size than declared, or to this rank itself or one that does not exist.
  void send(int destination, std::span<const std::byte> message) override;
  /// Handles what has arrived.
  void poll() override;
  /// Ends the superstep: handles messages until no peer has more to send.
  void finish() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Messages that wait for the end of a superstep and then travel together.

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
