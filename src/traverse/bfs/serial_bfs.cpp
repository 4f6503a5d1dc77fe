#include "traverse/bfs/serial_bfs.hpp"

#include <queue>

#include "core/errors.hpp"

namespace breadth {

LabelArray serial_bfs(const Graph& graph, Label source) {
  const Partition& partition = graph.partition();
  if (graph.distribution().ranks() != 1) fail("the serial search takes a graph on one rank");
  if (source.value < 0 || source.index() >= graph.vertex_count()) fail("vertex {} is not in the graph", source.value);

  LabelArray parents(graph.vertex_count(), graph.vertex_count());
  for (std::size_t i = 0; i < parents.size(); ++i) parents.set(i, no_label);
  parents.set(source.index(), source);
  std::queue<Label> queue({source});
  for (; !queue.empty(); queue.pop()) {
    const Label vertex = queue.front();
    const LocalVertex local = partition.local(vertex);
    if (local == no_local_vertex) continue;
    graph.visit_rows([&](const auto& adjacencies) {
      adjacencies.push_rows().for_each_stretch(local, {0, adjacencies.degree(local)}, [&](const auto& positions) {
        for (const auto position : positions) {
          const Label neighbour = partition.label(partition.code().local(position));
          if (parents[neighbour.index()] != no_label) continue;
          parents.set(neighbour.index(), vertex);
          queue.push(neighbour);
        }
      });
    });
  }
  return parents;
}

}  // namespace breadth
