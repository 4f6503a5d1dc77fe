#include "graph/graph_edges.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "core/errors.hpp"

namespace breadth {

namespace {
/// Calls body(rows) with the plain rows along the edges of a graph. Throws Error where it has others.
template <class Body>
void with_plain_rows(const Graph& graph, Body&& body) {
  std::visit(
      [&]<class Any>(const Any& adjacencies) {
        if constexpr (requires { adjacencies.push_rows().offsets; }) {
          body(adjacencies.push_rows());
        } else {
          fail("the edges of a graph can be listed where its adjacency is rows");
        }
      },
      graph.adjacencies());
}
}  // namespace

GraphEdges::GraphEdges(const Graph& graph) : graph_(graph) {
  with_plain_rows(graph, [&](const auto& rows) { size_ = rows.entries(); });
}

void GraphEdges::read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const {
  if (edges.empty()) return;
  with_plain_rows(graph_, [&](const auto& rows) {
    const Partition& partition = graph_.partition();
    const auto after = std::upper_bound(rows.offsets.begin(), rows.offsets.end(), first);
    auto vertex = static_cast<std::uint32_t>(after - rows.offsets.begin() - 1);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const EdgeOffset entry = first + i;
      while (rows.offsets[vertex + 1] <= entry) ++vertex;
      const LocalVertex neighbour = partition.code().local(rows.neighbours[entry]);
      edges[i] = {partition.label(LocalVertex{vertex}), partition.label(neighbour)};
      if (!weights.empty()) weights[i] = rows.weights[entry];
    }
  });
}

}  // namespace breadth
