#include "graph500/run_prediction.hpp"

#include <algorithm>
#include <optional>

#include "graph/build/hub_rows.hpp"
#include "graph500/kernels.hpp"
#include "validate/validate_bfs.hpp"
#include "validate/validate_sssp.hpp"

namespace breadth {

// Graphs and searches.

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

MemoryPrediction predict_run(const GraphSize& size, const Kernels& kernels, int ranks, int threads,
                             bool edge_list_in_memory) {
  std::optional<MemoryPrediction> run;
  for (const KernelKind kind : kernels.kinds()) {
    const KernelType& type = kernel_type(kind);
    GraphSize graph = size;
    graph.layout = type.layout(size.layout);
    // A list of edges that has weights has them for a kernel, too, that does without.
    if (type.weighted || kernels.several()) graph.weighted = type.weighted;
    const MemoryPrediction one = predict_memory(graph, ranks, threads, edge_list_in_memory);
    run = run ? with_second_graph(*run, one) : one;
  }
  return *run;
}

// Batches of searches that wait for their validation.

namespace {
/// So many searches, validated by passes of one kind.
BatchPlan batch(const BatchCosts& costs, std::size_t searches, const BatchCosts::Pass& pass) {
  return {searches, pass.a_pass, searches * costs.result_bytes + pass.bytes};
}
}  // namespace

BatchCosts bfs_batch_costs(const GraphSize& size, int ranks, int threads) {
  BatchCosts costs{.result_bytes = result_bytes(size), .passes = {}};
  for (const std::size_t a_pass : searches_a_pass) {
    const std::uint64_t levels_bytes = a_pass == most_searches_a_pass ? 20 : 4;  // bytes, in lanes if they are many
    costs.passes.push_back({a_pass, validation_bytes_per_label(a_pass, label_bytes(size)) * size.labels +
                                        validation_message_bytes(size, ranks, threads, levels_bytes)});
  }
  return costs;
}

BatchCosts sssp_batch_costs(GraphSize size, int ranks, int threads) {
  size.layout.neighbours = NeighbourOrder::weights;
  BatchCosts costs{.result_bytes = result_bytes(size) + sizeof(float) * size.labels, .passes = {}};
  for (const std::size_t a_pass : sssp_searches_a_pass) {
    costs.passes.push_back({a_pass, sssp_validation_bytes_per_label(a_pass, label_bytes(size)) * size.labels +
                                        validation_message_bytes(size, ranks, threads, a_pass * sizeof(float))});
  }
  return costs;
}

BatchPlan plan_batches(const BatchCosts& costs, std::uint64_t keys, std::uint64_t bytes) {
  for (const BatchCosts::Pass& pass : costs.passes) {
    const BatchPlan least = batch(costs, std::min<std::size_t>(pass.a_pass, keys), pass);
    if (least.bytes > bytes) continue;
    const std::size_t room = least.searches + (bytes - least.bytes) / costs.result_bytes;
    // Whole passes, unless all fit.
    return batch(costs, room >= keys ? keys : room / pass.a_pass * pass.a_pass, pass);
  }
  return one_search(costs);
}

BatchPlan one_search(const BatchCosts& costs) { return batch(costs, 1, costs.passes.back()); }

BatchPlan full_batch(const BatchCosts& costs, std::uint64_t keys) {
  const BatchCosts::Pass& most = costs.passes.front();
  return batch(costs, std::min<std::size_t>(most.a_pass, keys), most);
}

std::uint64_t peak_with_batch(const MemoryPrediction& run, const BatchPlan& plan) {
  const std::uint64_t before = run.edge_list_bytes + run.program_bytes + run.buffer_bytes;
  return std::max(run.peak_bytes, before + run.graph_bytes + run.search_bytes + plan.bytes);
}

}  // namespace breadth
