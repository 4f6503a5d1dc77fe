#include "traverse/parent_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/connected_labels.hpp"
#include "simd/label_gather.hpp"

namespace breadth {

namespace {

/// Names the parents that were left unnamed.
template <class Neighbour>
void name_rest(SearchState<Neighbour>& state, const Graph& graph, const Context& context) {
  std::vector<std::uint32_t> vertices;
  std::vector<Neighbour> positions;
  for (int thread = 0; thread < context.threads.size(); ++thread) {
    for (const auto& unnamed : state.tally(thread).unnamed) {
      vertices.push_back(unnamed.vertex);
      positions.push_back(unnamed.parent);
    }
  }
  std::vector<Neighbour> labels(positions.size());
  graph.labels().name(std::span<const Neighbour>(positions), std::span(labels), graph.partition(), context);
  for (std::size_t i = 0; i < vertices.size(); ++i) state.parents()[vertices[i]] = labels[i];
}

/// Gives the vertices that were not visited no_label as their parent.
template <class Neighbour>
void unname_unvisited(SearchState<Neighbour>& state, std::size_t vertices, ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 1024;
  parallel_for(threads, words_for_bits(vertices), words_per_block, [&](std::size_t word) {
    for_each_set_bit(state.unvisited(word), word * bits_per_word,
                     [&](std::size_t vertex) { state.parents()[vertex] = static_cast<Neighbour>(no_label.value); });
  });
}

/// In the order of labels each degree bin is met in sequence, so that a look-up reads a few dozen streams.
template <class Entry, class Neighbour>
void write_in_label_order(std::span<const Neighbour> by_vertex, const ConnectedLabels& connected,
                          std::span<Entry> parents, ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 256;
  constexpr std::size_t cached_bytes = std::size_t{2} << 20;
  const Store store = parents.size_bytes() > cached_bytes ? Store::past_cache : Store::cached;
  parallel_blocks(threads, connected.words().size(), words_per_block, [&](IndexRange words, int) {
    const auto bits = connected.words().subspan(words.begin, words.size());
    const auto locals = connected.locals(words.begin, words.end);
    const std::size_t first = words.begin * bits_per_word;
    const auto entries = parents.subspan(first, std::min(parents.size() - first, words.size() * bits_per_word));
    if constexpr (sizeof(Entry) == 4 && sizeof(Neighbour) == 4) {
      gather_where_set(bits, locals, by_vertex.data(), ~std::uint32_t{0}, entries, store);
    } else {
      auto next = locals.begin();
      for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i] = test_bit(bits, i) ? static_cast<Entry>(by_vertex[*next++]) : static_cast<Entry>(no_label.value);
      }
    }
  });
}

}  // namespace

template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, LabelArray& parents,
                         const Context& context) {
  if (!graph.labels().complete()) name_rest(state, graph, context);
  unname_unvisited(state, graph.partition().local_count(), context.threads);
  const std::span<const Neighbour> by_vertex = state.parents();
  if (parents.wide()) {
    write_in_label_order(by_vertex, graph.partition().connected(), parents.entries<std::uint64_t>(), context.threads);
  } else {
    write_in_label_order(by_vertex, graph.partition().connected(), parents.entries<std::uint32_t>(), context.threads);
  }
}

template void write_parent_labels(SearchState<std::uint32_t>&, const Graph&, LabelArray&, const Context&);
template void write_parent_labels(SearchState<std::uint64_t>&, const Graph&, LabelArray&, const Context&);

}  // namespace breadth
