#include "traverse/devices/gpu_search.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "gpu/graph_tables.hpp"
#include "gpu/nccl.hpp"
#include "graph/local_order.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/direction.hpp"

namespace breadth {

namespace {
/// What the processor's engine does (bfs.cpp), on the device.
class GpuSearch final : public BreadthFirstSearch::Engine {
 public:
  GpuSearch(const Graph& graph, BfsOptions options, const Context& context, std::unique_ptr<gpu::Search> on_device)
      : graph_(graph), options_(std::move(options)), context_(context), on_device_(std::move(on_device)) {}

  BfsResult run(Label source, LabelArray& parents) override {
    const Phase phase(context_.ranks, "search on the device");
    const Stopwatch stopwatch;
    const LocalVertex vertex = graph_.partition().local(source);
    const gpu::SearchRecord record =
        on_device_->run({.source = vertex == no_local_vertex ? gpu::no_vertex : vertex.value,
                         .direction = direction_rule(options_),
                         .most_levels = static_cast<std::uint64_t>(options_.max_depth)});
    const double seconds = stopwatch.seconds();
    copy_parents(parents);
    (void)set_lone_source(graph_, source, parents);
    std::uint64_t reached = 1 + record.leaves_claimed;
    for (const gpu::LevelRecord& level : record.levels) reached += level.claimed;
    return {parents,      levels_of(record), leaves_of(record), {},
            std::nullopt, seconds,           reached,           device_seconds_of(record)};
  }

  [[nodiscard]] CommunicationRecord communication() const override { return {}; }
  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return 0; }
  [[nodiscard]] std::optional<DeviceRecord> device() const override {
    return DeviceRecord{on_device_->device_name(), on_device_->device_bytes(), copies_, copy_seconds_};
  }

  /// As on processors, a search that ends at a depth visits leaves in its levels.
  static bool leaves_last(const BfsOptions& options) { return options.leaves_last && options.max_depth == INT64_MAX; }

 private:
  void copy_parents(LabelArray& parents) {
    const Stopwatch stopwatch;
    on_device_->copy_parents(parents.entries<std::uint32_t>());
    copy_seconds_ += stopwatch.seconds();
    ++copies_;
  }

  const Graph& graph_;
  BfsOptions options_;
  Context context_;
  std::unique_ptr<gpu::Search> on_device_;
  std::uint64_t copies_ = 0;
  double copy_seconds_ = 0;
};

double seconds_of(std::uint64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }

std::unique_ptr<gpu::Search> search_on(Device device, const gpu::HostGraph& graph, DeviceControl control,
                                       ThreadTeam& threads) {
  const gpu::SearchSettings settings{.control = control};
  return device == Device::gpu ? gpu::make_cuda_search(graph, settings, threads)
                               : gpu::make_simulated_search(graph, settings, threads);
}
}  // namespace

const Adjacency<std::uint32_t>& gpu_rows(const Graph& graph) {
  if (graph.directedness() == Directedness::directed)
    fail("a search on a GPU needs an undirected graph, and this one is directed: choose --device cpu");
  if (graph.layout().order != VertexOrder::degree) fail("a search on a GPU needs vertices in the order of degree");
  const auto* rows = std::get_if<Adjacencies<std::uint32_t>>(&graph.adjacencies());
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

gpu::HostGraph host_graph(const Graph& graph, bool leaves_last) {
  const Adjacency<std::uint32_t>& rows = gpu_rows(graph);
  const Partition& partition = graph.partition();
  const ConnectedLabels& connected = partition.connected();
  const auto first = [&](std::size_t edges) {
    return first_with_at_most(edges, {0, partition.local_count()},
                              [&rows](LocalVertex vertex) { return rows.degree(vertex); });
  };
  return {.offsets = rows.offsets.span(),
          .neighbours = rows.neighbours.span(),
          .labels = partition.offset_of_local(),
          .connected = connected.words(),
          .vertices = connected.locals(0, connected.words().size()),
          .label_count = static_cast<std::uint32_t>(graph.vertex_count()),
          .bounds = gpu::row_bounds(first, partition.local_count(), leaves_last)};
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
  require_device(options.device);
  return make_gpu_search(graph, options, context,
                         search_on(options.device, host_graph(graph, GpuSearch::leaves_last(options)),
                                   control_on(options.device_control, 1), context.threads));
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
  fail("--device-control persistent and {} ranks exclude each other: between ranks the host leads", ranks);
}

void require_transport(Device device, DeviceTransport transport) {
  if (device != Device::cpu && transport == DeviceTransport::nccl) gpu::NcclGroup::require();
  const bool needs_library = device == Device::gpu && transport == DeviceTransport::direct;
  if (!needs_library || MessagePassing::reads_device_memory()) return;
  fail(
      "--device-transport direct takes an MPI library that can send from a GPU's memory, and this one ({}) does not "
      "say that it can; --device-transport staged does without",
      MessagePassing::library());
}

}  // namespace breadth
