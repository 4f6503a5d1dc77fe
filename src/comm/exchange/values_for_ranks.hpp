// Values that threads collect for other ranks and that all ranks then exchange at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// The number of messages that a rank may start in one round: enough for each of its threads, and few enough to stay in
/// a cache. If all ranks write to one rank, that rank receives at most 2^24 messages with up to 1024 ranks.
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

/// Memory that is reused in every round and grows when a round needs more, because fresh pages cost more than the
/// messages in them.
template <class Value>
class RoundBuffer {
 public:
  explicit RoundBuffer(BufferPool* pool) : pool_(pool) {}

  /// Room for `size` values with unspecified contents.
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

/// Values of trivially copyable types, each for one rank.
template <class Value>
class ValuesForRanks {
 public:
  explicit ValuesForRanks(const Context& context)
      : context_(context),
        values_(static_cast<std::size_t>(context.threads.size()),
                std::vector<std::vector<Value>>(static_cast<std::size_t>(context.ranks.size()))),
        counts_(static_cast<std::size_t>(context.ranks.size())),
        send_(context.pool),
        received_(context.pool) {}

  void add(int thread, int destination, const Value& value) {
    values_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(destination)].push_back(value);
  }
  /// Collects this rank's values, ordered by destination, and clears the lists. The span is valid until the next call.
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
  /// The number of values for each rank in the last collect().
  [[nodiscard]] std::span<const std::size_t> counts() const { return counts_; }

  /// Sends all values and returns those that all ranks had for this one, in rank order. The span is valid until the
  /// next call. Throws AgreedError if a rank has too little memory. Collective.
  std::span<const Value> exchange() {
    const std::span<const Value> send = run_together(context_.ranks, [&] { return collect(); });
    const std::vector<std::size_t> receive_counts = context_.ranks.exchange_counts(counts_);
    const std::span<Value> received =
        run_together(context_.ranks, [&] { return received_.take(sum_of(receive_counts)); });
    context_.ranks.all_to_all(send, counts(), received, std::span<const std::size_t>(receive_counts));
    return received;
  }

 private:
  /// One thread's values for one rank, and the index where they begin in the collected values.
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

}  // namespace breadth
