#include "comm/thread_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/errors.hpp"

namespace breadth {

namespace detail {

ThreadMessages::ThreadMessages(int ranks)
    : inboxes_(static_cast<std::size_t>(ranks)), under_way_(static_cast<std::size_t>(ranks)) {}

void ThreadMessages::send(int destination, ThreadMessage message) {
  under_way_[static_cast<std::size_t>(message.source)].fetch_add(1, std::memory_order_relaxed);
  Inbox& to = inbox(destination);
  const std::lock_guard lock(to.mutex);
  to.messages.push_back(std::move(message));
  to.filled.notify_one();
}

ThreadMessage ThreadMessages::receive(int rank, int source, std::uint64_t tag) {
  Inbox& own = inbox(rank);
  std::unique_lock lock(own.mutex);
  while (true) {
    const auto found = std::find_if(own.messages.begin(), own.messages.end(), [&](const ThreadMessage& message) {
      return message.source == source && message.tag == tag;
    });
    if (found != own.messages.end()) return take(own, found);
    own.filled.wait(lock);
  }
}

std::optional<ThreadMessage> ThreadMessages::receive_any(int rank, std::uint64_t tag,
                                                         std::chrono::microseconds patience) {
  Inbox& own = inbox(rank);
  std::unique_lock lock(own.mutex);
  const auto find = [&] {
    return std::find_if(own.messages.begin(), own.messages.end(),
                        [&](const ThreadMessage& message) { return message.tag == tag; });
  };
  auto found = find();
  if (found == own.messages.end() && patience.count() > 0) {
    own.filled.wait_for(lock, patience);
    found = find();
  }
  if (found == own.messages.end()) return std::nullopt;
  return take(own, found);
}

ThreadMessage ThreadMessages::take(Inbox& inbox, std::deque<ThreadMessage>::iterator message) {
  ThreadMessage taken = std::move(*message);
  inbox.messages.erase(message);
  under_way_[static_cast<std::size_t>(taken.source)].fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

std::size_t ThreadMessages::under_way(int source) const noexcept {
  return under_way_[static_cast<std::size_t>(source)].load(std::memory_order_relaxed);
}

namespace {
template <class T>
T combined(T one, T other, Reduction reduction) {
  switch (reduction) {
    case Reduction::sum: return one + other;
    case Reduction::minimum: return std::min(one, other);
    case Reduction::maximum: return std::max(one, other);
    case Reduction::bitwise_or:
      if constexpr (std::is_integral_v<T>) return one | other;
  }
  fail("no such reduction of these values");
}

template <class T>
void combine_all(std::byte* values, const std::byte* others, std::size_t count, Reduction reduction) {
  for (std::size_t i = 0; i < count; ++i) {
    T one;
    T other;
    std::memcpy(&one, values + i * sizeof(T), sizeof(T));
    std::memcpy(&other, others + i * sizeof(T), sizeof(T));
    one = combined(one, other, reduction);
    std::memcpy(values + i * sizeof(T), &one, sizeof(T));
  }
}
}  // namespace

void combine(std::byte* values, const std::byte* others, std::size_t count, ElementType type, Reduction reduction) {
  switch (type) {
    case ElementType::int64: return combine_all<std::int64_t>(values, others, count, reduction);
    case ElementType::uint64: return combine_all<std::uint64_t>(values, others, count, reduction);
    case ElementType::uint32: return combine_all<std::uint32_t>(values, others, count, reduction);
    case ElementType::float64: return combine_all<double>(values, others, count, reduction);
    case ElementType::uint8: return combine_all<std::uint8_t>(values, others, count, reduction);
  }
  fail("unknown element type");
}

}  // namespace detail

std::vector<Communicator> ranks_of_threads(int count) {
  const auto messages = std::make_shared<detail::ThreadMessages>(count);
  std::vector<Communicator> ranks;
  for (int rank = 0; rank < count; ++rank) {
    ranks.emplace_back(std::make_shared<detail::CommunicatorState>(messages, rank));
  }
  return ranks;
}

}  // namespace breadth
