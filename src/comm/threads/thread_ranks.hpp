// Ranks that are threads of one process: the one of a program without MPI, and several in tests. Included by the files
// of comm/ that end in _threads, and by the main function of tests.
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

/// What one rank sends to another.
struct ThreadMessage {
  int source = 0;
  std::uint64_t tag = 0;
  int kind = 0;
  std::vector<std::byte> bytes = {};
  std::shared_ptr<void> shared = nullptr;  ///< what both then own
};

/// The messages of a group of ranks that nobody has received yet. Those with the same source, destination and tag keep
/// their order. Unlike in an MPI library there is always room for one more. Each rank calls from its own thread.
///
/// A message orders what its sender did before it ahead of what its receiver does after it, and nothing else: there are
/// no locks, which would order more, and so hide races from a thread sanitizer.
class ThreadMessages {
 public:
  explicit ThreadMessages(int ranks)
      : ranks_(ranks), channels_(square(ranks)), under_way_(static_cast<std::size_t>(ranks)) {}

  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  void send(int destination, ThreadMessage message);
  /// The first message of this source and tag; waits until there is one.
  ThreadMessage receive(int rank, int source, std::uint64_t tag);
  /// The first message of this tag from any rank, if one has come or comes in that time.
  std::optional<ThreadMessage> receive_any(int rank, std::uint64_t tag, std::chrono::microseconds patience);
  /// How many messages of this source have not been received.
  [[nodiscard]] std::size_t under_way(int source) const noexcept;

 private:
  /// From one rank to one other: a list that the sender adds to and the receiver takes from.
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

    Node* first_;                        // the receiver's: the message that it took last
    Node* last_;                         // the sender's
    std::deque<ThreadMessage> put_off_;  // the receiver's: taken from the list while it looked for another tag
  };

  static std::size_t square(int ranks) { return static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks); }
  std::optional<ThreadMessage> take(int rank, int source, std::uint64_t tag);

  int ranks_;
  std::deque<Channel> channels_;  // by source, then by destination
  // By source. Relaxed: that a message was received orders nothing for its sender.
  std::deque<std::atomic<std::size_t>> under_way_;
};

/// One rank's view of its group.
class CommunicatorState {
 public:
  CommunicatorState(std::shared_ptr<ThreadMessages> messages, int rank, PhaseSlot* phases = nullptr)
      : messages(std::move(messages)), rank(rank), phases(phases) {}

  /// The tags of collectives: all have one, but reductions that do not block have one each.
  static constexpr std::uint64_t collective_tag = 0;
  std::uint64_t next_reduction_tag() noexcept { return ++reduction_tag_; }

  void send(int destination, std::span<const std::byte> bytes, std::uint64_t tag = collective_tag) const {
    messages->send(destination, {.source = rank, .tag = tag, .bytes = {bytes.begin(), bytes.end()}});
  }
  [[nodiscard]] std::vector<std::byte> receive(int source, std::uint64_t tag = collective_tag) const {
    return messages->receive(rank, source, tag).bytes;
  }
  /// What `make` makes on the group's first rank, on all of them. Collective.
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
  PhaseSlot* phases;  ///< nullptr where nobody watches

 private:
  std::uint64_t reduction_tag_ = collective_tag;
};

/// Combines values with those of another rank, element by element.
void combine(std::byte* values, const std::byte* others, std::size_t count, ElementType type, Reduction reduction);

}  // namespace detail

/// The ranks of a new group, each for a thread of its own.
std::vector<Communicator> ranks_of_threads(int count);

}  // namespace breadth
