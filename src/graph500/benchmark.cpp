#include "graph500/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/nodes.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph500/batch_plan.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/rules.hpp"
#include "graph500/search_keys.hpp"
#include "graph500/searches.hpp"
#include "model/memory_prediction.hpp"
#include "model/traffic_prediction.hpp"
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

/// How many of `count` searches, from the first on, are validated; `first` is the index of that one.
std::size_t to_validate(ValidationPolicy policy, std::size_t first, std::size_t count) {
  switch (policy) {
    case ValidationPolicy::all: return count;
    case ValidationPolicy::first: return first == 0 ? 1 : 0;
    case ValidationPolicy::none: break;
  }
  return 0;
}

std::string describe(const BrokenRule& rule) {
  return fmt::format("{} times not: {} ({})", rule.count, sentence(rule.rule), fmt::join(rule.examples, "; "));
}

/// Validates results; without the times.
std::vector<Verification> validated(const EdgeList& edges, std::span<const SearchResult> results, std::size_t a_pass,
                                    const BlockDistribution& distribution, const Context& context) {
  std::vector<Verification> verifications;
  for (const ValidationReport& found :
       validate_bfs(edges, Directedness::undirected, results, distribution, context, a_pass)) {
    Verification& verification = verifications.emplace_back();
    verification.verdict = found.valid() ? Verdict::valid : Verdict::invalid;
    verification.edges = found.traversed_edges;
    for (const BrokenRule& rule : found.broken) verification.violations.push_back(describe(rule));
  }
  return verifications;
}

/// The same, but only counts their edges.
std::vector<Verification> counted(const EdgeList& edges, std::span<const SearchResult> results, std::size_t a_pass,
                                  const BlockDistribution& distribution, const Context& context) {
  std::vector<Verification> verifications;
  for (const std::uint64_t count : count_traversed_edges(edges, results, distribution, context, a_pass)) {
    verifications.push_back({.verdict = Verdict::unchecked, .edges = count});
  }
  return verifications;
}

/// The first `validate_first` of the results are validated, the edges of the others counted.
std::vector<Verification> verify_bfs(const EdgeList& edges, std::span<const SearchResult> results,
                                     std::size_t validate_first, std::size_t a_pass,
                                     const BlockDistribution& distribution, const Context& context) {
  std::vector<Verification> verifications;
  const auto verify = [&](std::span<const SearchResult> batch, const auto& how) {
    if (batch.empty()) return;
    const Stopwatch stopwatch;
    std::vector<Verification> done = how(edges, batch, a_pass, distribution, context);
    const double share = slowest(stopwatch.seconds(), context.ranks) / static_cast<double>(batch.size());
    for (Verification& verification : done) {
      verification.seconds = share;
      verification.batch = batch.size();
      verifications.push_back(std::move(verification));
    }
  };
  verify(results.first(validate_first), validated);
  verify(results.subspan(validate_first), counted);
  return verifications;
}

/// How the searches are batched in memory that kernel 1 had and gave back or, where that does not fill a pass over the
/// edge list, that is free: three quarters at the most, the rest is left to files and others. The same on every rank.
BatchPlan batches(const Graph& graph, const EdgeList& edges, const FrontierPlan& frontier, std::uint64_t keys,
                  const Context& context) {
  const Communicator& ranks = context.ranks;
  const GraphSize size{.labels = graph.vertex_count(),
                       .tuples = ranks.all_reduce(edges.size(), Reduction::sum),
                       .connected_vertices = graph.connected_vertices(),
                       .edges = graph.edge_count(),
                       .layout = graph.layout(),
                       .summary = frontier.granularity,
                       .replication = frontier.how,
                       .nodes = frontier.nodes};
  const MemoryPrediction prediction = predict_memory(size, ranks.size(), context.threads.size(), true);
  const std::uint64_t spare = prediction.peak_bytes - prediction.edge_list_bytes - prediction.graph_bytes -
                              prediction.search_bytes - prediction.program_bytes;
  const auto ranks_here = static_cast<std::uint64_t>(ranks.node().size());
  const std::uint64_t free_here = available_memory_bytes() / ranks_here / 4 * 3;
  const std::uint64_t free = ranks.all_reduce(free_here, Reduction::minimum) * static_cast<std::uint64_t>(ranks.size());
  return plan_batches(size, keys, std::max(spare, std::min(free, full_batch(size, keys).bytes)));
}

/// What the formulas say of searches like these, as far as they say anything.
void predict(CommunicationReport& report, const Graph& graph, const BfsOptions& options, const Communicator& ranks) {
  if (options.direction != DirectionPolicy::push || options.exchange != ExchangePolicy::asynchronous) return;
  const PushTraffic traffic = predict_push_traffic(graph.edge_count(), ranks.size(), options.coalescing);
  report.predicted_messages = traffic.messages_per_rank;
  if (options.packets == PacketFormat::pairs) report.predicted_bytes = traffic.bytes;
}

/// Kernel 2 for every key.
KernelReport run_bfs(const Graph& graph, const EdgeList& edges, const BenchmarkOptions& options,
                     std::span<const Label> keys, const BenchmarkSurroundings& surroundings) {
  const Context& context = surroundings.context;
  const std::uint64_t peak_before = peak_resident_bytes();
  BreadthFirstSearch bfs(graph, options.bfs, context);
  BufferPool pool;  // what one validation takes serves the next ones too
  const BatchPlan plan = batches(graph, edges, frontier_plan(options.bfs, context.ranks), keys.size(), context);
  std::vector<LabelArray> results;
  for (std::size_t i = 0; i < plan.searches; ++i) results.push_back(bfs.empty_result());
  KernelReport report = run_searches(
      "bfs", keys, plan.searches, {context.ranks, surroundings.observer, surroundings.stop},
      [&](Label key, std::size_t place) { return bfs.run(key, results[place]); },
      [&](std::size_t first, std::span<const Label> searched) {
        std::vector<SearchResult> found;
        for (std::size_t i = 0; i < searched.size(); ++i) found.push_back({searched[i], results[i]});
        return verify_bfs(edges, found, to_validate(options.validation, first, found.size()), plan.a_pass,
                          graph.distribution(), {context.ranks, context.threads, &pool});
      });
  if (context.ranks.size() > 1) {
    report.communication = gather_communication(bfs.communication(), context.ranks);
    predict(*report.communication, graph, options.bfs, context.ranks);
  }
  // What shared memory has added to a peak that was higher before is not in it.
  const std::uint64_t borrowed = std::min(bfs.borrowed_bytes(), peak_resident_bytes() - peak_before);
  report.borrowed_bytes = context.ranks.all_reduce(borrowed, Reduction::sum);
  return report;
}
}  // namespace

FrontierPlan frontier_plan(const BfsOptions& options, const Communicator& ranks) {
  const Nodes nodes(ranks, options.replication.ranks_per_node);
  return {.how = options.replication.how, .nodes = nodes.count(), .granularity = options.summary};
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
  report.peak_bytes = context.ranks.all_reduce(peak_resident_bytes(), Reduction::sum);
  for (const KernelReport& kernel : report.kernels) report.peak_bytes -= kernel.borrowed_bytes;
  report.rules_broken = rules_broken(report);
  return report;
}

}  // namespace breadth
