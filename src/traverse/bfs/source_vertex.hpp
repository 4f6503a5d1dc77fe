// Where a search starts, also where no search sees it.
#pragma once

#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

/// The local id of a label on the rank that owns it, if it has edges there; else no_local_vertex.
inline LocalVertex own_vertex(const Graph& graph, Label label) {
  const Partition& partition = graph.partition();
  const bool own = graph.distribution().owner(label) == partition.rank();
  return own ? partition.local(label) : no_local_vertex;
}

/// Whether a source is this rank's and has no edges: no search sees it.
inline bool is_lone_source(const Graph& graph, Label source) {
  return graph.distribution().owner(source) == graph.partition().rank() && own_vertex(graph, source) == no_local_vertex;
}

/// Such a source is its own parent all the same. Whether it is one.
inline bool set_lone_source(const Graph& graph, Label source, LabelArray& parents) {
  const bool lone = is_lone_source(graph, source);
  if (lone) parents.set(graph.distribution().offset(source, graph.partition().rank()), source);
  return lone;
}
/// And at distance 0.
inline bool set_lone_source(const Graph& graph, Label source, ShortestPathTree& tree) {
  const bool lone = set_lone_source(graph, source, tree.parents);
  if (lone) tree.distances[graph.distribution().offset(source, graph.partition().rank())] = 0;
  return lone;
}

}  // namespace breadth
