#include "traverse/gpu_search.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "graph/local_order.hpp"
#include "traverse/direction.hpp"

namespace breadth {

namespace {
using Rows = Adjacencies<std::uint32_t>;

/// The rows of a graph that a device can search.
const Rows& rows_of(const Graph& graph) {
  if (graph.distribution().ranks() > 1)
    fail("a search on a GPU runs on one rank, not on {}", graph.distribution().ranks());
  if (graph.directedness() == Directedness::directed) fail("a search on a GPU needs an undirected graph");
  if (graph.layout().order != VertexOrder::degree) fail("a search on a GPU needs vertices in the order of degree");
  const Rows* rows = std::get_if<Rows>(&graph.adjacencies());
  if (rows == nullptr) fail("a search on a GPU needs plain rows with neighbours of 32 bits");
  if (graph.vertex_count() >= no_local_vertex.value) {
    fail("a search on a GPU needs fewer than {} labels; the graph has {}", no_local_vertex.value, graph.vertex_count());
  }
  return *rows;
}

gpu::RowBounds bounds_of(const Rows& rows, std::size_t vertices, bool leaves_last) {
  constexpr std::size_t lane_edges = 8;
  constexpr std::size_t group_edges = 64;
  constexpr std::size_t asked_edges = 128;
  const auto first = [&](std::size_t edges) {
    return static_cast<std::uint32_t>(
        first_with_at_most(edges, {0, vertices}, [&rows](LocalVertex vertex) { return rows.degree(vertex); }));
  };
  gpu::RowBounds bounds{.pieces = first(gpu::piece_edges),
                        .warps = first(group_edges),
                        .groups = first(lane_edges),
                        .asked = first(asked_edges),
                        .longer = first(1),
                        .vertices = static_cast<std::uint32_t>(vertices)};
  bounds.searched = leaves_last ? bounds.longer : bounds.vertices;
  return bounds;
}

/// What the processor's engine does level by level (bfs.cpp), with each step on the device.
class GpuSearch final : public BreadthFirstSearch::Engine {
 public:
  GpuSearch(const Graph& graph, const BfsOptions& options, const Context& context, std::unique_ptr<gpu::Search> steps)
      : graph_(graph),
        options_(options),
        context_(context),
        bounds_(host_graph(graph, leaves_last(options)).bounds),
        steps_(std::move(steps)) {}

  BfsResult run(Label source, LabelArray& parents) override {
    const Stopwatch stopwatch;
    std::vector<LevelStatistics> levels;
    DirectionChooser chooser(options_);
    LeafPass leaves;
    std::uint64_t reached = 1;
    const LocalVertex vertex = graph_.partition().local(source);
    if (vertex == no_local_vertex) {
      steps_->clear();
    } else {
      start(vertex.value);
      const bool from_leaf = vertex.value >= bounds_.searched;
      for (std::int64_t depth = 0; progress_.frontier > 0 && depth < options_.max_depth; ++depth) {
        const bool to_leaves = from_leaf && depth == 0;
        levels.push_back(level(to_leaves ? Direction::push : chooser.choose(progress_), to_leaves));
        reached += levels.back().claimed;
      }
      leaves = visit_leaves();
      reached += leaves.claimed;
    }
    steps_->name_parents();
    const double seconds = stopwatch.seconds();
    copy_parents(parents);
    if (vertex == no_local_vertex) parents.set(source.index(), source);
    return {parents, std::move(levels), leaves, seconds, reached};
  }

  [[nodiscard]] CommunicationRecord communication() const override { return {}; }
  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return 0; }
  [[nodiscard]] std::optional<DeviceRecord> device() const override {
    return DeviceRecord{steps_->device_name(), steps_->device_bytes(), copies_, copy_seconds_};
  }

  /// As on processors, a search that ends at a depth visits leaves in its levels.
  static bool leaves_last(const BfsOptions& options) { return options.leaves_last && options.max_depth == INT64_MAX; }

 private:
  void start(std::uint32_t vertex) {
    const std::span offsets = rows_of(graph_).out.offsets.span();
    const std::uint64_t edges = offsets[vertex + 1] - offsets[vertex];
    steps_->start(vertex);
    progress_ = {.frontier = 1,
                 .frontier_edges = edges,
                 .unvisited_edges = offsets[bounds_.searched] - std::min(edges, offsets[bounds_.searched]),
                 .vertices = bounds_.vertices,
                 .unvisited = bounds_.searched};
  }

  LevelStatistics level(Direction direction, bool to_leaves) {
    const Phase phase(context_.ranks, direction == Direction::push ? "push" : "pull");
    LevelStatistics level{.direction = direction, .frontier = progress_.frontier};
    const Stopwatch stopwatch;
    const gpu::LevelCounts counts =
        direction == Direction::push ? steps_->push(to_leaves ? bounds_.vertices : bounds_.searched) : steps_->pull();
    level.seconds.compute = stopwatch.seconds();
    level.edges_examined = counts.edges_examined;
    level.claimed = counts.claimed;
    progress_.frontier = counts.claimed;
    progress_.unvisited -= std::min(counts.claimed, progress_.unvisited);
    progress_.frontier_edges = counts.claimed_edges;
    progress_.unvisited_edges -= std::min(counts.claimed_edges, progress_.unvisited_edges);
    return level;
  }

  LeafPass visit_leaves() {
    if (bounds_.searched == bounds_.vertices) return {};
    const Phase phase(context_.ranks, "leaves");
    const Stopwatch stopwatch;
    const gpu::LevelCounts counts = steps_->visit_leaves();
    LeafPass pass{.claimed = counts.claimed};
    pass.seconds.compute = stopwatch.seconds();
    return pass;
  }

  void copy_parents(LabelArray& parents) {
    const Stopwatch stopwatch;
    steps_->copy_parents(parents.entries<std::uint32_t>());
    copy_seconds_ += stopwatch.seconds();
    ++copies_;
  }

  const Graph& graph_;
  BfsOptions options_;
  Context context_;
  gpu::RowBounds bounds_;
  std::unique_ptr<gpu::Search> steps_;
  SearchProgress progress_;
  std::uint64_t copies_ = 0;
  double copy_seconds_ = 0;
};

std::unique_ptr<gpu::Search> steps_on(Device device, const gpu::HostGraph& graph, ThreadTeam& threads) {
  return device == Device::gpu ? gpu::make_cuda_search(graph, threads) : gpu::make_simulated_search(graph, threads);
}
}  // namespace

gpu::HostGraph host_graph(const Graph& graph, bool leaves_last) {
  const Rows& rows = rows_of(graph);
  const Partition& partition = graph.partition();
  const ConnectedLabels& connected = partition.connected();
  return {.offsets = rows.out.offsets.span(),
          .neighbours = rows.out.neighbours.span(),
          .labels = partition.offset_of_local(),
          .connected = connected.words(),
          .vertices = connected.locals(0, connected.words().size()),
          .label_count = static_cast<std::uint32_t>(graph.vertex_count()),
          .bounds = bounds_of(rows, partition.local_count(), leaves_last)};
}

std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context,
                                                            std::unique_ptr<gpu::Search> steps) {
  return std::make_unique<GpuSearch>(graph, options, context, std::move(steps));
}

std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context) {
  require_device(options.device, context.ranks.size());
  return make_gpu_search(graph, options, context,
                         steps_on(options.device, host_graph(graph, GpuSearch::leaves_last(options)), context.threads));
}

void require_device(Device device, int ranks) {
  if (device == Device::cpu) return;
  if (ranks > 1)
    fail("--device {} and {} ranks exclude each other: a search on a GPU runs on one rank", name_of(device), ranks);
  if (device == Device::gpu) gpu::require_cuda();
}

}  // namespace breadth
