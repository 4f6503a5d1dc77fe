#include "traverse/parent_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"

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

/// Nearly half of a Kronecker graph's labels have no parent, in no pattern, so nothing here branches: a label without
/// edges reads the state's last vertex, which no search visits.
template <class Entry, class Neighbour>
void write_in_label_order(SearchState<Neighbour>& state, const Partition& partition, std::span<Entry> parents,
                          ThreadTeam& threads) {
  constexpr std::size_t labels_per_block = std::size_t{1} << 14;
  const std::uint32_t* local_of_offset = partition.local_of_offset().data();
  const auto nobody = static_cast<std::uint32_t>(partition.local_count());
  const std::uint64_t* visited = state.visited().words().data();
  const Neighbour* labels = state.parents().data();
  parallel_blocks(threads, parents.size(), labels_per_block, [&](IndexRange range, int) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t local = std::min(local_of_offset[i], nobody);
      const auto is_visited = static_cast<Entry>((visited[local / bits_per_word] >> (local % bits_per_word)) & 1U);
      parents[i] =
          static_cast<Entry>(labels[local]) | (is_visited - 1);  // all bits set, which is no_label, unless visited
    }
  });
}

}  // namespace

template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, LabelArray& parents,
                         const Context& context) {
  if (!graph.labels().complete()) name_rest(state, graph, context);
  if (parents.wide()) {
    write_in_label_order(state, graph.partition(), parents.entries<std::uint64_t>(), context.threads);
  } else {
    write_in_label_order(state, graph.partition(), parents.entries<std::uint32_t>(), context.threads);
  }
}

template void write_parent_labels(SearchState<std::uint32_t>&, const Graph&, LabelArray&, const Context&);
template void write_parent_labels(SearchState<std::uint64_t>&, const Graph&, LabelArray&, const Context&);

}  // namespace breadth
