// Kernel 1 in short, where one rank holds all vertices: degrees are counted, then edges go straight to their rows.
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

/// Counts what threads see of each label in a byte, which stays in the cache where a word would not, and notes each
/// time that the byte is full. Every thread has bytes of its own: nothing is atomic, and what one thread saw can be
/// distinguished afterwards. Threads x labels bytes.
class DegreeCounter {
 public:
  DegreeCounter(std::size_t labels, ThreadTeam& threads) : labels_(labels), threads_(threads) {
    for (int thread = 0; thread < threads.size(); ++thread) shares_.push_back({Buffer<std::uint8_t>(labels), {}});
  }

  /// One thread's.
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

  /// Of each label what all threads counted. Throws Error above 2^32 - 1.
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

  /// Calls body(label, count) for what one thread counted, of a label perhaps in several parts.
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
    std::vector<std::size_t> full;  ///< labels, as often as their byte was full
  };

  std::size_t labels_;
  ThreadTeam& threads_;
  std::vector<Share> shares_;
};

// Rows.

/// Bytes that build_directly() takes at the most, the rows among it: duplicates have their places until the end, and
/// where keys have no room for them rows are named beside.
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

/// The rows of all vertices, of graphs that builds_directly() names (core/policy/graph_layout.hpp). What one rank sees
/// is all there is of a vertex, so vertices can be put in order before any edge is moved, by the edges that the list
/// has of them, duplicates included; then edges go to the bucket where their rows will stay, under their final names,
/// and are sorted once. (Several ranks have rows by label first, since none knows all names; see
/// graph/build/rows_by_label.hpp.) Reads the list twice. O(m log d); a byte a label for each thread and up to 2 bytes
/// an entry beside the rows.
DirectRows build_directly(const EdgeList& edges, VertexOrder order, const BlockDistribution& distribution,
                          const Context& context);

}  // namespace breadth
