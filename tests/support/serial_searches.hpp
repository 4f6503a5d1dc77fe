// Textbook breadth-first search and shortest paths, as references for the parallel searches.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/sssp.hpp"

namespace breadth::test {

// Breadth-first search.

/// Returns the parents of a search from `source`, by label. The source is its own parent; an unreached label has
/// no_label. One thread and one queue: the reference that BreadthFirstSearch must agree with, level for level. The
/// graph must be on one rank and contain the source (else Error). O(n + m).
inline LabelArray serial_bfs(const Graph& graph, Label source) {
  const Partition& partition = graph.partition();
  if (graph.distribution().ranks() != 1) fail("the serial search needs a graph on one rank");
  if (source.value < 0 || source.index() >= graph.vertex_count()) fail("vertex {} is not in the graph", source.value);

  LabelArray parents(graph.vertex_count(), graph.vertex_count());
  for (std::size_t i = 0; i < parents.size(); ++i) parents.set(i, no_label);
  parents.set(source.index(), source);
  std::queue<Label> queue({source});
  for (; !queue.empty(); queue.pop()) {
    const Label vertex = queue.front();
    const LocalVertex local = partition.local(vertex);
    if (local == no_local_vertex) continue;
    visit_rows(graph, [&](const auto& adjacencies) {
      adjacencies.push_rows().for_each_span(local, {0, adjacencies.degree(local)}, [&](const auto& global_ids) {
        for (const auto global_id : global_ids) {
          const Label neighbour = partition.label(partition.code().local(global_id));
          if (parents[neighbour.index()] != no_label) continue;
          parents.set(neighbour.index(), vertex);
          queue.push(neighbour);
        }
      });
    });
  }
  return parents;
}

// Shortest paths.

struct Arc {
  Label target;
  float weight;
};

inline std::vector<std::vector<Arc>> arcs_by_source(const EdgeList& edges, Directedness directedness,
                                                    std::uint64_t vertex_count) {
  std::vector<std::vector<Arc>> arcs(vertex_count);
  for (std::uint64_t first = 0; first < edges.size(); first += edge_block_size) {
    const std::size_t count = std::min<std::uint64_t>(edge_block_size, edges.size() - first);
    const auto [block, weights] = EdgeBlock(edges, first, count, true);
    for (std::size_t i = 0; i < count; ++i) {
      const auto [source, target] = block[i];
      if (source.index() >= vertex_count || target.index() >= vertex_count) fail("a label is not below vertex_count");
      if (!(weights[i] >= 0)) fail("edge {} has weight {}", first + i, weights[i]);
      arcs[source.index()].push_back({target, weights[i]});
      if (directedness == Directedness::undirected) arcs[target.index()].push_back({source, weights[i]});
    }
  }
  return arcs;
}

/// Returns the tree of shortest paths from `source` by label, computed from the edge list by Dijkstra's algorithm with
/// a heap: the reference that ShortestPathSearch must agree with, distance for distance. `edges` is the whole list.
/// Weights must be at least 0, labels and the source below `vertex_count` (else Error). Vertices farther away than
/// `max_distance` count as unreached. One thread. O((n + m) log n).
inline ShortestPathTree serial_sssp(const EdgeList& edges, Directedness directedness, std::uint64_t vertex_count,
                                    Label source, float max_distance = std::numeric_limits<float>::infinity()) {
  if (!edges.weighted()) fail("shortest paths need weights");
  if (source.index() >= vertex_count) fail("vertex {} is not in the graph", source.value);
  const auto arcs = arcs_by_source(edges, directedness, vertex_count);

  ShortestPathTree tree{LabelArray(vertex_count, vertex_count), Buffer<float>(vertex_count)};
  std::fill(tree.distances.begin(), tree.distances.end(), std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < vertex_count; ++i) tree.parents.set(i, no_label);
  tree.parents.set(source.index(), source);
  tree.distances[source.index()] = 0;

  using Entry = std::pair<float, Label>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (queue.push({0.0F, source}); !queue.empty();) {
    const auto [distance, vertex] = queue.top();
    queue.pop();
    if (distance > tree.distances[vertex.index()]) continue;
    for (const Arc& arc : arcs[vertex.index()]) {
      const float candidate = distance + arc.weight;
      if (candidate >= tree.distances[arc.target.index()] || candidate > max_distance) continue;
      tree.distances[arc.target.index()] = candidate;
      tree.parents.set(arc.target.index(), vertex);
      queue.push({candidate, arc.target});
    }
  }
  return tree;
}

}  // namespace breadth::test
