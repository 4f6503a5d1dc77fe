#include "traverse/devices/gpu_paths.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "comm/phase.hpp"
#include "core/stopwatch.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/devices/gpu_search.hpp"
#include "traverse/sssp/sssp_engine.hpp"

namespace breadth {

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Where a graph has hubs, and no width was asked for, vertices look for paths (gpu::PathsControl) once a 64th of the
/// edges has been pushed along, from the hubs next to the source: by narrow buckets, which hold few of them
/// (benchmarks/results/gpu.md).
gpu::PathOrders orders_for(const Graph& graph, const SsspOptions& options, const Context& context) {
  constexpr double hub_times_average = 32;  // as SweepSearch has it
  constexpr std::uint64_t part_of_edges = 64;
  constexpr double edges_of_a_hub = 64;  // in a bucket, of the most connected one
  gpu::PathOrders orders{.delta = bucket_width(graph, options, context), .most_distance = options.max_distance};
  const Adjacency<std::uint32_t>& rows = gpu_rows(graph);
  if (!options.sweeps || options.delta > 0 || rows.entries() == 0) return orders;
  const double average = static_cast<double>(rows.entries()) / static_cast<double>(graph.partition().local_count());
  const auto most = static_cast<double>(rows.degree(LocalVertex{0}));
  if (most <= hub_times_average * average) return orders;
  orders.pushed_before_sweeps = rows.entries() / part_of_edges;
  orders.delta_before_sweeps = orders.delta / 2 * static_cast<float>(average * edges_of_a_hub / most);
  return orders;
}

class GpuPaths final : public ShortestPathSearch::Engine {
 public:
  GpuPaths(const Graph& graph, const SsspOptions& options, const Context& context,
           std::unique_ptr<gpu::Paths> on_device)
      : graph_(graph),
        context_(context),
        orders_(orders_for(graph, options, context)),
        on_device_(std::move(on_device)) {}

  SsspResult run(Label source, ShortestPathTree& tree) override {
    const Phase phase(context_.ranks, "shortest paths on the device");
    const Stopwatch stopwatch;
    const LocalVertex vertex = graph_.partition().local(source);
    orders_.source = vertex == no_local_vertex ? gpu::no_vertex : vertex.value;
    const gpu::SearchRecord record = on_device_->run(orders_);
    const double seconds = stopwatch.seconds();
    copy_tree(tree);
    (void)set_lone_source(graph_, source, tree);
    return {tree, levels_of(record), leaves_of(record), {}, seconds, count_reached(tree), device_seconds_of(record)};
  }

  [[nodiscard]] CommunicationRecord communication() const override { return {}; }
  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return 0; }
  [[nodiscard]] std::optional<DeviceRecord> device() const override {
    return DeviceRecord{on_device_->device_name(), on_device_->device_bytes(), copies_, copy_seconds_};
  }

 private:
  void copy_tree(ShortestPathTree& tree) {
    const Stopwatch stopwatch;
    on_device_->copy_tree(tree.parents.entries<std::uint32_t>(), tree.distances.span());
    copy_seconds_ += stopwatch.seconds();
    ++copies_;
  }

  const Graph& graph_;
  Context context_;
  gpu::PathOrders orders_;
  std::unique_ptr<gpu::Paths> on_device_;
  std::uint64_t copies_ = 0;
  double copy_seconds_ = 0;
};
}  // namespace

float bucket_width(const Graph& graph, const SsspOptions& options, const Context& context) {
  if (options.delta > 0) return static_cast<float>(options.delta);
  return static_cast<float>(choose_delta(gpu_rows(graph), context));
}

std::uint64_t count_reached(const ShortestPathTree& tree) {
  const auto unreached = std::count(tree.distances.begin(), tree.distances.end(), infinity);
  return tree.distances.size() - static_cast<std::size_t>(unreached);
}

std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context,
                                                           std::unique_ptr<gpu::Paths> on_device) {
  return std::make_unique<GpuPaths>(graph, options, context, std::move(on_device));
}

std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context) {
  if (context.ranks.size() > 1) return make_gpu_ranks_paths(graph, options, context);
  require_device(options.device);
  const gpu::HostGraph on_host = weighted_host_graph(graph);
  const gpu::SearchSettings settings{.control = control_on(options.device_control, 1)};
  return make_gpu_paths(graph, options, context,
                        options.device == Device::gpu ? gpu::make_cuda_paths(on_host, settings, context.threads)
                                                      : gpu::make_simulated_paths(on_host, settings, context.threads));
}

}  // namespace breadth
