// Mailbox on MPI point-to-point messages.
#include <cstring>

#include "comm/mailbox.hpp"
#include "comm/mpi_state.hpp"

namespace breadth {

using detail::check_mpi;

struct Mailbox::State {
  State(const Communicator& ranks, std::size_t message_bytes, Handler handler)
      : own(detail::duplicate(ranks.state().handle)),
        rank(ranks.rank()),
        size(ranks.size()),
        message_bytes(message_bytes),
        handler(std::move(handler)),
        requests(slots(size), MPI_REQUEST_NULL),
        outgoing(requests.size() * message_bytes),
        incoming(message_bytes) {}

  /// Enough for some messages to every rank, and bounded.
  static std::size_t slots(int ranks) { return 16 + 4 * static_cast<std::size_t>(ranks); }

  /// A slot whose message has left, handling arrivals until there is one.
  std::size_t free_slot() {
    while (true) {
      int index = MPI_UNDEFINED;
      int done = 0;
      const auto next = static_cast<std::size_t>(next_slot++ % requests.size());
      if (requests[next] == MPI_REQUEST_NULL) return next;
      check_mpi(MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &done, MPI_STATUS_IGNORE),
                "MPI_Testany");
      if (done != 0 && index != MPI_UNDEFINED) return static_cast<std::size_t>(index);
      receive();
    }
  }

  /// Handles one message if one has arrived; returns whether one had.
  bool receive() {
    int arrived = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag, own.handle, &arrived, &status), "MPI_Iprobe");
    if (arrived == 0) return false;
    int bytes = 0;
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    check_mpi(MPI_Recv(incoming.data(), static_cast<int>(incoming.size()), MPI_BYTE, status.MPI_SOURCE, tag, own.handle,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
    if (bytes == 0) {
      ++finished;
    } else {
      handler(status.MPI_SOURCE, std::span<std::byte>(incoming).first(static_cast<std::size_t>(bytes)));
    }
    return true;
  }

  void send(int destination, std::span<const std::byte> message) {
    const std::size_t slot = free_slot();
    std::byte* copy = outgoing.data() + slot * message_bytes;
    if (!message.empty()) std::memcpy(copy, message.data(), message.size());
    check_mpi(
        MPI_Isend(copy, static_cast<int>(message.size()), MPI_BYTE, destination, tag, own.handle, &requests[slot]),
        "MPI_Isend");
  }

  void finish() {
    for (int step = 1; step < size; ++step) send((rank + step) % size, {});
    while (finished < size - 1) receive();
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    finished = 0;
    tag ^= 1;  // a rank that is ahead may already send for the next superstep
  }

  detail::CommunicatorState own;
  int rank;
  int size;
  std::size_t message_bytes;
  Handler handler;
  std::vector<MPI_Request> requests;
  std::vector<std::byte> outgoing;
  std::vector<std::byte> incoming;
  std::size_t next_slot = 0;
  int finished = 0;
  int tag = 0;
};

Mailbox::Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler)
    : state_(std::make_unique<State>(ranks, message_bytes, std::move(handler))) {}

Mailbox::~Mailbox() = default;

void Mailbox::send(int destination, std::span<const std::byte> message) {
  if (message.empty() || message.size() > state_->message_bytes) {
    fail("a message of {} bytes in a mailbox for 1 to {}", message.size(), state_->message_bytes);
  }
  if (destination < 0 || destination >= state_->size || destination == state_->rank) {
    fail("rank {} of {} has no message box for rank {}", state_->rank, state_->size, destination);
  }
  state_->send(destination, message);
  ++messages_;
  bytes_ += message.size();
}

void Mailbox::poll() {
  while (state_->receive()) {
  }
}

void Mailbox::finish() { state_->finish(); }

}  // namespace breadth
