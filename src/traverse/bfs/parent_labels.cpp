#include "traverse/bfs/parent_labels.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "traverse/bfs/search_labels.hpp"

namespace breadth {

namespace {

/// Asks for the labels of the parents that were left unnamed.
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

}  // namespace

template <class Neighbour>
void name_parents(SearchState<Neighbour>& state, const Graph& graph, const Context& context) {
  if (!graph.labels().complete()) name_rest(state, graph, context);
}

template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, Label source, LabelArray& parents,
                         const Context& context) {
  const Partition& partition = graph.partition();
  unname_unvisited(state, partition.local_count(), context.threads);
  write_in_label_order(std::span<const Neighbour>(state.parents()), partition.connected(), parents, context.threads);
  (void)set_lone_source(graph, source, parents);
}

template void name_parents(SearchState<std::uint32_t>&, const Graph&, const Context&);
template void name_parents(SearchState<std::uint64_t>&, const Graph&, const Context&);
template void write_parent_labels(SearchState<std::uint32_t>&, const Graph&, Label, LabelArray&, const Context&);
template void write_parent_labels(SearchState<std::uint64_t>&, const Graph&, Label, LabelArray&, const Context&);

}  // namespace breadth
