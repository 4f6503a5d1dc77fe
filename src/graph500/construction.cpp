#include "graph500/construction.hpp"

#include <algorithm>
#include <initializer_list>

#include "comm/phase.hpp"
#include "core/memory/memory.hpp"
#include "graph500/run_prediction.hpp"

namespace breadth {

void ConstructionClock::start() {
  ranks_.barrier();
  since_start_.emplace();
}

void ConstructionClock::stop() {
  const double seconds = since_start_->seconds();
  since_start_.reset();
  seconds_ += ranks_.all_reduce(seconds, Reduction::maximum);
}

std::uint64_t BuiltKernels::borrowed_bytes() const {
  std::uint64_t bytes = 0;
  for (const BuiltKernel* built : {&bfs, &sssp}) bytes += built->kernel ? built->kernel->borrowed_bytes() : 0;
  // What shared memory has added to a peak that was higher before is not in it.
  return std::min(bytes, peak_resident_bytes() - peak_before_kernels);
}

BuiltKernels construct(const EdgeList& edges, const BenchmarkOptions& options, const Context& context,
                       const std::function<void(const Graph& bfs)>& calibrate, const KernelMakers& make,
                       ConstructionClock& clock) {
  BuiltKernels built;
  const auto build = [&context](const EdgeList& list, const GraphLayout& layout) {
    return std::make_unique<const Graph>(
        build_graph(list, {.directedness = Directedness::undirected, .layout = layout}, context));
  };
  clock.start();
  if (includes_bfs(options.kernels)) built.bfs.graph = build(EdgesWithoutWeights(edges), options.layout);
  if (includes_sssp(options.kernels)) built.sssp.graph = build(edges, sssp_layout(options.layout));
  if (built.bfs.graph && calibrate) {
    clock.stop();
    calibrate(*built.bfs.graph);
    clock.start();
  }
  const Phase phase(context.ranks, "kernel 1: what searches need");
  built.peak_before_kernels = peak_resident_bytes();
  if (built.bfs.graph) built.bfs.kernel = make.bfs(*built.bfs.graph, options, context);
  const bool later = built.bfs.kernel && options.kernels_in_turn;
  if (built.sssp.graph && !later) built.sssp.kernel = make.sssp(*built.sssp.graph, options, context);
  clock.stop();
  return built;
}

ConstructionReport report_of(const BuiltKernels& built, const ConstructionClock& clock, const Communicator& ranks) {
  std::uint64_t graph_bytes = 0;
  for (const BuiltKernel* one : {&built.bfs, &built.sssp}) graph_bytes += one->graph ? one->graph->bytes() : 0;
  return {.seconds = clock.seconds(),
          .peak_bytes = ranks.all_reduce(peak_resident_bytes() - built.borrowed_bytes(), Reduction::sum),
          .graph_bytes = ranks.all_reduce(graph_bytes, Reduction::sum),
          .hubs = built.any_graph().partition().hubs().count()};
}

}  // namespace breadth
