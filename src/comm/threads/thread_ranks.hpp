// Ranks that are threads of one process: the single rank of a program without MPI, and several ranks in tests. Included
// by the files of comm/ that end in _threads, and by the main function of tests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace breadth {

namespace detail {

/// A message from one rank to another.
struct ThreadMessage {
  int source = 0;
  std::uint64_t tag = 0;
  int kind = 0;
  std::vector<std::byte> bytes = {};
  std::shared_ptr<void> shared = nullptr;  ///< an object that both ranks then own
};

/// The messages of a group of ranks that have not been received yet. Messages with equal source, destination and tag
/// keep their order. Unlike in an MPI library there is always room for one more message. Each rank calls from its own
/// thread.
///
/// Everything that the sender did before sending a message happens before everything that the receiver does after
/// receiving it. Messages order nothing else: there are no locks, because locks would order more and so hide races from
/// a thread sanitizer.
class ThreadMessages {
 public:
  explicit ThreadMessages(int ranks)
      : ranks_(ranks), channels_(square(ranks)), under_way_(static_cast<std::size_t>(ranks)) {}

  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  void send(int destination, ThreadMessage message);
  /// Returns the first message with this source and tag; waits until there is one.
  ThreadMessage receive(int rank, int source, std::uint64_t tag);
  /// Returns the first message with this tag from any rank, if one arrives within `patience`.
  std::optional<ThreadMessage> receive_any(int rank, std::uint64_t tag, std::chrono::microseconds patience);
  /// The number of messages from this source that have not been received.
  [[nodiscard]] std::size_t under_way(int source) const noexcept;

 private:
  /// The channel from one rank to another: a list to which the sender adds and from which the receiver takes.
  class Channel {
   public:
    Channel() : first_(new Node), last_(first_) {}
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    void add(ThreadMessage message);
    std::optional<ThreadMessage> take(std::uint64_t tag);

   private:
    struct Node {
      ThreadMessage message = {};
      std::atomic<Node*> next = nullptr;
    };

    Node* first_;                        // used by the receiver: the last message that it took
    Node* last_;                         // used by the sender
    std::deque<ThreadMessage> put_off_;  // used by the receiver: messages that it took while it looked for another tag
  };

  static std::size_t square(int ranks) { return static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks); }
  std::optional<ThreadMessage> take(int rank, int source, std::uint64_t tag);

  int ranks_;
  std::deque<Channel> channels_;  // by source, then by destination
  // By source. Updates are relaxed: the receipt of a message orders nothing for its sender.
  std::deque<std::atomic<std::size_t>> under_way_;
};

/// One rank's view of its group.
class CommunicatorState {
 public:
  CommunicatorState(std::shared_ptr<ThreadMessages> messages, int rank, PhaseSlot* phases = nullptr)
      : messages(std::move(messages)), rank(rank), phases(phases) {}

  /// Collectives share one tag, except that each non-blocking reduction has its own.
  static constexpr std::uint64_t collective_tag = 0;
  std::uint64_t next_reduction_tag() noexcept { return ++reduction_tag_; }

  void send(int destination, std::span<const std::byte> bytes, std::uint64_t tag = collective_tag) const {
    messages->send(destination, {.source = rank, .tag = tag, .bytes = {bytes.begin(), bytes.end()}});
  }
  [[nodiscard]] std::vector<std::byte> receive(int source, std::uint64_t tag = collective_tag) const {
    return messages->receive(rank, source, tag).bytes;
  }
  /// Calls make() on the group's first rank and returns the resulting object on all ranks. Collective.
  template <class Make>
  auto share(Make&& make) const -> decltype(make()) {
    using Shared = typename decltype(make())::element_type;
    if (rank != 0) return std::static_pointer_cast<Shared>(messages->receive(rank, 0, collective_tag).shared);
    const std::shared_ptr<Shared> made = make();
    for (int other = 1; other < messages->ranks(); ++other) {
      messages->send(other, {.source = rank, .tag = collective_tag, .shared = made});
    }
    return made;
  }

  const std::shared_ptr<ThreadMessages> messages;
  const int rank;
  PhaseSlot* phases;  ///< nullptr if no watchdog is active

 private:
  std::uint64_t reduction_tag_ = collective_tag;
};

/// Combines values with those of another rank, element by element, in place.
void combine(std::byte* values, const std::byte* others, std::size_t count, ElementType type, Reduction reduction);

}  // namespace detail

/// The ranks of a new group, one for each of `count` threads.
std::vector<Communicator> ranks_of_threads(int count);

}  // namespace breadth
