// The depth of each vertex, recorded level by level. That is faster than to compute depths from the tree afterwards,
// because parents lie anywhere in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// The depths of one rank's vertices in searches of up to 126 levels. Takes a byte for each vertex.
template <class Rows>
class VertexDepths {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All arguments outlive this.
  VertexDepths(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Graph& graph,
               ThreadTeam& threads)
      : state_(state),
        adjacencies_(adjacencies),
        graph_(graph),
        threads_(threads),
        depths_(words_for_bits(graph.partition().local_count()) * bits_per_word) {
    parallel_fill(threads, depths_.span(), unreached);  // touches the pages
  }

  /// Begins a search from these sources, which the state has listed.
  void start(std::span<const Label> sources) {
    level_ = 0;
    lone_sources_.clear();
    for (const Label source : sources) {
      if (const auto place = lone_source(graph_, source)) lone_sources_.push_back(*place);
    }
    for (const Tally<Neighbour>& tally : std::as_const(state_).tallies()) add(tally.found, 0);
  }

  /// Follows a push.
  void follow_push() {
    constexpr std::size_t few = 4096;
    if (!begin_level()) return;
    const auto tallies = std::as_const(state_).tallies();
    if (state_.found_count() <= few) {
      for (const Tally<Neighbour>& tally : tallies) add(tally.found, level_);
    } else {
      parallel_blocks(threads_, tallies.size(), 1,
                      [&](IndexRange some, int) { add(tallies[some.begin].found, level_); });
    }
  }
  /// Follows a pull from the bits that the state shared before.
  void follow_pull() {
    if (!begin_level()) return;
    const std::span<const std::uint64_t> before = state_.replicated().own();
    for_each_found({0, before.size()}, before, [&](std::size_t word, std::uint64_t found) { add(word, found); });
  }

  /// Follows one thread's part of a fused level. `level` counts fused levels from 1.
  void follow_fused(std::span<const std::uint32_t> found, std::int64_t level) {
    if (level_ + level <= max_levels) add(found, level_ + level);
  }
  /// Ends so many fused levels.
  void end_fused(std::size_t levels) { level_ += static_cast<std::int64_t>(levels); }

  /// Called before and after the pass over the leaves from `begin` on. A leaf is one level below its only neighbour.
  void start_leaves(std::size_t begin) {
    if (!are_known()) return;
    const auto words = std::as_const(state_).visited().words().subspan(begin / bits_per_word);
    leaves_before_.assign(words.begin(), words.end());
  }
  void follow_leaves(IndexRange leaves) {
    if (!are_known()) return;
    const Rows& rows = adjacencies_.pull_rows();
    const auto& columns = adjacencies_.head;
    const auto neighbour = [&](std::size_t leaf) {
      if (!columns.empty()) return columns.front().global_ids[leaf];
      Neighbour only{};
      rows.for_each_span(LocalVertex{static_cast<std::uint32_t>(leaf)}, {0, 1},
                         [&](std::span<const Neighbour> row) { only = row.front(); });
      return only;
    };
    for_each_found({leaves.begin / bits_per_word, words_for_bits(leaves.end)}, leaves_before_,
                   [&](std::size_t word, std::uint64_t found) {
                     for_each_set_bit(found, word * bits_per_word, [&](std::size_t leaf) {
                       depths_[leaf] = static_cast<Depth>(depths_[neighbour(leaf)] + 1);
                     });
                   });
  }

  /// Whether depths are known: the last search had at most max_levels levels.
  [[nodiscard]] bool are_known() const { return level_ <= max_levels; }
  /// Writes the depths in the order of labels, -1 for unreached ones. Sources have depth 0 even if they have no edges.
  void write(std::span<std::int64_t> depths) {
    state_.fill_unvisited(depths_.span(), unreached);
    graph_.partition().connected().write_in_label_order(std::as_const(depths_).data(), std::int64_t{unreached}, depths,
                                                        threads_);
    for (const std::size_t place : lone_sources_) depths[place] = 0;
  }

 private:
  using Depth = std::int8_t;
  static constexpr Depth unreached = -1;
  static constexpr std::int64_t max_levels = std::numeric_limits<Depth>::max() - 1;  // leaves are one deeper
  static constexpr std::size_t words_per_block = 1024;
  static constexpr std::uint64_t in_each_byte = 0x0101010101010101;

  /// Returns whether depths are still known.
  bool begin_level() {
    ++level_;
    return are_known();
  }
  void add(std::span<const std::uint32_t> vertices, std::int64_t depth) {
    for (const std::uint32_t vertex : vertices) depths_[vertex] = static_cast<Depth>(depth);
  }
  /// Sets the depth of some vertices of one word to the last level's.
  void add(std::size_t word, std::uint64_t found) {
    const auto depth = static_cast<Depth>(level_);
    constexpr int many = 8;  // from there on writing eight bytes at a time is faster
    Depth* depths = depths_.data() + word * bits_per_word;
    if (std::popcount(found) < many) {
      for_each_set_bit(found, 0, [&](std::size_t bit) { depths[bit] = depth; });
      return;
    }
    const std::uint64_t new_bytes = in_each_byte * static_cast<std::uint8_t>(depth);
    for (; found != 0; found >>= 8, depths += 8) {
      const std::uint64_t mask = bytes_of_bits(found & 0xFF);
      std::uint64_t bytes;
      std::memcpy(&bytes, depths, sizeof(bytes));
      bytes ^= (bytes ^ new_bytes) & mask;
      std::memcpy(depths, &bytes, sizeof(bytes));
    }
  }
  /// Expands eight bits to eight bytes, the lowest first: 0xFF for a set bit, 0 for others.
  static constexpr std::uint64_t bytes_of_bits(std::uint64_t bits) {
    constexpr std::uint64_t own_bit = 0x8040201008040201;  // of each byte
    const std::uint64_t one_bit = bits * in_each_byte & own_bit;
    return ((one_bit + in_each_byte * 0x7F) >> 7 & in_each_byte) * 0xFF;
  }
  /// Calls body(word, bits) for each word with the bits of vertices that are visited now and were not `before`.
  template <class Body>
  void for_each_found(IndexRange words, std::span<const std::uint64_t> before, const Body& body) {
    const auto visited = std::as_const(state_).visited().words();
    parallel_for(threads_, words.size(), words_per_block, [&](std::size_t i) {
      const std::size_t word = words.begin + i;
      body(word, visited[word] & ~before[i]);
    });
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  const Graph& graph_;
  ThreadTeam& threads_;
  Buffer<Depth> depths_;
  std::vector<std::uint64_t> leaves_before_;  ///< visited bits
  std::vector<std::size_t> lone_sources_;     ///< places of labels
  std::int64_t level_ = 0;                    ///< the number of the last level
};

}  // namespace breadth
