#include "graph500/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/nodes.hpp"
#include "comm/phase.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph500/batch_plan.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/device_run.hpp"
#include "graph500/kernels.hpp"
#include "graph500/rules.hpp"
#include "graph500/run_prediction.hpp"
#include "graph500/search_keys.hpp"

namespace breadth {

namespace {
/// What kernel 1 makes: a graph for each kernel that is to run.
struct Graphs {
  std::optional<Graph> bfs;
  std::optional<Graph> sssp;

  /// One of them: they have the same vertices.
  [[nodiscard]] const Graph& any() const { return bfs ? *bfs : *sssp; }
};

/// Kernel 1, timed on its own.
Graphs construct(const EdgeList& edges, const BenchmarkOptions& options, const Context& context,
                 ConstructionReport& report) {
  context.ranks.barrier();
  const Stopwatch stopwatch;
  Graphs graphs;
  const auto build = [&context](const EdgeList& list, const GraphLayout& layout) {
    return build_graph(list, {.directedness = Directedness::undirected, .layout = layout}, context);
  };
  if (includes_bfs(options.kernels)) graphs.bfs.emplace(build(EdgesWithoutWeights(edges), options.layout));
  if (includes_sssp(options.kernels)) graphs.sssp.emplace(build(edges, sssp_layout(options.layout)));
  report.seconds = context.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
  report.peak_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum);
  std::uint64_t bytes = 0;
  for (const std::optional<Graph>* graph : {&graphs.bfs, &graphs.sssp}) bytes += *graph ? (*graph)->bytes() : 0;
  report.graph_bytes = context.ranks.all_reduce(bytes, Reduction::sum);
  report.hubs = graphs.any().partition().hubs().count();
  return graphs;
}

/// The size of the edge list and of what became of it, the same on every rank. Collective.
GraphSize size_of(const Graph& graph, const EdgeList& edges, const BenchmarkOptions& options, const Context& context) {
  return {.labels = graph.vertex_count(),
          .tuples = context.ranks.all_reduce(edges.size(), Reduction::sum),
          .connected_vertices = graph.connected_vertices(),
          .edges = graph.edge_count(),
          .hubs = graph.partition().hubs().count(),
          .weighted = includes_sssp(options.kernels),
          .layout = options.layout,
          .frontier = frontier_plan(options.bfs, context.ranks),
          .distances = distance_plan(options.sssp, context.ranks)};
}

/// How `keys` searches are batched in memory that kernel 1 had and gave back or, where that does not fill a pass over
/// the edge list, that is free: three quarters at the most, the rest is left to files and others. The same on every
/// rank.
BatchPlan batches(const BatchCosts& costs, std::size_t keys, const MemoryPrediction& prediction,
                  const Communicator& ranks) {
  const std::uint64_t spare = prediction.peak_bytes - prediction.edge_list_bytes - prediction.graph_bytes -
                              prediction.search_bytes - prediction.program_bytes - prediction.buffer_bytes;
  const auto ranks_here = static_cast<std::uint64_t>(ranks.node().size());
  const std::uint64_t free_here = available_memory_bytes() / ranks_here / 4 * 3;
  const std::uint64_t free = ranks.all_reduce(free_here, Reduction::minimum) * static_cast<std::uint64_t>(ranks.size());
  return plan_batches(costs, keys, std::max(spare, std::min(free, full_batch(costs, keys).bytes)));
}
}  // namespace

FrontierHolding frontier_holding(const BfsOptions& options, int ranks) {
  if (ranks == 1) return FrontierHolding::replicated;
  if (options.device != Device::cpu) return FrontierHolding::on_devices;
  if (options.subgraphs.policy == SubgraphPolicy::apart) return FrontierHolding::apart;
  return options.pull == PullPolicy::replicated ? FrontierHolding::replicated : FrontierHolding::asked;
}

bool keeps_levels(const BfsOptions& options, int ranks) {
  return frontier_holding(options, ranks) == FrontierHolding::apart &&
         options.subgraphs.light_parents == LightParents::in_the_end;
}

FrontierPlan frontier_plan(const BfsOptions& options, const Communicator& ranks) {
  const Nodes nodes(ranks, options.replication.ranks_per_node);
  return {.how = options.replication.how,
          .nodes = nodes.count(),
          .granularity = options.summary,
          .bits = options.replication.bits,
          .holding = frontier_holding(options, ranks.size()),
          .keeps_levels = keeps_levels(options, ranks.size()),
          .only_pushes = options.direction == DirectionPolicy::push};
}

DistancePlan distance_plan(const SsspOptions& options, std::uint64_t nodes) {
  return {.how = options.replicate.value_or(Replication::subgroups),
          .nodes = nodes,
          .may_sweep = options.sweeps && options.delta == 0,
          .known_in_buckets = options.known_distances};
}

DistancePlan distance_plan(const SsspOptions& options, const Communicator& ranks) {
  return distance_plan(options, Nodes(ranks, options.route.ranks_per_node).count());
}

namespace {
/// Which keys are searched from. A file's own seed is not known: its keys come from the default one.
SearchKeySeed key_seed(const BenchmarkReport& report) {
  return {.scale = report.options.scale, .seed = report.options.seed};
}

/// Throws AgreedError where there is no vertex to search from: Graph500 specification 2.0 wants keys that have an edge
/// to another vertex.
void require_keys(std::span<const Label> keys, const BenchmarkOptions& options) {
  if (!keys.empty()) return;
  const std::string graph = options.input.empty() ? fmt::format("the graph of seeds {}", fmt::join(options.seed, ","))
                                                  : fmt::format("'{}'", options.input);
  throw AgreedError(fmt::format("{} has no vertex to search from: all of its edges are self-loops", graph));
}

/// From kernel 1 to the last validation.
void run_on_processors(const BenchmarkInput& input, const BenchmarkSurroundings& surroundings,
                       BenchmarkReport& report) {
  const BenchmarkOptions& options = report.options;
  const Context& context = surroundings.context;
  RunObserver& observer = surroundings.observer;
  observer.step("kernel 1: building the graph");
  const Graphs graphs = construct(*input.edges, options, context, report.construction);
  const SearchKeySeed seed = key_seed(report);  // keys are drawn before any search is timed
  const std::vector<Label> keys = draw_search_keys(graphs.any(), seed, options.keys, {}, context.ranks);
  require_keys(keys, options);

  if (graphs.bfs && surroundings.calibrate)
    report.calibration = surroundings.calibrate(*graphs.bfs, seed, report.options);

  const GraphSize size = size_of(graphs.any(), *input.edges, report.options, context);
  const bool in_memory = options.edge_list == EdgeListPlace::memory;
  const MemoryPrediction predicted = predict_run(size, options.kernels, report.ranks, report.threads, in_memory);
  report.predicted = predicted;
  const auto run = [&](auto&& kernel, const Graph& graph, const BatchCosts& costs) {
    const BatchPlan plan = batches(costs, keys.size(), predicted, context.ranks);
    report.predicted.peak_bytes = std::max(report.predicted.peak_bytes, peak_with_batch(predicted, plan));
    report.kernels.push_back(kernel({graph, *input.edges, keys, report.options, surroundings}, plan));
  };
  if (graphs.bfs) {
    observer.step("kernel 2: searching");
    run(run_bfs_kernel, *graphs.bfs, bfs_batch_costs(size, report.ranks, report.threads));
  }
  if (graphs.sssp) {
    observer.step("kernel 3: searching for shortest paths");
    run(run_sssp_kernel, *graphs.sssp, sssp_batch_costs(size, report.ranks, report.threads));
  }
}

/// The same on a device.
void run_on_device(const BenchmarkInput& input, const BenchmarkSurroundings& surroundings, BenchmarkReport& report) {
  RunObserver& observer = surroundings.observer;
  observer.step("bringing the edge list to the device");
  const Stopwatch stopwatch;
  DeviceRun run(report.options, input, surroundings.context);
  report.generation_seconds += stopwatch.seconds();
  observer.step("kernel 1: building the graph on the device");
  report.construction = run.construct();
  const bool in_memory = host_keeps_edges(report.options, report.ranks);
  const GraphSize size{.labels = run.label_count(), .tuples = input.edges->size()};
  report.predicted = predict_beside_device(size, report.threads, in_memory);
  const std::vector<Label> keys = run.draw_search_keys(key_seed(report));
  require_keys(keys, report.options);
  observer.step("kernel 2: searching");
  report.kernels.push_back(run.run_bfs_kernel(keys, surroundings));
}
}  // namespace

BenchmarkReport run_benchmark(const BenchmarkOptions& options, const BenchmarkSurroundings& surroundings) {
  const Context& context = surroundings.context;
  RunObserver& observer = surroundings.observer;
  BenchmarkReport report;
  report.options = options;
  report.ranks = context.ranks.size();
  report.threads = context.threads.size();
  report.machine = surroundings.machine;
  report.version = BREADTH_VERSION;
  if (std::optional<GridShape>& grid = report.options.layout.grid) {
    grid = run_together(context.ranks, [&] { return grid_of(*grid, context.ranks.size()); });
  }

  report.start_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum);
  observer.step("preparing the edge list");
  const Stopwatch stopwatch;
  const BenchmarkInput input = [&] {
    const Phase phase(context.ranks, "preparing the edge list");
    return prepare_input(options, surroundings.admit, context);
  }();
  report.generation_seconds = context.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
  report.options.scale = input.scale;
  report.edgefactor = input.edgefactor;
  report.from_generator = input.from_generator;

  (stays_on_device(options, report.ranks) ? run_on_device : run_on_processors)(input, surroundings, report);
  report.peak_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum);
  for (const KernelReport& kernel : report.kernels) report.peak_bytes -= kernel.borrowed_bytes;
  report.rules_broken = rules_broken(report);
  return report;
}

}  // namespace breadth
