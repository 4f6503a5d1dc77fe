#include "graph500/batch_plan.hpp"

#include <algorithm>

#include "validate/validate_bfs.hpp"
#include "validate/validate_sssp.hpp"

namespace breadth {

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
