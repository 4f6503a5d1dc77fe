// Messages and questions to the owners of labels, collected by threads and exchanged in bulk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

// Messages.

/// How many messages a rank may start in one round: enough for each of its threads, and few enough to stay in a cache.
/// All ranks may write to the same one: what it then receives stays at 2^24 messages up to 1024 ranks.
inline std::uint64_t messages_per_round(int ranks, int threads) {
  constexpr std::uint64_t all_together = std::uint64_t{1} << 24;
  constexpr std::uint64_t of_a_thread = std::uint64_t{1} << 16;
  constexpr std::uint64_t least = std::uint64_t{1} << 14;
  const std::uint64_t most = std::min(of_a_thread * static_cast<std::uint64_t>(threads), std::uint64_t{1} << 18);
  return std::clamp(all_together / static_cast<std::uint64_t>(ranks), least, most);
}
inline std::uint64_t messages_per_round(const Context& context) {
  return messages_per_round(context.ranks.size(), context.threads.size());
}

/// Bytes of all ranks together for a round's messages: so many tuples are dealt out evenly, each travels to the owner
/// of its source unless one of its ends is here, and then to that of its target with the levels of its source. They are
/// there as they are collected, in an array that doubles, to be sent, and as they come: four times.
inline std::uint64_t message_bytes_for(std::uint64_t tuples, std::uint64_t tuple_bytes, std::uint64_t levels_bytes,
                                       int ranks, int threads) {
  if (ranks == 1) return 0;
  constexpr double copies = 4;
  const double p = ranks;
  const double under_way =
      std::min(static_cast<double>(messages_per_round(ranks, threads)), static_cast<double>(tuples) / p);
  const double of_neither_end = (p - 1) * (p - 1) / (p * p);
  const double of_one_end = (p - 1) / p;
  const double bytes =
      of_neither_end * static_cast<double>(tuple_bytes) + of_one_end * static_cast<double>(tuple_bytes + levels_bytes);
  return static_cast<std::uint64_t>(p * under_way * copies * bytes);
}

/// Memory that serves every round, and grows when one needs more: fresh pages cost more than the messages in them.
template <class Value>
class RoundBuffer {
 public:
  explicit RoundBuffer(BufferPool* pool) : pool_(pool) {}

  /// Room for `size` values, which are whatever was there before.
  std::span<Value> take(std::size_t size) {
    if (size > values_.size()) {
      values_ = Buffer<Value>();
      values_ = Buffer<Value>(size + size / 4, pool_);
    }
    return values_.span().first(size);
  }

 private:
  BufferPool* pool_;
  Buffer<Value> values_;
};

/// Plain values, each for one rank.
template <class Value>
class Routed {
 public:
  explicit Routed(const Context& context)
      : context_(context),
        values_(static_cast<std::size_t>(context.threads.size()),
                std::vector<std::vector<Value>>(static_cast<std::size_t>(context.ranks.size()))),
        counts_(static_cast<std::size_t>(context.ranks.size())),
        send_(context.pool),
        received_(context.pool) {}

  void add(int thread, int destination, const Value& value) {
    values_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(destination)].push_back(value);
  }
  /// This rank's values by destination, until the next call; none are left to be collected again.
  std::span<const Value> collect() {
    std::vector<Slice> slices;
    std::size_t total = 0;
    for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
      const std::size_t before = total;
      for (auto& of_thread : values_) {
        slices.push_back({&of_thread[rank], total});
        total += of_thread[rank].size();
      }
      counts_[rank] = total - before;
    }
    const std::span<Value> all = send_.take(total);
    parallel_for(context_.threads, slices.size(), 1, [&](std::size_t i) {
      std::vector<Value>& values = *slices[i].values;
      std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(slices[i].begin));
      values.clear();
    });
    return all;
  }
  /// How many values for each rank were last collected.
  [[nodiscard]] std::span<const std::size_t> counts() const { return counts_; }

  /// What all ranks had for this one, until the next call. Collective.
  std::span<const Value> exchange() {
    const std::span<const Value> send = collect();
    const std::vector<std::size_t> receive_counts = context_.ranks.exchange_counts(counts_);
    const std::span<Value> received =
        received_.take(std::accumulate(receive_counts.begin(), receive_counts.end(), std::size_t{0}));
    context_.ranks.all_to_all(send, counts(), received, std::span<const std::size_t>(receive_counts));
    return received;
  }

 private:
  /// One thread's values for one rank, and where they go.
  struct Slice {
    std::vector<Value>* values;
    std::size_t begin;
  };

  const Context& context_;
  std::vector<std::vector<std::vector<Value>>> values_;  ///< by thread and destination
  std::vector<std::size_t> counts_;
  RoundBuffer<Value> send_;
  RoundBuffer<Value> received_;
};

// Questions to the owners of labels.

/// Questions about labels of other ranks, each from a place of this rank: any number that says what the answer is for.
/// Entry holds a label, Answer is a plain value. A caller asks at most messages_per_round questions a round.
template <class Entry, class Answer>
class LabelQuestions {
 public:
  LabelQuestions(const BlockDistribution& distribution, const Context& context)
      : distribution_(distribution),
        context_(context),
        first_(distribution.first(context.ranks.rank()).index()),
        askers_(context),
        questions_(context.pool),
        asked_(context.pool),
        answers_(context.pool),
        answered_(context.pool) {}

  void add(int thread, Label label, std::uint64_t place) { askers_.add(thread, distribution_.owner(label), place); }

  /// Asks what was added: `label(place)` is the label once more, `answer(offset)` what its owner says of it, by its
  /// offset in the owner's block, and `tell(place, answer)` takes that. All three are called by all threads.
  /// Collective.
  template <class LabelOf, class AnswerOf, class Tell>
  void ask(LabelOf&& label, AnswerOf&& answer, Tell&& tell) {
    const std::span<const std::uint64_t> askers = askers_.collect();
    const std::span<Entry> questions = questions_.take(askers.size());
    over(askers.size(), [&](std::size_t i) { questions[i] = label(askers[i]); });
    const std::vector<std::size_t> asked_counts = context_.ranks.exchange_counts(askers_.counts());
    const std::size_t total = std::accumulate(asked_counts.begin(), asked_counts.end(), std::size_t{0});
    const std::span<Entry> asked = asked_.take(total);
    context_.ranks.all_to_all(std::span<const Entry>(questions), askers_.counts(), asked,
                              std::span<const std::size_t>(asked_counts));
    const std::span<Answer> answers = answers_.take(total);
    over(total, [&](std::size_t i) { answers[i] = answer(asked[i] - first_); });
    const std::span<Answer> answered = answered_.take(askers.size());
    context_.ranks.all_to_all(std::span<const Answer>(answers), std::span<const std::size_t>(asked_counts), answered,
                              askers_.counts());
    over(askers.size(), [&](std::size_t i) { tell(askers[i], answered[i]); });
  }

 private:
  template <class Body>
  void over(std::size_t count, Body&& body) {
    constexpr std::size_t grain = std::size_t{1} << 13;
    parallel_for(context_.threads, count, grain, body);
  }

  const BlockDistribution& distribution_;
  const Context& context_;
  std::size_t first_;
  Routed<std::uint64_t> askers_;
  RoundBuffer<Entry> questions_;
  RoundBuffer<Entry> asked_;
  RoundBuffer<Answer> answers_;
  RoundBuffer<Answer> answered_;
};

}  // namespace breadth
