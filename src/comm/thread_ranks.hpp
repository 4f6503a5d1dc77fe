// Ranks that are threads of one process, for tests. Included by the files of comm/ that end in _threads, and by the
// main function of tests.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace breadth {

namespace detail {

/// What one rank sends to another.
struct ThreadMessage {
  int source;
  std::uint64_t tag;
  int kind = 0;
  std::vector<std::byte> bytes = {};
  std::shared_ptr<void> shared = nullptr;  ///< what both then own
};

/// The messages of a group of ranks that nobody has received yet. Those with the same source, destination and tag keep
/// their order. Unlike in an MPI library there is always room for one more.
class ThreadMessages {
 public:
  explicit ThreadMessages(int ranks);

  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(inboxes_.size()); }
  void send(int destination, ThreadMessage message);
  /// The first message of this source and tag; waits until there is one.
  ThreadMessage receive(int rank, int source, std::uint64_t tag);
  /// The first message of this tag from any rank, if one has come or comes in that time.
  std::optional<ThreadMessage> receive_any(int rank, std::uint64_t tag, std::chrono::microseconds patience);
  /// How many messages of this source have not been received.
  [[nodiscard]] std::size_t under_way(int source) const noexcept;

 private:
  struct Inbox {
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<ThreadMessage> messages;
  };

  ThreadMessage take(Inbox& inbox, std::deque<ThreadMessage>::iterator message);
  Inbox& inbox(int rank) { return inboxes_[static_cast<std::size_t>(rank)]; }

  std::deque<Inbox> inboxes_;  // by destination
  // By source. Relaxed: that a message was received orders nothing else for its sender.
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
