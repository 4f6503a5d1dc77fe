// Mailbox for one rank, which has nobody to write to.
#include "comm/exchange/mailbox.hpp"
#include "core/errors.hpp"

namespace breadth {

struct Mailbox::State {};

Mailbox::Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler, std::vector<int>, Termination)
    : MessageExchange(ranks, message_bytes) {}
Mailbox::~Mailbox() = default;
void Mailbox::send(int destination, std::span<const std::byte>) {
  fail("rank 0 of 1 has no message box for rank {}", destination);
}
void Mailbox::poll() {}
void Mailbox::finish() {}

}  // namespace breadth
