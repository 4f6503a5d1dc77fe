#include "traverse/devices/gpu_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "gpu/graph_tables.hpp"
#include "gpu/nccl.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/sssp/path_phases.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/sssp/sssp_engine.hpp"

namespace breadth {

// Breadth-first search.

namespace {
/// Breadth-first search on the device of one rank.
class GpuSearch final : public BreadthFirstSearch::Engine {
 public:
  GpuSearch(const Graph& graph, BfsOptions options, const Context& context, std::unique_ptr<gpu::Search> on_device)
      : graph_(graph), options_(std::move(options)), context_(context), on_device_(std::move(on_device)) {}

  BfsResult run(const BfsQuery& query, LabelArray& parents) override {
    const Label source = only_source(query);
    const Phase phase(context_.ranks, "search on the device");
    const Stopwatch stopwatch;
    const LocalVertex vertex = graph_.partition().local(source);
    const gpu::SearchRecord record =
        on_device_->run({.source = vertex == no_local_vertex ? gpu::no_vertex : vertex.value,
                         .direction = options_.direction,
                         .max_levels = static_cast<std::uint64_t>(options_.max_depth)});
    const double seconds = stopwatch.seconds();
    copy_result(device_, [&] { on_device_->copy_parents(parents.entries<std::uint32_t>()); });
    set_lone_source(graph_, source, parents);
    std::uint64_t reached = 1 + record.leaves_claimed;
    for (const gpu::LevelRecord& level : record.levels) reached += level.claimed;
    return {parents,      levels_of(record), leaves_of(record), {},
            std::nullopt, seconds,           reached,           device_seconds_of(record)};
  }

  [[nodiscard]] std::optional<DeviceRecord> device() const override { return device_; }

 private:
  const Graph& graph_;
  BfsOptions options_;
  Context context_;
  std::unique_ptr<gpu::Search> on_device_;
  DeviceRecord device_{.name = on_device_->device_name(), .bytes = on_device_->device_bytes()};
};

double seconds_of(std::uint64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }
}  // namespace

const Adjacency<std::uint32_t>& gpu_rows(const Graph& graph) {
  if (graph.directedness() == Directedness::directed)
    fail("a search on a GPU needs an undirected graph, and this one is directed: choose --device cpu");
  if (graph.layout().order != VertexOrder::degree) fail("a search on a GPU needs vertices in the order of degree");
  const auto* rows = std::get_if<Adjacencies<std::uint32_t>>(&graph.contents().adjacencies);
  if (rows == nullptr) fail("a search on a GPU needs plain rows with neighbours of 32 bits");
  if (graph.vertex_count() >= no_local_vertex.value) {
    fail("a search on a GPU needs fewer than {} labels, and the graph has {}: choose --device cpu",
         no_local_vertex.value, graph.vertex_count());
  }
  return rows->out;
}

std::vector<LevelStatistics> levels_of(const gpu::SearchRecord& record) {
  std::vector<LevelStatistics> levels;
  std::uint64_t ended = record.levels.empty() ? 0 : record.levels.front().began;
  for (const gpu::LevelRecord& level : record.levels) {
    levels.push_back(
        {.direction = level.direction,
         .frontier = level.frontier,
         .edges_examined = level.edges_examined,
         .claimed = level.claimed,
         .seconds = {.compute = seconds_of(level.nanoseconds), .convert = seconds_of(level.began - ended)}});
    ended = level.began + level.nanoseconds;
  }
  return levels;
}

LeafPass leaves_of(const gpu::SearchRecord& record) {
  return {.claimed = record.leaves_claimed, .seconds = {.compute = seconds_of(record.nanoseconds.leaves)}};
}

DeviceSeconds device_seconds_of(const gpu::SearchRecord& record) {
  return {.start = seconds_of(record.nanoseconds.start),
          .names = seconds_of(record.nanoseconds.names),
          .all = seconds_of(record.nanoseconds.all)};
}

gpu::RowBounds row_bounds_of(const Graph& graph, bool leaves_last) {
  const Adjacency<std::uint32_t>& rows = gpu_rows(graph);
  const std::size_t vertices = graph.partition().local_count();
  const auto first = [&](std::size_t edges) {
    return first_with_at_most(edges, {0, vertices}, [&rows](LocalVertex vertex) { return rows.degree(vertex); });
  };
  return gpu::row_bounds(first, vertices, leaves_last);
}

gpu::HostGraph host_graph(const Graph& graph, bool leaves_last) {
  const Adjacency<std::uint32_t>& rows = gpu_rows(graph);
  const Partition& partition = graph.partition();
  const ConnectedLabels& connected = partition.connected();
  return {.offsets = rows.offsets.span(),
          .neighbours = rows.neighbours.span(),
          .labels = partition.offset_of_local(),
          .connected = connected.words(),
          .vertices = connected.locals(0, connected.words().size()),
          .label_count = static_cast<std::uint32_t>(graph.vertex_count()),
          .bounds = row_bounds_of(graph, leaves_last)};
}

gpu::HostGraph weighted_host_graph(const Graph& graph) {
  gpu::HostGraph on_host = host_graph(graph, false);
  on_host.weights = gpu_rows(graph).weights.span();
  return on_host;
}

std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context,
                                                            std::unique_ptr<gpu::Search> on_device) {
  return std::make_unique<GpuSearch>(graph, options, context, std::move(on_device));
}

std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context) {
  if (context.ranks.size() > 1) return make_gpu_ranks_search(graph, options, context);
  require_device(options.device.kind);
  // As on processors, a search with max_depth visits leaves in its levels.
  const bool leaves_last = options.leaves_last && options.max_depth == INT64_MAX;
  const gpu::HostGraph on_host = host_graph(graph, leaves_last);
  const gpu::SearchSettings settings{.control = control_on(options.device.control, 1)};
  return make_gpu_search(graph, options, context,
                         options.device.kind == Device::gpu
                             ? gpu::make_cuda_search(on_host, settings, context.threads)
                             : gpu::make_simulated_search(on_host, settings, context.threads));
}

void require_device(Device device) {
  if (device != Device::gpu) return;
  try {
    gpu::require_cuda();
  } catch (const Error& error) {
    fail("--device gpu: {}", error.what());
  }
}

void require_control(std::optional<DeviceControl> asked, int ranks) {
  if (ranks == 1 || asked != DeviceControl::persistent) return;
  fail("--device-control persistent and {} ranks exclude each other: with several ranks, the host controls the search",
       ranks);
}

void require_transport(Device device, DeviceTransport transport) {
  if (device != Device::cpu && transport == DeviceTransport::nccl) gpu::NcclGroup::require();
  const bool needs_library = device == Device::gpu && transport == DeviceTransport::direct;
  if (!needs_library || MessagePassing::reads_device_memory()) return;
  fail(
      "--device-transport direct needs an MPI library that can send from a GPU's memory, and this one ({}) does not "
      "say that it can; use --device-transport staged",
      MessagePassing::library());
}

// Shortest paths.

HubPaths::HubPaths(const Hubs& hubs, const Communicator& ranks)
    : hubs_(hubs), ranks_(ranks), known_(hubs.count()), least_(hubs.count(), ranks) {}

LocalVertex HubPaths::start(LocalVertex source) {
  std::fill(known_.begin(), known_.end(), gpu::no_path);
  const LocalVertex here = source_on_all_ranks(source, hubs_, ranks_);
  if (hubs_.contains(here)) known_[here.index()] = 0;
  return here;
}

std::span<const gpu::Relaxation> HubPaths::share(std::span<const gpu::Relaxation> found) {
  closer_.clear();
  const auto path_of = [](const gpu::Relaxation& one, int) { return one.path(); };
  least_.reduce(found, path_of, [this](std::uint32_t hub, std::uint64_t path) {
    if (gpu::HighHalf{}(path) >= gpu::HighHalf{}(known_[hub])) return;
    closer_.push_back({hub, gpu::LowHalf{}(path), gpu::HighHalf{}(path)});
    known_[hub] = path;
  });
  return closer_;
}

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();

/// The arguments of a search for shortest paths. If the graph has hubs and no bucket width was given, sweeps begin
/// (gpu::PathsControl) once a 256th of the edges has been pushed along. Until then buckets are narrow, so that each
/// holds few of the hubs' edges (benchmarks/results/gpu.md).
gpu::PathArguments arguments_for(const Graph& graph, const SsspOptions& options, const Context& context) {
  constexpr double hub_times_average = 32;  // as in SweepSearch
  constexpr std::uint64_t part_of_edges = 256;
  gpu::PathArguments arguments{.delta = bucket_width(graph, options, context), .max_distance = options.max_distance};
  const Adjacency<std::uint32_t>& rows = gpu_rows(graph);
  if (!options.sweeps || options.delta > 0 || rows.entries() == 0) return arguments;
  const double average = static_cast<double>(rows.entries()) / static_cast<double>(graph.partition().local_count());
  const auto most = static_cast<double>(rows.degree(LocalVertex{0}));
  if (most <= hub_times_average * average) return arguments;
  const double edges_of_a_hub = std::clamp(most / 256, 64.0, 256.0);  // edges of the largest hub in two buckets
  arguments.pushed_before_sweeps = rows.entries() / part_of_edges;
  arguments.delta_before_sweeps = arguments.delta / 2 * static_cast<float>(average * edges_of_a_hub / most);
  return arguments;
}

class GpuPaths final : public ShortestPathSearch::Engine {
 public:
  GpuPaths(const Graph& graph, const SsspOptions& options, const Context& context,
           std::unique_ptr<gpu::Paths> on_device)
      : graph_(graph),
        context_(context),
        arguments_(arguments_for(graph, options, context)),
        on_device_(std::move(on_device)) {}

  SsspResult run(Label source, ShortestPathTree& tree) override {
    const Phase phase(context_.ranks, "shortest paths on the device");
    const Stopwatch stopwatch;
    const LocalVertex vertex = graph_.partition().local(source);
    arguments_.source = vertex == no_local_vertex ? gpu::no_vertex : vertex.value;
    const gpu::SearchRecord record = on_device_->run(arguments_);
    const double seconds = stopwatch.seconds();
    copy_result(device_, [&] { on_device_->copy_tree(tree.parents.entries<std::uint32_t>(), tree.distances.span()); });
    (void)set_lone_source(graph_, source, tree);
    return {tree, levels_of(record), leaves_of(record), {}, seconds, count_reached(tree), device_seconds_of(record)};
  }

  [[nodiscard]] std::optional<DeviceRecord> device() const override { return device_; }

 private:
  const Graph& graph_;
  Context context_;
  gpu::PathArguments arguments_;
  std::unique_ptr<gpu::Paths> on_device_;
  DeviceRecord device_{.name = on_device_->device_name(), .bytes = on_device_->device_bytes()};
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
  require_device(options.device.kind);
  const gpu::HostGraph on_host = weighted_host_graph(graph);
  const gpu::SearchSettings settings{.control = control_on(options.device.control, 1)};
  return make_gpu_paths(graph, options, context,
                        options.device.kind == Device::gpu
                            ? gpu::make_cuda_paths(on_host, settings, context.threads)
                            : gpu::make_simulated_paths(on_host, settings, context.threads));
}

}  // namespace breadth
