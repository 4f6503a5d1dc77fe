// Coalesced messages between ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "comm/communicator.hpp"

namespace breadth {

/// Sends whole messages from any rank to any other while the ranks go on working, in supersteps: `finish` returns when
/// every message of the superstep has been handled by its receiver. Asynchronous sends with an interleaved receive
/// test and an end mark a pair of ranks, as in Fuentes et al. 2014, section III. Used from one thread a rank.
class Mailbox {
 public:
  /// Called for each message that arrives, inside send, poll and finish. It must not call the mailbox; the
  /// message is its own until it returns.
  using Handler = std::function<void(int source, std::span<std::byte> message)>;

  /// Messages have 1 to message_bytes bytes. Collective.
  Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler);
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Copies the message and sends it to another rank. While too many are under way, it handles what arrives. Throws
  /// Error for a message of another size than declared, or to this rank itself or one that does not exist.
  void send(int destination, std::span<const std::byte> message);
  /// Handles what has arrived.
  void poll();
  /// Ends the superstep: tells every rank that no more comes from here, then handles messages until all have said so.
  void finish();

  /// Sent by this rank since construction, end marks not counted.
  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace breadth
