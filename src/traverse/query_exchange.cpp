#include "traverse/query_exchange.hpp"

#include <thread>
#include <utility>

namespace breadth {

namespace {
/// A thread whose messages thread 0 has not sent yet waits when this many are full: memory stays bounded.
constexpr std::size_t most_full = 1024;
}  // namespace

template <class Word>
QueryExchange<Word>::QueryExchange(const Context& context, std::size_t coalescing, Handler handler)
    : coalescing_(coalescing),
      mailbox_(context.ranks, 2 * coalescing * sizeof(Word),
               [handler = std::move(handler)](int, std::span<std::byte> message) {
                 handler(QueryMessage<Word>({reinterpret_cast<Word*>(message.data()), message.size() / sizeof(Word)}));
               }),
      open_(static_cast<std::size_t>(context.threads.size()),
            std::vector<OpenMessage>(static_cast<std::size_t>(context.ranks.size()))) {}

template <class Word>
void QueryExchange<Word>::hand_over(int thread, int destination, OpenMessage& open) {
  open.end_run();
  if (thread == 0) {
    send(destination, open.words);
    open.clear();
    return;
  }
  while (full_count_.load(std::memory_order_relaxed) >= most_full) std::this_thread::yield();
  const std::lock_guard lock(full_mutex_);
  full_.push_back({destination, std::exchange(open.words, {})});
  open.clear();
  full_count_.store(full_.size(), std::memory_order_relaxed);
}

template <class Word>
void QueryExchange<Word>::send(int destination, std::span<const Word> words) {
  mailbox_.send(destination, std::as_bytes(words));
}

template <class Word>
void QueryExchange<Word>::send_left_over() {
  if (full_count_.load(std::memory_order_relaxed) == 0) return;
  std::vector<FullMessage> full;
  {
    const std::lock_guard lock(full_mutex_);
    full.swap(full_);
    full_count_.store(0, std::memory_order_relaxed);
  }
  for (const FullMessage& message : full) send(message.destination, message.words);
}

template <class Word>
void QueryExchange<Word>::progress() {
  send_left_over();
  mailbox_.poll();
}

template <class Word>
void QueryExchange<Word>::leave(int thread, int workers) {
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

template <class Word>
void QueryExchange<Word>::finish() {
  send_left_over();
  for (auto& messages : open_) {
    for (std::size_t destination = 0; destination < messages.size(); ++destination) {
      OpenMessage& open = messages[destination];
      if (open.queries == 0) continue;
      open.end_run();
      send(static_cast<int>(destination), open.words);
      open.clear();
    }
  }
  mailbox_.finish();
}

template class QueryExchange<std::uint32_t>;
template class QueryExchange<std::uint64_t>;

}  // namespace breadth
