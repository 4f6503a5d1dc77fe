// Sources and parents of a search between labels and local ids.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// The local id of a label if this rank owns it and it has edges; otherwise no_local_vertex.
inline LocalVertex own_vertex(const Graph& graph, Label label) {
  const Partition& partition = graph.partition();
  const bool own = graph.distribution().owner(label) == partition.rank();
  return own ? partition.local(label) : no_local_vertex;
}

/// The place among this rank's labels of a source without edges, which no search sees. Nothing for other sources.
inline std::optional<std::size_t> lone_source(const Graph& graph, Label source) {
  const int rank = graph.partition().rank();
  if (graph.distribution().owner(source) != rank || own_vertex(graph, source) != no_local_vertex) return std::nullopt;
  return graph.distribution().offset(source, rank);
}

/// Makes a source of this rank without edges its own parent.
inline void set_lone_source(const Graph& graph, Label source, LabelArray& parents) {
  if (const auto place = lone_source(graph, source)) parents.set(*place, source);
}

/// Writes for each label of this rank the label of its parent, or no_label if it was not visited. A source is its own
/// parent even if it has no edges. All parents' labels must be known.
template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, std::span<const Label> sources,
                         LabelArray& parents, const Context& context) {
  state.fill_unvisited(state.parents(), static_cast<Neighbour>(no_label.value));
  const std::span<const Neighbour> labels = state.parents();
  graph.partition().connected().write_in_label_order(labels, parents, context.threads);
  for (const Label source : sources) set_lone_source(graph, source, parents);
}

}  // namespace breadth
