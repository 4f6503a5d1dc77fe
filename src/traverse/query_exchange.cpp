#include "traverse/query_exchange.hpp"

#include <thread>
#include <utility>

namespace breadth {

namespace {
/// A thread whose messages thread 0 has not sent yet waits when this many are full: memory stays bounded.
constexpr std::size_t most_full = 1024;
}  // namespace

template <class ParentLabel>
QueryExchange<ParentLabel>::QueryExchange(const Context& context, std::size_t coalescing, Handler handler)
    : coalescing_(coalescing),
      mailbox_(context.ranks, coalescing * sizeof(Query),
               [handler = std::move(handler)](int, std::span<const std::byte> message) {
                 handler({reinterpret_cast<const Query*>(message.data()), message.size() / sizeof(Query)});
               }),
      open_(static_cast<std::size_t>(context.threads.size()),
            std::vector<std::vector<Query>>(static_cast<std::size_t>(context.ranks.size()))) {}

template <class ParentLabel>
void QueryExchange<ParentLabel>::hand_over(int thread, int destination, std::vector<Query>& open) {
  if (thread == 0) {
    send(destination, open);
    open.clear();
    return;
  }
  while (full_count_.load(std::memory_order_relaxed) >= most_full) std::this_thread::yield();
  const std::lock_guard lock(full_mutex_);
  full_.push_back({destination, std::exchange(open, {})});
  full_count_.store(full_.size(), std::memory_order_relaxed);
}

template <class ParentLabel>
void QueryExchange<ParentLabel>::send(int destination, std::span<const Query> queries) {
  mailbox_.send(destination, std::as_bytes(queries));
}

template <class ParentLabel>
void QueryExchange<ParentLabel>::send_left_over() {
  if (full_count_.load(std::memory_order_relaxed) == 0) return;
  std::vector<Full> full;
  {
    const std::lock_guard lock(full_mutex_);
    full.swap(full_);
    full_count_.store(0, std::memory_order_relaxed);
  }
  for (const Full& message : full) send(message.destination, message.queries);
}

template <class ParentLabel>
void QueryExchange<ParentLabel>::progress() {
  send_left_over();
  mailbox_.poll();
}

template <class ParentLabel>
void QueryExchange<ParentLabel>::leave(int thread, int workers) {
  if (thread != 0) {
    left_.fetch_add(1, std::memory_order_acq_rel);
    return;
  }
  while (left_.load(std::memory_order_acquire) < workers - 1) {
    progress();
    std::this_thread::yield();
  }
  left_.store(0, std::memory_order_relaxed);
}

template <class ParentLabel>
void QueryExchange<ParentLabel>::finish() {
  send_left_over();
  for (auto& messages : open_) {
    for (std::size_t destination = 0; destination < messages.size(); ++destination) {
      if (messages[destination].empty()) continue;
      send(static_cast<int>(destination), messages[destination]);
      messages[destination].clear();
    }
  }
  mailbox_.finish();
}

template class QueryExchange<std::uint32_t>;
template class QueryExchange<std::uint64_t>;

}  // namespace breadth
