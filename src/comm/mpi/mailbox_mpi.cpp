// Mailbox on MPI point-to-point messages.
#include "comm/exchange/message_exchange.hpp"

#include <algorithm>
#include <array>

#include "comm/mpi/mpi_state.hpp"
#include "comm/phase.hpp"
#include "core/stopwatch.hpp"

namespace breadth {

using detail::check_mpi;

namespace {
/// A non-blocking barrier: complete() returns whether all ranks have entered. In round k a rank receives from the rank
/// 2^k before it and sends to the rank 2^k after it (Hensgen et al. 1988). MPI_Ibarrier is not used, because not every
/// MPI library makes it wait for all ranks.
class DisseminationBarrier {
 public:
  DisseminationBarrier(MPI_Comm ranks, int tag) : ranks_(ranks), tag_(tag) {
    check_mpi(MPI_Comm_rank(ranks, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(ranks, &size_), "MPI_Comm_size");
    start_round();
  }

  bool complete() {
    while (distance_ < size_) {
      int both = 0;
      check_mpi(MPI_Testall(2, requests_.data(), &both, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (both == 0) return false;
      distance_ *= 2;
      start_round();
    }
    return true;
  }

 private:
  void start_round() {
    if (distance_ >= size_) return;
    const int before = (rank_ + size_ - distance_) % size_;
    const int after = (rank_ + distance_) % size_;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, before, tag_, ranks_, requests_.data()), "MPI_Irecv");
    check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, after, tag_, ranks_, requests_.data() + 1), "MPI_Isend");
  }

  MPI_Comm ranks_;
  int tag_;
  int rank_ = 0;
  int size_ = 1;
  int distance_ = 1;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

constexpr int barrier_tag = 2;  // supersteps alternate between tags 0 and 1
}  // namespace

struct Mailbox::State {
  State(const Communicator& ranks, std::size_t message_bytes, Handler handler, std::vector<int> peers,
        Termination termination, ExchangeSeconds* seconds)
      : own(detail::duplicate(ranks.state().handle), ranks.state()),
        peers(std::move(peers)),
        termination(termination),
        start_send(termination == Termination::consensus ? MPI_Issend : MPI_Isend),
        handler(std::move(handler)),
        requests(slots(this->peers.size() + 1, message_bytes), MPI_REQUEST_NULL),
        outgoing(requests.size()),
        incoming(message_bytes),
        seconds(seconds),
        sent_to(static_cast<std::size_t>(ranks.size())) {}

  /// The number of messages under way: several for each rank if ranks are few; large messages take at most 64 MiB, or
  /// one slot for each rank. The number is bounded if ranks are many, because all ranks together would hold ranks^2
  /// messages.
  static std::size_t slots(std::size_t ranks, std::size_t message_bytes) {
    constexpr std::size_t max_bytes = std::size_t{1} << 26;
    constexpr std::size_t few = 256;
    return std::clamp(max_bytes / message_bytes, std::min(ranks, few), 16 + 4 * std::min(ranks, few));
  }

  /// Adds the duration of body to `sum`, without the time spent on handling messages.
  template <class Body>
  auto timed(double& sum, Body&& body) {
    const double handled_before = handling_seconds;
    const Stopwatch stopwatch;
    const auto result = body();
    sum += stopwatch.seconds() - (handling_seconds - handled_before);
    return result;
  }

  /// Returns a slot whose message has left; handles arrivals until there is one.
  std::size_t free_slot() {
    const auto next = static_cast<std::size_t>(next_slot++ % requests.size());
    return requests[next] == MPI_REQUEST_NULL ? next : timed(seconds->send, [this] { return wait_for_slot(); });
  }
  std::size_t wait_for_slot() {
    const Phase phase(own.phases, "waiting for messages to leave");
    while (true) {
      int index = MPI_UNDEFINED;
      int done = 0;
      check_mpi(MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &done, MPI_STATUS_IGNORE),
                "MPI_Testany");
      if (done != 0 && index != MPI_UNDEFINED) return static_cast<std::size_t>(index);
      if (receive()) phase.progress();
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
      ++received;
      const Stopwatch stopwatch;
      handler(status.MPI_SOURCE, std::span<std::byte>(incoming).first(static_cast<std::size_t>(bytes)));
      handling_seconds += stopwatch.seconds();
    }
    return true;
  }

  void send(int destination, std::span<const std::byte> message) {
    const std::size_t slot = free_slot();
    std::vector<std::byte>& copy = outgoing[slot];
    copy.assign(message.begin(), message.end());
    check_mpi(
        start_send(copy.data(), static_cast<int>(copy.size()), MPI_BYTE, destination, tag, own.handle, &requests[slot]),
        "MPI_Isend or MPI_Issend");
    ++sent_to[static_cast<std::size_t>(destination)];
  }

  void finish() {
    const Phase phase(own.phases, "waiting for messages to come");
    switch (termination) {
      case Termination::marks: finish_by_marks(phase); break;
      case Termination::consensus: finish_by_consensus(phase); break;
      case Termination::counts: finish_by_counts(phase); break;
    }
    tag ^= 1;  // a rank that is ahead may already send for the next superstep
  }

  void finish_by_marks(const Phase& phase) {
    for (const int peer : peers) send(peer, {});
    receive_until(phase, [this] { return finished == peers.size(); });
    wait_for_all_slots();
    finished = 0;
  }

  void finish_by_consensus(const Phase& phase) {
    auto under_way = requests.begin();
    receive_until(phase, [&] {
      while (under_way != requests.end() && done(*under_way)) ++under_way;
      return under_way == requests.end();
    });
    DisseminationBarrier barrier(own.handle, barrier_tag);
    receive_until(phase, [&] { return barrier.complete(); });
  }

  void finish_by_counts(const Phase& phase) {
    check_mpi(MPI_Ireduce_scatter_block(sent_to.data(), &sent_here, 1, MPI_UINT64_T, MPI_SUM, own.handle, &sum),
              "MPI_Ireduce_scatter_block");
    receive_until(phase, [&] { return done(sum) && received == sent_here; });
    wait_for_all_slots();  // a rank that takes part in the sum has no more to send, and goes on receiving
    std::ranges::fill(sent_to, 0);
    received = 0;
  }

  void wait_for_all_slots() {
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

  /// Whether the library may still read or write memory that is owned here.
  [[nodiscard]] bool under_way() const {
    const auto active = [](MPI_Request request) { return request != MPI_REQUEST_NULL; };
    return active(sum) || std::ranges::any_of(requests, active);
  }

  /// Whether the request is complete; if so, it is null afterwards.
  static bool done(MPI_Request& request) {
    int complete = 1;
    if (request != MPI_REQUEST_NULL) check_mpi(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    return complete != 0;
  }

  template <class Condition>
  void receive_until(const Phase& phase, Condition&& condition) {
    timed(seconds->finish, [&] {
      while (!condition()) {
        if (receive()) phase.progress();
      }
      return true;
    });
  }

  detail::CommunicatorState own;
  std::vector<int> peers;  ///< in the order in which they are sent end marks
  Termination termination;
  decltype(&MPI_Isend) start_send;
  Handler handler;
  std::vector<MPI_Request> requests;
  std::vector<std::vector<std::byte>> outgoing;  ///< by slot: the copy of its message
  std::vector<std::byte> incoming;
  std::size_t next_slot = 0;
  double handling_seconds = 0;
  ExchangeSeconds* seconds;
  std::size_t finished = 0;            ///< peers whose end marks have arrived
  std::uint64_t received = 0;          ///< messages in this superstep, without end marks
  std::vector<std::uint64_t> sent_to;  ///< messages sent in this superstep, by destination
  std::uint64_t sent_here = 0;         ///< messages that all ranks sent to this one, once `sum` is complete
  MPI_Request sum = MPI_REQUEST_NULL;
  int tag = 0;
};

Mailbox::Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler, std::vector<int> peers,
                 Termination termination)
    : MessageExchange(ranks, message_bytes),
      state_(std::make_unique<State>(ranks, message_bytes, std::move(handler), std::move(peers), termination,
                                     &seconds_)) {}

/// If messages have not left because something failed, their memory is not freed: the library may still read it.
Mailbox::~Mailbox() {
  if (state_->under_way()) (void)state_.release();
}

void Mailbox::send(int destination, std::span<const std::byte> message) {
  check(destination, message);
  state_->send(destination, message);
  count(destination, message.size());
}

void Mailbox::poll() {
  state_->timed(seconds_.receive, [this] {
    bool any = false;
    while (state_->receive()) any = true;
    return any;
  });
}

void Mailbox::finish() { state_->finish(); }

}  // namespace breadth
