// The short form of kernel 1, for one rank: degrees are counted, then edges go straight to their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

// Degrees, counted by all threads.

/// Counts the degree of each label with one byte per label and thread. Bytes stay in the cache where words would not;
/// each time a byte overflows, the label is noted. No counter is atomic, because each thread has its own, so the count
/// of each thread can also be read afterwards. Threads x labels bytes.
class DegreeCounter {
 public:
  DegreeCounter(std::size_t labels, ThreadTeam& threads) : labels_(labels), threads_(threads) {
    for (int thread = 0; thread < threads.size(); ++thread) shares_.push_back({Buffer<std::uint8_t>(labels), {}});
  }

  /// The counter of one thread.
  class OfThread {
   public:
    void count(std::size_t label) {
      if (++seen_[label] == 0) full_.push_back(label);
    }

   private:
    friend class DegreeCounter;
    OfThread(std::uint8_t* seen, std::vector<std::size_t>& full) : seen_(seen), full_(full) {}
    std::uint8_t* seen_;
    std::vector<std::size_t>& full_;
  };
  [[nodiscard]] OfThread of_thread(int thread) {
    Share& share = shares_[static_cast<std::size_t>(thread)];
    return {share.seen.data(), share.full};
  }

  /// The count of each label over all threads. Throws Error for a count above 2^32 - 1.
  [[nodiscard]] Buffer<std::uint32_t> sums() const {
    Buffer<std::uint32_t> sums(labels_);
    parallel_blocks(threads_, labels_, std::size_t{1} << 14, [&](IndexRange range, int) {
      for (const Share& share : shares_) {
        for (std::size_t i = range.begin; i < range.end; ++i) sums[i] += share.seen[i];
      }
    });
    for (const Share& share : shares_) {
      for (const std::size_t label : share.full) {
        if (sums[label] > std::numeric_limits<std::uint32_t>::max() - when_full) {
          fail("label {} has more than 2^32 - 1 tuples", label);
        }
        sums[label] += when_full;
      }
    }
    return sums;
  }

  /// Calls body(label, count) for the counts of one thread; a label may come several times, with parts of its count.
  template <class Body>
  void for_each_count(int thread, Body&& body) const {
    const Share& share = shares_[static_cast<std::size_t>(thread)];
    for (std::size_t label = 0; label < labels_; ++label) {
      if (share.seen[label] > 0) body(label, std::uint32_t{share.seen[label]});
    }
    for (const std::size_t label : share.full) body(label, when_full);
  }

 private:
  static constexpr std::uint32_t when_full = 256;
  struct Share {
    Buffer<std::uint8_t> seen;
    std::vector<std::size_t> full;  ///< one for each overflow of a label's byte
  };

  std::size_t labels_;
  ThreadTeam& threads_;
  std::vector<Share> shares_;
};

// Rows.

/// The most bytes that build_directly() takes, including the rows. Duplicates keep their places until the end. Where
/// keys have no room for rows, the row of each entry is stored beside its key.
constexpr std::uint64_t direct_rows_bytes(std::uint64_t labels, std::uint64_t vertices, std::uint64_t tuples,
                                          std::uint64_t threads) {
  constexpr std::uint64_t of_label = 3 * sizeof(std::uint32_t);  // degree, place in the order, place in the buckets
  constexpr std::uint64_t of_vertex = sizeof(EdgeOffset);
  constexpr std::uint64_t of_tuple = 2 * sizeof(std::uint32_t);
  constexpr std::uint64_t most_of_keys = std::uint64_t{1} << 22;
  const std::uint64_t names = vertices > most_of_keys ? sizeof(std::uint32_t) : 0;
  return (of_label + threads) * labels + of_vertex * vertices + (of_tuple + names) * tuples;
}

/// Rows by global id, and the order of vertices that global ids stand for.
struct DirectRows {
  LocalOrder order;
  Adjacency<std::uint32_t> rows;
};

/// Builds the rows of all vertices, for the graphs that builds_directly() selects (core/policy/graph_layout.hpp). One
/// rank sees all edges of a vertex, so it orders vertices before it moves any edge, by their degrees in the list,
/// duplicates included. Then it moves each edge, as global ids, to the bucket where its row will stay, and sorts it
/// once. (Several ranks build rows by label first, because no rank knows all global ids; see
/// graph/build/rows_by_label.hpp.) Reads the list twice. O(m log d). Takes one byte per label and thread and up to 2
/// bytes per entry beside the rows.
DirectRows build_directly(const EdgeList& edges, VertexOrder order, const BlockDistribution& distribution,
                          const Context& context);

}  // namespace breadth
