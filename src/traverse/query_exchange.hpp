// Coalesced queries between ranks: "your vertex is my frontier vertex's neighbour".
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "comm/mailbox.hpp"

namespace breadth {

/// Queries on their way, "your vertex is a neighbour of mine": runs of targets that get the same parent, unless they
/// have one. In words as wide as a neighbour: the parent's label, then the targets' local ids, the last of them marked.
/// Between ranks a position holds the rank above the local id (graph/partition.hpp), so the highest bit of an id is
/// free for that. 8 bytes for a query alone, towards 4 for each of a long run; 16 and 8 where positions need 64 bits.
template <class Word>
class QueryMessage {
 public:
  static constexpr Word last_of_run = Word{1} << (8 * sizeof(Word) - 1);

  QueryMessage() = default;
  explicit QueryMessage(std::span<Word> words) : words_(words) {}

  /// Calls body(parent, targets) for each run. Takes the marks away: once only.
  template <class Body>
  void for_each_run(Body&& body) const {
    for (std::size_t i = 0; i < words_.size();) {
      const Word parent = words_[i++];
      const std::size_t first = i;
      while ((words_[i] & last_of_run) == 0) ++i;
      words_[i++] &= ~last_of_run;
      body(parent, std::span<const Word>(words_.subspan(first, i - first)));
    }
  }

 private:
  std::span<Word> words_;
};

/// One query an edge, coalesced into messages of `coalescing` queries a destination, sent as they fill while the
/// threads go on scanning (Fuentes et al. 2014, section III). Each thread fills messages of its own; thread 0 alone
/// talks to the other ranks.
template <class Word>
class QueryExchange {
 public:
  /// Called on thread 0 with queries that came from another rank.
  using Handler = std::function<void(QueryMessage<Word> queries)>;

  /// Collective.
  QueryExchange(const Context& context, std::size_t coalescing, Handler handler);

  /// Adds queries for these local ids of another rank, on any thread. A full message is sent, or left to thread 0.
  void add(int thread, int destination, Word parent, std::span<const Word> targets) {
    OpenMessage& open = open_message(thread, destination);
    while (!targets.empty()) {
      const auto some = targets.first(std::min(targets.size(), coalescing_ - open.queries));
      open.add(parent, some);
      if (open.queries == coalescing_) hand_over(thread, destination, open);
      targets = targets.subspan(some.size());
    }
  }
  /// Thread 0, between two pieces of scanning: sends what others left and handles what has arrived.
  void progress();
  /// Every one of the `workers` threads that scan, once it has no more to scan. Thread 0 stays until all have come.
  void leave(int thread, int workers);
  /// Thread 0, after all have left: sends the messages that are not full and waits for every rank's. Collective.
  void finish();

  [[nodiscard]] std::uint64_t messages() const noexcept { return mailbox_.messages(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return mailbox_.bytes(); }

 private:
  /// Queries that wait for more.
  struct OpenMessage {
    std::vector<Word> words;
    std::size_t queries = 0;
    Word parent = 0;  ///< of the last run

    void add(Word label, std::span<const Word> targets) {
      if (queries == 0 || parent != label) {
        end_run();
        words.push_back(parent = label);
      }
      words.insert(words.end(), targets.begin(), targets.end());
      queries += targets.size();
    }
    void end_run() {
      if (queries > 0) words.back() |= QueryMessage<Word>::last_of_run;
    }
    void clear() {
      words.clear();
      queries = 0;
    }
  };
  struct FullMessage {
    int destination;
    std::vector<Word> words;
  };

  OpenMessage& open_message(int thread, int destination) {
    return open_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(destination)];
  }
  void hand_over(int thread, int destination, OpenMessage& open);
  void send(int destination, std::span<const Word> words);
  void send_left_over();

  std::size_t coalescing_;
  Mailbox mailbox_;
  std::vector<std::vector<OpenMessage>> open_;  ///< by thread and destination
  std::mutex full_mutex_;
  std::vector<FullMessage> full_;  ///< guarded by full_mutex_
  std::atomic<std::size_t> full_count_{0};
  std::atomic<int> left_{0};
};

}  // namespace breadth
