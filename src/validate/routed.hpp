// Messages for the owners of labels, collected by threads and exchanged in bulk.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "comm/context.hpp"

namespace breadth {

/// Plain values, each for one rank.
template <class Value>
class Routed {
 public:
  explicit Routed(const Context& context)
      : ranks_(context.ranks),
        values_(static_cast<std::size_t>(context.threads.size()),
                std::vector<std::vector<Value>>(static_cast<std::size_t>(context.ranks.size()))) {}

  void add(int thread, int destination, const Value& value) {
    values_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(destination)].push_back(value);
  }
  /// This rank's values, by destination, then thread: the order in which exchange() sends them. Leaves nothing behind.
  std::vector<Value> in_order() {
    std::vector<std::size_t> counts;
    return collect(counts);
  }
  /// What all ranks had for this one; `counts` says how many came from each. Collective; leaves nothing behind.
  std::vector<Value> exchange(std::vector<std::size_t>& counts) {
    std::vector<std::size_t> send_counts;
    const std::vector<Value> send = collect(send_counts);
    return ranks_.all_to_all(std::span<const Value>(send), send_counts, counts);
  }
  std::vector<Value> exchange() {
    std::vector<std::size_t> counts;
    return exchange(counts);
  }

 private:
  std::vector<Value> collect(std::vector<std::size_t>& counts) {
    std::vector<Value> all;
    counts.assign(static_cast<std::size_t>(ranks_.size()), 0);
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      for (auto& of_thread : values_) {
        all.insert(all.end(), of_thread[rank].begin(), of_thread[rank].end());
        counts[rank] += of_thread[rank].size();
        of_thread[rank].clear();
      }
    }
    return all;
  }

  const Communicator& ranks_;
  std::vector<std::vector<std::vector<Value>>> values_;  ///< by thread and destination
};

}  // namespace breadth
