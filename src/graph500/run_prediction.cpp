#include "graph500/run_prediction.hpp"

#include <algorithm>

namespace breadth {

GraphLayout sssp_layout(const GraphLayout& layout) {
  return {.order = layout.order, .neighbours = NeighbourOrder::weights, .columns = layout.weighted_columns};
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
