// Coalesced messages between ranks.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/exchange/message_exchange.hpp"

namespace breadth {

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

}  // namespace breadth
