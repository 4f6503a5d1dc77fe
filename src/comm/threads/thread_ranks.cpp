#include "comm/threads/thread_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "core/errors.hpp"

namespace breadth {

namespace detail {

ThreadMessages::Channel::~Channel() {
  for (Node* node = first_; node != nullptr;) delete std::exchange(node, node->next.load(std::memory_order_relaxed));
}

void ThreadMessages::Channel::add(ThreadMessage message) {
  auto* const node = new Node{.message = std::move(message)};
  last_->next.store(node, std::memory_order_release);
  last_ = node;
}

std::optional<ThreadMessage> ThreadMessages::Channel::take(std::uint64_t tag) {
  const auto found = std::ranges::find(put_off_, tag, &ThreadMessage::tag);
  if (found != put_off_.end()) {
    ThreadMessage taken = std::move(*found);
    put_off_.erase(found);
    return taken;
  }
  while (Node* const next = first_->next.load(std::memory_order_acquire)) {
    delete std::exchange(first_, next);
    if (next->message.tag == tag) return std::move(next->message);
    put_off_.push_back(std::move(next->message));
  }
  return std::nullopt;
}

void ThreadMessages::send(int destination, ThreadMessage message) {
  const auto source = static_cast<std::size_t>(message.source);
  under_way_[source].fetch_add(1, std::memory_order_relaxed);
  channels_[source * under_way_.size() + static_cast<std::size_t>(destination)].add(std::move(message));
}

std::optional<ThreadMessage> ThreadMessages::take(int rank, int source, std::uint64_t tag) {
  const auto from = static_cast<std::size_t>(source);
  std::optional<ThreadMessage> taken = channels_[from * under_way_.size() + static_cast<std::size_t>(rank)].take(tag);
  if (taken) under_way_[from].fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

namespace {
/// Calls look() until it returns something or `patience` has passed. Yields to other ranks at first, then sleeps
/// between calls.
template <class Look>
auto look_for(std::optional<std::chrono::microseconds> patience, Look&& look) {
  constexpr int yields = 20;
  constexpr std::chrono::microseconds nap{50};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0;; ++i) {
    auto found = look();
    if (found || (patience && std::chrono::steady_clock::now() - start >= *patience)) return found;
    if (i < yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
}
}  // namespace

ThreadMessage ThreadMessages::receive(int rank, int source, std::uint64_t tag) {
  return *look_for(std::nullopt, [&] { return take(rank, source, tag); });
}

std::optional<ThreadMessage> ThreadMessages::receive_any(int rank, std::uint64_t tag,
                                                         std::chrono::microseconds patience) {
  return look_for(patience, [&] {
    std::optional<ThreadMessage> found;
    for (int step = 1; step < ranks_ && !found; ++step) found = take(rank, (rank + step) % ranks_, tag);
    return found;
  });
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
