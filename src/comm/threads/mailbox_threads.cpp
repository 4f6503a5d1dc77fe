// Mailbox without MPI.
#include "comm/exchange/message_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "comm/phase.hpp"
#include "comm/threads/thread_ranks.hpp"
#include "core/stopwatch.hpp"

namespace breadth {

struct Mailbox::State {
  enum MessageKind : int {
    payload,
    end_mark,    ///< the sender has no more to send
    entered,     ///< the sender has entered the barrier: all its messages were received
    sent_count,  ///< how many messages the sender sent to this rank
  };
  static constexpr std::chrono::microseconds no_time{0};
  static constexpr std::chrono::microseconds short_time{100};

  State(const Communicator& ranks, Handler handler, std::vector<int> peers, Termination termination,
        ExchangeSeconds* seconds)
      : own(ranks.split(0, ranks.rank())),
        peers(std::move(peers)),
        termination(termination),
        handler(std::move(handler)),
        seconds(seconds),
        sent_to(static_cast<std::size_t>(ranks.size())) {}

  /// Adds the duration of body to `sum`, without the time spent on handling messages.
  template <class Body>
  void timed(double& sum, Body&& body) {
    const double handled_before = handling_seconds;
    const Stopwatch stopwatch;
    body();
    sum += stopwatch.seconds() - (handling_seconds - handled_before);
  }

  [[nodiscard]] std::size_t under_way() const { return own.state().messages->under_way(own.rank()); }

  void send(int destination, MessageKind kind, std::span<const std::byte> message = {}) {
    own.state().messages->send(
        destination, {.source = own.rank(), .tag = superstep, .kind = kind, .bytes = {message.begin(), message.end()}});
  }

  /// If many messages are under way, handles arrivals inside of send(), as the mailbox on MPI does while it waits for
  /// earlier messages to leave. This mailbox never has to wait.
  void let_others_receive() {
    constexpr std::size_t many_under_way = 16;
    if (under_way() < many_under_way) return;
    const Phase phase(own.phases(), "waiting for messages to leave");
    std::this_thread::yield();
    while (receive(no_time)) phase.progress();
  }

  /// Handles one message if one arrives within `patience`; returns whether one did.
  bool receive(std::chrono::microseconds patience) {
    std::optional<detail::ThreadMessage> message = own.state().messages->receive_any(own.rank(), superstep, patience);
    if (!message) return false;
    switch (message->kind) {
      case payload: handle(*message); break;
      case end_mark: ++finished; break;
      case entered: ++gathered; break;
      case sent_count: {
        std::uint64_t count = 0;
        std::memcpy(&count, message->bytes.data(), sizeof(count));
        expected += count;
        ++counted;
        break;
      }
    }
    return true;
  }

  void handle(detail::ThreadMessage& message) {
    ++received;
    const Stopwatch stopwatch;
    handler(message.source, message.bytes);
    handling_seconds += stopwatch.seconds();
  }

  void finish() {
    const Phase phase(own.phases(), "waiting for messages to come");
    const std::vector<int> others = own.others();
    switch (termination) {
      case Termination::marks:
        for (const int peer : peers) send(peer, end_mark);
        receive_until(phase, [&] { return finished == peers.size(); });
        break;
      case Termination::consensus:
        receive_until(phase, [&] { return under_way() == 0; });
        for (const int other : others) send(other, entered);
        receive_until(phase, [&] { return gathered == others.size(); });
        break;
      case Termination::counts:
        for (const int other : others) {
          send(other, sent_count, std::as_bytes(std::span(&sent_to[static_cast<std::size_t>(other)], 1)));
        }
        receive_until(phase, [&] { return counted == others.size() && received == expected; });
        break;
    }
    finished = gathered = counted = 0;
    received = expected = 0;
    std::ranges::fill(sent_to, 0);
    ++superstep;  // a rank that is ahead may already send for the next one
  }

  template <class Condition>
  void receive_until(const Phase& phase, Condition&& condition) {
    timed(seconds->finish, [&] {
      while (!condition()) {
        if (receive(short_time)) phase.progress();
      }
    });
  }

  Communicator own;  ///< the same ranks, with separate messages
  std::vector<int> peers;
  Termination termination;
  Handler handler;
  ExchangeSeconds* seconds;
  double handling_seconds = 0;
  std::uint64_t superstep = detail::CommunicatorState::collective_tag + 1;
  // In this superstep:
  std::size_t finished = 0;            ///< peers whose end marks have arrived
  std::size_t gathered = 0;            ///< ranks that have entered the barrier
  std::size_t counted = 0;             ///< ranks whose counts have arrived
  std::uint64_t received = 0;          ///< payload messages
  std::uint64_t expected = 0;          ///< payload messages sent here, by the counts so far
  std::vector<std::uint64_t> sent_to;  ///< by rank
};

Mailbox::Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler handler, std::vector<int> peers,
                 Termination termination)
    : MessageExchange(ranks, message_bytes),
      state_(std::make_unique<State>(ranks, std::move(handler), std::move(peers), termination, &seconds_)) {}

Mailbox::~Mailbox() = default;

void Mailbox::send(int destination, std::span<const std::byte> message) {
  check(destination, message);
  state_->timed(seconds_.send, [this] { state_->let_others_receive(); });
  state_->send(destination, State::payload, message);
  ++state_->sent_to[static_cast<std::size_t>(destination)];
  count(destination, message.size());
}

void Mailbox::poll() {
  state_->timed(seconds_.receive, [this] {
    while (state_->receive(State::no_time)) {
    }
  });
}

void Mailbox::finish() { state_->finish(); }

}  // namespace breadth
