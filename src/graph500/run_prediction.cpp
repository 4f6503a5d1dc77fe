#include "graph500/run_prediction.hpp"

#include <algorithm>
#include <optional>

#include "graph/build/hub_rows.hpp"
#include "graph500/kernels.hpp"

namespace breadth {

// Graphs and searches.

ExpectedHubs expected_hubs(const HubChoice& choice, int scale, std::uint64_t edgefactor, int ranks) {
  if (choice.rule == HubRule::none || ranks == 1) {
    return {.light_to_light = 2 * expected_kronecker_size(scale, edgefactor, false).edges};
  }
  const std::uint64_t vertices = std::uint64_t{1} << scale;
  const auto count_above = [&](std::uint64_t degree) { return expected_hubs(scale, edgefactor, degree).count; };
  return expected_hubs(scale, edgefactor, hub_degree(choice, vertices, ranks, count_above));
}

namespace {
/// Where searches with these options hold the frontier for pulls.
FrontierHolding frontier_holding(const BfsOptions& options, int ranks) {
  if (ranks == 1) return FrontierHolding::replicated;
  if (options.device.kind != Device::cpu) return FrontierHolding::on_devices;
  if (options.subgraphs.policy == SubgraphPolicy::apart) return FrontierHolding::per_subgraph;
  return options.pull == PullPolicy::replicated ? FrontierHolding::replicated : FrontierHolding::asked;
}
}  // namespace

bool keeps_levels(const BfsOptions& options, int ranks) {
  return frontier_holding(options, ranks) == FrontierHolding::per_subgraph &&
         options.subgraphs.light_parents == LightParents::at_end;
}

FrontierPlan frontier_plan(const BfsOptions& options, int ranks, std::uint64_t nodes) {
  return {.how = options.replication.how,
          .nodes = nodes,
          .granularity = options.summary,
          .bits = options.replication.bits,
          .holding = frontier_holding(options, ranks),
          .keeps_levels = keeps_levels(options, ranks),
          .only_pushes = !options.direction.may_pull()};
}

DistancePlan distance_plan(const SsspOptions& options, std::uint64_t nodes) {
  return {.how = options.replicate.value_or(Replication::subgroups),
          .nodes = nodes,
          .may_sweep = options.sweeps && options.delta == 0,
          .known_in_buckets = options.known_distances};
}

MemoryPrediction predict_run(const GraphSize& size, const Kernels& kernels, int ranks, int threads,
                             bool edge_list_in_memory) {
  std::optional<MemoryPrediction> run;
  for (const KernelKind kind : kernels.kinds()) {
    GraphSize graph = size;
    graph.layout = about(kind).layout(size.layout);
    // With several kernels, an edge list with weights serves also the kernels without weights.
    if (about(kind).weighted || kernels.several()) graph.weighted = about(kind).weighted;
    const MemoryPrediction one =
        predict_memory(graph, kernel_type(kind).costs(graph, ranks, threads), ranks, threads, edge_list_in_memory);
    run = run ? with_second_graph(*run, one) : one;
  }
  return *run;
}

MemoryPrediction predict_run(const GraphSize& size, const BenchmarkOptions& options, int ranks, int threads,
                             bool edge_list_in_memory) {
  return stays_on_device(options, ranks) ? predict_beside_device(size, threads, edge_list_in_memory)
                                         : predict_run(size, options.kernels, ranks, threads, edge_list_in_memory);
}

// Batches of searches that wait for their validation.

namespace {
/// A batch of `searches` searches, validated by passes of this kind.
BatchPlan batch(const SearchCosts& costs, std::size_t searches, const SearchCosts::Pass& pass) {
  return {searches, pass.per_pass, searches * costs.result_bytes + pass.bytes};
}
}  // namespace

BatchPlan plan_batches(const SearchCosts& costs, std::uint64_t keys, std::uint64_t bytes) {
  for (const SearchCosts::Pass& pass : costs.passes) {
    const BatchPlan least = batch(costs, std::min<std::size_t>(pass.per_pass, keys), pass);
    if (least.bytes > bytes) continue;
    const std::size_t room = least.searches + (bytes - least.bytes) / costs.result_bytes;
    // Use whole passes, unless all searches fit.
    return batch(costs, room >= keys ? keys : room / pass.per_pass * pass.per_pass, pass);
  }
  return one_search(costs);
}

BatchPlan one_search(const SearchCosts& costs) { return batch(costs, 1, costs.passes.back()); }

BatchPlan full_batch(const SearchCosts& costs, std::uint64_t keys) {
  const SearchCosts::Pass& most = costs.passes.front();
  return batch(costs, std::min<std::size_t>(most.per_pass, keys), most);
}

std::uint64_t peak_with_batch(const MemoryPrediction& run, const BatchPlan& plan) {
  return std::max(run.peak_bytes, run.lasting_bytes() + run.graph_bytes + run.search_bytes + plan.bytes);
}

}  // namespace breadth
