#include "gpu/graph_tables.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/parallel/parallel.hpp"

namespace breadth::gpu {

namespace {
/// Writes the bits of `connected` in words of 32, and the number of bits before each word.
void split_words(const HostGraph& graph, GraphTables& tables, ThreadTeam& threads) {
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
}  // namespace

Pieces cut_pieces(std::span<const std::uint64_t> begins, std::span<const std::uint64_t> ends) {
  Pieces pieces;
  for (std::uint32_t vertex = 0; vertex < begins.size(); ++vertex) {
    pieces.first.push_back(static_cast<std::uint32_t>(pieces.rows.size()));
    const std::uint64_t degree = ends[vertex] - begins[vertex];
    pieces.rows.resize(pieces.rows.size() + (degree + piece_edges - 1) / piece_edges, vertex);
  }
  pieces.first.push_back(static_cast<std::uint32_t>(pieces.rows.size()));
  return pieces;
}

GraphTables make_tables(const HostGraph& graph, ThreadTeam& threads) {
  const std::uint32_t vertices = graph.bounds.vertices;
  const std::span<const std::uint64_t> ends = graph.row_ends();
  GraphTables tables;
  tables.first_neighbours = Buffer<std::uint32_t>(vertices);
  tables.word_degrees = Buffer<std::uint32_t>((std::size_t{vertices} + bits_per_word - 1) / bits_per_word);
  constexpr std::size_t grain = std::size_t{1} << 14;
  parallel_for(threads, vertices, grain, [&](std::size_t vertex) {
    const bool empty = graph.offsets[vertex] == ends[vertex];
    tables.first_neighbours[vertex] =
        empty ? static_cast<std::uint32_t>(vertex) : graph.neighbours[graph.offsets[vertex]];
  });
  parallel_for(threads, tables.word_degrees.size(), grain, [&](std::size_t word) {
    const std::size_t begin = word * bits_per_word;
    const std::size_t end = std::min<std::size_t>(vertices, begin + bits_per_word);
    std::uint64_t entries = 0;
    for (std::size_t vertex = begin; vertex < end; ++vertex) entries += ends[vertex] - graph.offsets[vertex];
    tables.word_degrees[word] = static_cast<std::uint32_t>(entries / (end - begin));
  });
  const std::size_t long_rows = graph.bounds.long_rows;
  tables.pieces = cut_pieces(graph.offsets.first(long_rows), ends.first(long_rows));
  split_words(graph, tables, threads);
  return tables;
}

}  // namespace breadth::gpu
