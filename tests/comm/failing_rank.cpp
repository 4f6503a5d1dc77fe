// failing_rank ENDING: the ranks send each other large messages through a mailbox. On rank 0 the handler of messages
// throws while rank 0's own messages are still under way. As in the program, rank 0 prints the reason and ends the
// other ranks, but first it lets MPI make progress on the pending messages. ENDING is how the end of a superstep is
// detected: marks, consensus or counts.
#include <cstdio>
#include <string>
#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "core/errors.hpp"

namespace breadth {
namespace {
constexpr std::size_t message_bytes = std::size_t{1} << 20;

Termination termination_of(const std::string& name) {
  if (name == "marks") return Termination::marks;
  return name == "counts" ? Termination::counts : Termination::consensus;
}

std::byte content_of(int rank) { return static_cast<std::byte>(0x10 + rank); }

/// One superstep in which every rank sends to every other one.
void exchange(const Communicator& ranks, Termination termination) {
  Mailbox mailbox(
      ranks, message_bytes,
      [&ranks](int source, std::span<std::byte> message) {
        for (const std::byte byte : message) {
          if (byte != content_of(source)) fail("a message of rank {} holds something else", source);
        }
        if (ranks.rank() == 0) fail("the handler cannot go on");
      },
      termination);
  const std::vector<std::byte> message(message_bytes, content_of(ranks.rank()));
  for (int step = 1; step < ranks.size(); ++step) mailbox.send((ranks.rank() + step) % ranks.size(), message);
  mailbox.finish();
}

int run(const MessagePassing& message_passing, const std::string& ending) {
  const Communicator ranks = message_passing.world();
  Mailbox other(ranks, message_bytes, [](int, std::span<std::byte>) {});
  try {
    exchange(ranks, termination_of(ending));
  } catch (const Error& error) {
    constexpr int polls = 100;  // in each, MPI makes progress on all pending messages
    for (int i = 0; i < polls; ++i) other.poll();
    std::fprintf(stderr, "failing_rank: %s (on rank %d of %d)\n", error.what(), ranks.rank(), ranks.size());
    message_passing.abort(3);
  }
  other.finish();  // never returns
  return 0;
}
}  // namespace
}  // namespace breadth

int main(int argc, char** argv) {
  const breadth::MessagePassing message_passing(argc, argv);
  return breadth::run(message_passing, argv[1]);
}
