#include "graph500/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/rules.hpp"
#include "graph500/search_keys.hpp"
#include "graph500/searches.hpp"
#include "model/memory_prediction.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth {

namespace {
double slowest(double seconds, const Communicator& ranks) { return ranks.all_reduce(seconds, Reduction::maximum); }

/// Kernel 1, timed on its own.
Graph construct(const EdgeList& edges, const GraphLayout& layout, const Context& context, ConstructionReport& report) {
  context.ranks.barrier();
  const Stopwatch stopwatch;
  Graph graph = build_graph(edges, {.directedness = Directedness::undirected, .layout = layout}, context);
  report.seconds = slowest(stopwatch.seconds(), context.ranks);
  report.peak_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum);
  report.graph_bytes = context.ranks.all_reduce(graph.bytes(), Reduction::sum);
  return graph;
}

bool validates(ValidationPolicy policy, std::size_t search) {
  return policy == ValidationPolicy::all || (policy == ValidationPolicy::first && search == 0);
}

std::string describe(const BrokenRule& rule) {
  return fmt::format("{} times not: {} ({})", rule.count, sentence(rule.rule), fmt::join(rule.examples, "; "));
}

Verification verify_bfs(const EdgeList& edges, Label key, const LabelArray& parents, bool validate,
                        const BlockDistribution& distribution, const Context& context) {
  const Stopwatch stopwatch;
  Verification verification;
  if (validate) {
    const ValidationReport found = validate_bfs(edges, Directedness::undirected, key, parents, distribution, context);
    verification.verdict = found.valid() ? Verdict::valid : Verdict::invalid;
    verification.edges = found.traversed_edges;
    for (const BrokenRule& rule : found.broken) verification.violations.push_back(describe(rule));
  } else {
    verification.edges = count_traversed_edges(edges, parents, distribution, context);
  }
  verification.seconds = slowest(stopwatch.seconds(), context.ranks);
  return verification;
}

/// How many results can wait for their validation in memory that kernel 1 had and gave back; the same on every rank.
std::size_t searches_per_batch(const Graph& graph, const EdgeList& edges, const Context& context) {
  const std::uint64_t tuples = context.ranks.all_reduce(edges.size(), Reduction::sum);
  const GraphSize size{.labels = graph.vertex_count(),
                       .tuples = tuples,
                       .connected_vertices = graph.connected_vertices(),
                       .edges = graph.edge_count(),
                       .layout = graph.layout()};
  const MemoryPrediction prediction = predict_memory(size, context.ranks.size(), context.threads.size(), true);
  const std::uint64_t result_bytes = graph.vertex_count() * (graph.vertex_count() < 0xFFFFFFFFU ? 4 : 8);
  const std::uint64_t spare = prediction.peak_bytes - prediction.edge_list_bytes - prediction.graph_bytes -
                              prediction.search_bytes - prediction.program_bytes;
  return std::max<std::size_t>(1, spare / result_bytes);
}

/// Kernel 2 for every key.
KernelReport run_bfs(const Graph& graph, const EdgeList& edges, const BenchmarkOptions& options,
                     std::span<const Label> keys, const BenchmarkSurroundings& surroundings) {
  const Context& context = surroundings.context;
  BreadthFirstSearch bfs(graph, options.bfs, context);
  const std::size_t batch = std::min(searches_per_batch(graph, edges, context), keys.size());
  std::vector<LabelArray> results;
  for (std::size_t i = 0; i < batch; ++i) results.push_back(bfs.empty_result());
  return run_searches(
      "bfs", keys, batch, {context.ranks, surroundings.observer, surroundings.stop},
      [&](Label key, std::size_t place) { return bfs.run(key, results[place]); },
      [&](std::size_t search, Label key, std::size_t place) {
        return verify_bfs(edges, key, results[place], validates(options.validation, search), graph.distribution(),
                          context);
      });
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

  observer.step("preparing the edge list");
  const Stopwatch stopwatch;
  const BenchmarkInput input = prepare_input(options, surroundings.admit, context);
  report.generation_seconds = slowest(stopwatch.seconds(), context.ranks);
  report.options.scale = input.scale;
  report.edgefactor = input.edgefactor;
  report.from_generator = input.from_generator;

  observer.step("kernel 1: building the graph");
  const Graph graph = construct(*input.edges, options.layout, context, report.construction);
  // Drawn before any search is timed. A file's own seed is not known: its keys come from the default one.
  const SearchKeySeed seed{.scale = report.options.scale, .seed = options.seed};
  const std::vector<Label> keys = draw_search_keys(graph, seed, options.keys, {}, context.ranks);

  observer.step("kernel 2: searching");
  report.kernels.push_back(run_bfs(graph, *input.edges, options, keys, surroundings));
  report.rules_broken = rules_broken(report);
  return report;
}

}  // namespace breadth
