#include "graph500/benchmark.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/nodes.hpp"
#include "comm/phase.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph500/batch_plan.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/rules.hpp"
#include "graph500/run_prediction.hpp"
#include "graph500/search_keys.hpp"
#include "graph500/searches.hpp"
#include "graph500/verification.hpp"
#include "model/traffic_prediction.hpp"
#include "traverse/sssp.hpp"
#include "validate/validate_bfs.hpp"
#include "validate/validate_sssp.hpp"

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

/// How many of `count` searches, from the first on, are validated; `first` is the index of that one.
std::size_t to_validate(ValidationPolicy policy, std::size_t first, std::size_t count) {
  switch (policy) {
    case ValidationPolicy::all: return count;
    case ValidationPolicy::first: return first == 0 ? 1 : 0;
    case ValidationPolicy::none: break;
  }
  return 0;
}

/// What the kernels' loops have in common.
struct Run {
  const BenchmarkOptions& options;
  const BenchmarkSurroundings& surroundings;
  const EdgeList& edges;
  std::span<const Label> keys;
  MemoryPrediction prediction;  ///< of the whole run

  [[nodiscard]] const Context& context() const { return surroundings.context; }
  [[nodiscard]] SearchLoop loop() const { return {context().ranks, surroundings.observer, surroundings.stop}; }
};

/// The size of the edge list and of what became of it, the same on every rank. Collective.
GraphSize size_of(const Graph& graph, const EdgeList& edges, const BenchmarkOptions& options, const Context& context) {
  return {.labels = graph.vertex_count(),
          .tuples = context.ranks.all_reduce(edges.size(), Reduction::sum),
          .connected_vertices = graph.connected_vertices(),
          .edges = graph.edge_count(),
          .weighted = includes_sssp(options.kernels),
          .layout = options.layout,
          .frontier = frontier_plan(options.bfs, context.ranks)};
}

/// How the searches are batched in memory that kernel 1 had and gave back or, where that does not fill a pass over the
/// edge list, that is free: three quarters at the most, the rest is left to files and others. The same on every rank.
BatchPlan batches(const Run& run, const BatchCosts& costs) {
  const Communicator& ranks = run.context().ranks;
  const MemoryPrediction& prediction = run.prediction;
  const std::uint64_t spare = prediction.peak_bytes - prediction.edge_list_bytes - prediction.graph_bytes -
                              prediction.search_bytes - prediction.program_bytes;
  const auto ranks_here = static_cast<std::uint64_t>(ranks.node().size());
  const std::uint64_t free_here = available_memory_bytes() / ranks_here / 4 * 3;
  const std::uint64_t free = ranks.all_reduce(free_here, Reduction::minimum) * static_cast<std::uint64_t>(ranks.size());
  return plan_batches(costs, run.keys.size(),
                      std::max(spare, std::min(free, full_batch(costs, run.keys.size()).bytes)));
}

/// What the formulas say of searches like these, as far as they say anything.
void predict(CommunicationReport& report, const Graph& graph, const BfsOptions& options, const Communicator& ranks) {
  if (options.direction != DirectionPolicy::push || options.exchange != ExchangePolicy::asynchronous) return;
  if (graph.partition().hubs().count() > 0) return;
  if (options.route.policy != RoutePolicy::direct) return;
  const PushTraffic traffic = predict_push_traffic(graph.edge_count(), ranks.size(), options.coalescing);
  report.predicted_messages = traffic.messages_per_rank;
  if (options.packets == PacketFormat::pairs) report.predicted_bytes = traffic.bytes;
}

/// Kernel 2 for every key.
KernelReport run_bfs(const Graph& graph, const BatchPlan& plan, const Run& run) {
  const std::uint64_t peak_before = peak_resident_bytes();
  const Phase phase(run.context().ranks, "kernel 2");
  BreadthFirstSearch bfs(graph, run.options.bfs, run.context());
  BufferPool pool;  // what one validation takes serves the next ones too
  const Context validating{run.context().ranks, run.context().threads, &pool};
  std::vector<LabelArray> results;
  for (std::size_t i = 0; i < plan.searches; ++i) results.push_back(bfs.empty_result());
  KernelReport report = run_searches(
      "bfs", run.keys, plan.searches, run.loop(),
      [&](Label key, std::size_t place) { return bfs.run(key, results[place]); },
      [&](std::size_t first, std::span<const Label> searched) {
        std::vector<SearchResult> found;
        for (std::size_t i = 0; i < searched.size(); ++i) found.push_back({searched[i], results[i]});
        const std::size_t validated = to_validate(run.options.validation, first, found.size());
        return verify(
            found.size(), validated,
            [&] {
              return validate_bfs(run.edges, Directedness::undirected, std::span(found).first(validated),
                                  graph.distribution(), validating, plan.a_pass);
            },
            [&] {
              return count_traversed_edges(run.edges, std::span(found).subspan(validated), graph.distribution(),
                                           validating, plan.a_pass);
            },
            validating.ranks);
      });
  if (validating.ranks.size() > 1) {
    report.communication = gather_communication(bfs.communication(), run.options.bfs.route, validating.ranks);
    predict(*report.communication, graph, run.options.bfs, validating.ranks);
  }
  // What shared memory has added to a peak that was higher before is not in it.
  const std::uint64_t borrowed = std::min(bfs.borrowed_bytes(), peak_resident_bytes() - peak_before);
  report.borrowed_bytes = validating.ranks.all_reduce(borrowed, Reduction::sum);
  return report;
}

/// Kernel 3 for every key.
KernelReport run_sssp(const Graph& graph, const BatchPlan& plan, const Run& run) {
  const Phase phase(run.context().ranks, "kernel 3");
  ShortestPathSearch sssp(graph, run.options.sssp, run.context());
  BufferPool pool;
  const Context validating{run.context().ranks, run.context().threads, &pool};
  std::vector<ShortestPathTree> results;
  for (std::size_t i = 0; i < plan.searches; ++i) results.push_back(sssp.empty_result());
  KernelReport report = run_searches(
      "sssp", run.keys, plan.searches, run.loop(),
      [&](Label key, std::size_t place) { return sssp.run(key, results[place]); },
      [&](std::size_t first, std::span<const Label> searched) {
        std::vector<ShortestPathResult> found;
        std::vector<SearchResult> trees;
        for (std::size_t i = 0; i < searched.size(); ++i) {
          found.push_back({searched[i], results[i].parents, results[i].distances.span()});
          trees.push_back({searched[i], results[i].parents});
        }
        const std::size_t validated = to_validate(run.options.validation, first, found.size());
        return verify(
            found.size(), validated,
            [&] {
              return validate_sssp(run.edges, Directedness::undirected, std::span(found).first(validated),
                                   graph.distribution(), validating, plan.a_pass);
            },
            [&] {
              return count_traversed_edges(run.edges, std::span(trees).subspan(validated), graph.distribution(),
                                           validating, plan.a_pass);
            },
            validating.ranks);
      });
  if (validating.ranks.size() > 1) {
    report.communication = gather_communication(sssp.communication(), run.options.sssp.route, validating.ranks);
  }
  return report;
}
}  // namespace

FrontierPlan frontier_plan(const BfsOptions& options, const Communicator& ranks) {
  const Nodes nodes(ranks, options.replication.ranks_per_node);
  return {.how = options.replication.how,
          .nodes = nodes.count(),
          .granularity = options.summary,
          .replicated = options.pull == PullPolicy::replicated || ranks.size() == 1};
}

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

  observer.step("kernel 1: building the graph");
  const Graphs graphs = construct(*input.edges, options, context, report.construction);
  // Drawn before any search is timed. A file's own seed is not known: its keys come from the default one.
  const SearchKeySeed seed{.scale = report.options.scale, .seed = options.seed};
  const std::vector<Label> keys = draw_search_keys(graphs.any(), seed, options.keys, {}, context.ranks);

  if (graphs.bfs && surroundings.calibrate)
    report.calibration = surroundings.calibrate(*graphs.bfs, seed, report.options);

  const GraphSize size = size_of(graphs.any(), *input.edges, report.options, context);
  const Run run{report.options, surroundings, *input.edges, keys,
                predict_run(size, options.kernels, report.ranks, report.threads, true)};
  if (graphs.bfs) {
    observer.step("kernel 2: searching");
    report.kernels.push_back(run_bfs(*graphs.bfs, batches(run, bfs_batch_costs(size)), run));
  }
  if (graphs.sssp) {
    observer.step("kernel 3: searching for shortest paths");
    report.kernels.push_back(run_sssp(*graphs.sssp, batches(run, sssp_batch_costs(size)), run));
  }
  report.peak_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum);
  for (const KernelReport& kernel : report.kernels) report.peak_bytes -= kernel.borrowed_bytes;
  report.rules_broken = rules_broken(report);
  return report;
}

}  // namespace breadth
