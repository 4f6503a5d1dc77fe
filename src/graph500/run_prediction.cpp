#include "graph500/run_prediction.hpp"

#include <algorithm>

#include "graph/build/hub_rows.hpp"

namespace breadth {

GraphLayout sssp_layout(const GraphLayout& layout) {
  return {.order = layout.order,
          .neighbours = NeighbourOrder::weights,
          .columns = layout.weighted_columns,
          .hubs = layout.hubs};
}

ExpectedHubs expected_hubs(const HubChoice& choice, int scale, std::uint64_t edgefactor, int ranks) {
  if (choice.rule == HubRule::none || ranks == 1) {
    return {.light_to_light = 2 * expected_kronecker_size(scale, edgefactor, false).edges};
  }
  const std::uint64_t vertices = std::uint64_t{1} << scale;
  const auto count_above = [&](std::uint64_t degree) { return expected_hubs(scale, edgefactor, degree).count; };
  return expected_hubs(scale, edgefactor, hub_degree(choice, vertices, ranks, count_above));
}

MemoryPrediction predict_run(GraphSize size, Kernels kernels, int ranks, int threads, bool edge_list_in_memory) {
  const auto predict = [&](const GraphSize& graph) {
    return predict_memory(graph, ranks, threads, edge_list_in_memory);
  };
  GraphSize by_weight = size;
  by_weight.weighted = true;
  by_weight.layout = sssp_layout(size.layout);
  if (kernels == Kernels::sssp) return predict(by_weight);
  if (kernels == Kernels::bfs) return predict(size);
  size.weighted = false;
  return with_second_graph(predict(size), predict(by_weight));
}

}  // namespace breadth
