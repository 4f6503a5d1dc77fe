// What a device wants of a graph beside its rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Tables as GraphView and LabelView want them, in the memory of the host.
struct GraphTables {
  Buffer<std::uint32_t> first_neighbours;
  Buffer<std::uint32_t> word_degrees;
  std::vector<std::uint32_t> first_pieces;
  std::vector<std::uint32_t> piece_rows;
  Buffer<std::uint32_t> connected;
  Buffer<std::uint32_t> before;
};

namespace detail {
inline void cut_pieces(const HostGraph& graph, GraphTables& tables) {
  for (std::uint32_t vertex = 0; vertex < graph.bounds.pieces; ++vertex) {
    tables.first_pieces.push_back(static_cast<std::uint32_t>(tables.piece_rows.size()));
    const std::uint64_t degree = graph.offsets[vertex + 1] - graph.offsets[vertex];
    tables.piece_rows.resize(tables.piece_rows.size() + (degree + piece_edges - 1) / piece_edges, vertex);
  }
  tables.first_pieces.push_back(static_cast<std::uint32_t>(tables.piece_rows.size()));
}

/// The bits of `connected` in words of 32, and how many bits are set before each.
inline void split_words(const HostGraph& graph, GraphTables& tables, ThreadTeam& threads) {
  const std::size_t words = (graph.label_count + bits_per_word - 1) / bits_per_word;
  tables.connected = Buffer<std::uint32_t>(words);
  tables.before = Buffer<std::uint32_t>(words);
  constexpr std::size_t grain = std::size_t{1} << 14;
  parallel_for(threads, words, grain, [&](std::size_t word) {
    const auto bits = static_cast<std::uint32_t>(graph.connected[word / 2] >> (word % 2 * bits_per_word));
    tables.connected[word] = bits;
    tables.before[word] = static_cast<std::uint32_t>(std::popcount(bits));
  });
  (void)exclusive_prefix_sum(threads, tables.before.span());
}
}  // namespace detail

/// O(vertices + labels / 32).
inline GraphTables make_tables(const HostGraph& graph, ThreadTeam& threads) {
  const std::size_t vertices = graph.bounds.vertices;
  GraphTables tables;
  tables.first_neighbours = Buffer<std::uint32_t>(vertices);
  tables.word_degrees = Buffer<std::uint32_t>((vertices + bits_per_word - 1) / bits_per_word);
  constexpr std::size_t grain = std::size_t{1} << 14;
  parallel_for(threads, vertices, grain,
               [&](std::size_t vertex) { tables.first_neighbours[vertex] = graph.neighbours[graph.offsets[vertex]]; });
  parallel_for(threads, tables.word_degrees.size(), grain, [&](std::size_t word) {
    const std::size_t begin = word * bits_per_word;
    const std::size_t end = std::min(vertices, begin + bits_per_word);
    tables.word_degrees[word] = static_cast<std::uint32_t>((graph.offsets[end] - graph.offsets[begin]) / (end - begin));
  });
  detail::cut_pieces(graph, tables);
  detail::split_words(graph, tables, threads);
  return tables;
}

}  // namespace breadth::gpu
