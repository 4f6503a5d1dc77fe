#include "traverse/parent_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
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

/// Gives the vertices that were not visited no_label as their parent, and the state's last one, which stands for labels
/// without edges.
template <class Neighbour>
void unname_unvisited(SearchState<Neighbour>& state, std::size_t vertices, ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 1024;
  parallel_for(threads, words_for_bits(vertices), words_per_block, [&](std::size_t word) {
    for_each_set_bit(state.unvisited(word), word * bits_per_word,
                     [&](std::size_t vertex) { state.parents()[vertex] = static_cast<Neighbour>(no_label.value); });
  });
  state.parents()[vertices] = static_cast<Neighbour>(no_label.value);
}

/// In the order of labels each degree bin is met in sequence, so that a look-up reads a few dozen streams. Nearly half
/// of a Kronecker graph's labels have no parent, in no pattern: nothing here branches.
template <class Entry, class Neighbour>
void write_in_label_order(std::span<const Neighbour> by_vertex, const Partition& partition, std::span<Entry> parents,
                          ThreadTeam& threads) {
  constexpr std::size_t labels_per_block = std::size_t{1} << 14;
  const std::span<const std::uint32_t> local_of_offset = partition.local_of_offset();
  const auto nobody = static_cast<std::uint32_t>(partition.local_count());
  parallel_blocks(threads, parents.size(), labels_per_block, [&](IndexRange range, int) {
    if constexpr (sizeof(Entry) == 4 && sizeof(Neighbour) == 4) {
      gather_capped(local_of_offset.subspan(range.begin, range.size()), by_vertex.data(), nobody,
                    parents.data() + range.begin);
    } else {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        parents[i] = static_cast<Entry>(by_vertex[std::min(local_of_offset[i], nobody)]);
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
    write_in_label_order(by_vertex, graph.partition(), parents.entries<std::uint64_t>(), context.threads);
  } else {
    write_in_label_order(by_vertex, graph.partition(), parents.entries<std::uint32_t>(), context.threads);
  }
}

template void write_parent_labels(SearchState<std::uint32_t>&, const Graph&, LabelArray&, const Context&);
template void write_parent_labels(SearchState<std::uint64_t>&, const Graph&, LabelArray&, const Context&);

}  // namespace breadth
