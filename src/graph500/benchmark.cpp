#include "graph500/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/nodes.hpp"
#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph500/devices/device_run.hpp"
#include "graph500/run_prediction.hpp"

namespace breadth {

namespace {
/// The sizes of the edge list and of the graph that was built from it, equal on every rank. Collective.
GraphSize size_of(const Graph& graph, const EdgeList& edges, const BenchmarkOptions& options,
                  const Communicator& ranks) {
  const std::uint64_t nodes_of_bfs = Nodes(ranks, options.bfs.replication.ranks_per_node).count();
  const std::uint64_t nodes_of_sssp = Nodes(ranks, options.sssp.messages.route.ranks_per_node).count();
  return {.labels = graph.vertex_count(),
          .tuples = ranks.all_reduce(edges.size(), Reduction::sum),
          .connected_vertices = graph.connected_vertices(),
          .edges = graph.edge_count(),
          .hubs = graph.partition().hubs().count(),
          .weighted = have_weights(options.kernels),
          .layout = options.layout,
          .frontier = frontier_plan(options.bfs, ranks.size(), nodes_of_bfs),
          .distances = distance_plan(options.sssp, nodes_of_sssp)};
}

/// Plans batches for `keys` searches. They use the memory that kernel 1 used and freed. If that is too little for a
/// full pass over the edge list, they also use up to three quarters of the free memory; the rest is left to files and
/// other processes. With validation policy `alternate`, searches run one at a time. The result is equal on every rank.
/// Collective.
BatchPlan batches(const SearchCosts& costs, std::size_t keys, const MemoryPrediction& prediction,
                  ValidationPolicy validation, const Communicator& ranks) {
  if (validation == ValidationPolicy::alternate) return one_search(costs);
  const std::uint64_t spare =
      prediction.peak_bytes - prediction.lasting_bytes() - prediction.graph_bytes - prediction.search_bytes;
  const auto ranks_here = static_cast<std::uint64_t>(ranks.node().size());
  const std::uint64_t free_here = available_memory_bytes() / ranks_here / 4 * 3;
  const std::uint64_t free = ranks.all_reduce(free_here, Reduction::minimum) * static_cast<std::uint64_t>(ranks.size());
  return plan_batches(costs, keys, std::max(spare, std::min(free, full_batch(costs, keys).bytes)));
}

/// The seed of the search keys. The seed of a file is not known, so that its keys come from the default seed.
SearchKeySeed key_seed(const BenchmarkReport& report) {
  return {.scale = report.options.scale, .seed = report.options.seed};
}

/// Throws AgreedError if there is no vertex to search from: Graph500 specification 2.0 requires keys that have an edge
/// to another vertex.
void require_keys(std::span<const Label> keys, const BenchmarkOptions& options) {
  if (!keys.empty()) return;
  constexpr const char* why = "has no vertex to search from: all of its edges are self-loops";
  if (!options.input.empty()) fail<AgreedError>("'{}' {}", options.input, why);
  fail<AgreedError>("the graph of --seed {} {}; choose another, or a larger --scale", joined(options.seed, ","), why);
}

/// Destroys the previous kernel and makes the next one. Returns the slowest rank's seconds. Collective.
double prepare(BuiltKernel& next, BuiltKernels& built, const BenchmarkOptions& options,
               const BenchmarkSurroundings& surroundings) {
  const Context& context = surroundings.context;
  const std::string preparing = fmt::format("preparing {}", about(next.type->kind).name());
  const Phase phase(context.ranks, preparing.c_str());
  for (BuiltKernel& one : built.all) one.kernel.reset();
  context.ranks.barrier();
  const Stopwatch stopwatch;
  next.kernel = surroundings.make(*next.type, *next.graph, options, context);
  return context.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
}

/// Runs everything from kernel 1 to the last validation on the processors. Returns the bytes that ranks count in their
/// peaks of memory although other ranks of their nodes count them too, summed over all ranks.
std::uint64_t run_on_processors(const BenchmarkInput& input, const BenchmarkSurroundings& surroundings,
                                BenchmarkReport& report) {
  const BenchmarkOptions& options = report.options;
  const Context& context = surroundings.context;
  RunObserver& observer = surroundings.observer;
  observer.step("kernel 1: building the graph");
  const SearchKeySeed seed = key_seed(report);
  ConstructionClock clock(context.ranks);
  const auto calibrate = [&](const Graph& graph) {
    report.calibration = surroundings.calibrate(graph, seed, report.options);
  };
  BuiltKernels built =
      construct(*input.edges, options, context,
                surroundings.calibrate ? calibrate : std::function<void(const Graph&)>(), surroundings.make, clock);
  report.construction = report_of(built, clock, context.ranks);
  // Keys are drawn before any search is timed.
  const std::vector<Label> keys = draw_search_keys(built.any_graph(), seed, options.keys, {}, context.ranks);
  require_keys(keys, options);

  const GraphSize size = size_of(built.any_graph(), *input.edges, options, context.ranks);
  const bool in_memory = options.edge_list == EdgeListPlace::memory;
  const MemoryPrediction predicted = predict_run(size, options.kernels, report.ranks, report.threads, in_memory);
  report.predicted = predicted;
  std::uint64_t counted_twice = 0;
  for (BuiltKernel& one : built.all) {
    observer.step(about(one.type->kind).step);
    std::optional<double> preparation_seconds;
    if (!one.kernel) preparation_seconds = prepare(one, built, options, surroundings);
    const SearchCosts costs = one.type->costs(size, report.ranks, report.threads);
    const BatchPlan plan = batches(costs, keys.size(), predicted, options.validation, context.ranks);
    report.predicted.peak_bytes = std::max(report.predicted.peak_bytes, peak_with_batch(predicted, plan));
    report.kernels.push_back(one.kernel->run({*input.edges, keys, observer, surroundings.stop}, plan));
    report.kernels.back().preparation_seconds = preparation_seconds;
    counted_twice = std::max(counted_twice, built.bytes_counted_elsewhere());
  }
  return context.ranks.all_reduce(counted_twice, Reduction::sum);
}

/// Runs everything from kernel 1 to the last validation on a device, for one rank.
std::uint64_t run_on_device(const BenchmarkInput& input, const BenchmarkSurroundings& surroundings,
                            BenchmarkReport& report) {
  RunObserver& observer = surroundings.observer;
  observer.step("bringing the edge list to the device");
  const Stopwatch stopwatch;
  DeviceRun run(report.options, input, surroundings.context);
  report.generation_seconds += stopwatch.seconds();
  observer.step("taking the device's memory for kernel 1");
  run.reserve();
  observer.step("kernel 1: building the graph on the device");
  report.construction = run.construct();
  const bool in_memory = host_keeps_edges(report.options, report.ranks);
  const GraphSize size{.labels = run.label_count(), .tuples = input.edges->size()};
  report.predicted = predict_beside_device(size, report.threads, in_memory);
  const std::vector<Label> keys = run.draw_search_keys(key_seed(report), report.options.keys, {});
  require_keys(keys, report.options);
  observer.step(about(KernelKind::bfs).step);
  report.kernels.push_back(run.run_bfs_kernel(keys, key_seed(report), surroundings));
  return 0;
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

  const auto run = stays_on_device(options, report.ranks) ? run_on_device : run_on_processors;
  const std::uint64_t counted_twice = run(input, surroundings, report);
  report.peak_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum) - counted_twice;
  report.rules_broken = rules_broken(report);
  report.rules_notes = rules_notes(report);
  return report;
}

}  // namespace breadth
