#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/nodes.hpp"
#include "comm/phase.hpp"
#include "core/data/bitmap.hpp"
#include "core/policy/direction.hpp"
#include "core/stopwatch.hpp"
#include "gpu/part_search.hpp"
#include "gpu/search.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/devices/gpu_part.hpp"
#include "traverse/devices/gpu_search.hpp"
#include "traverse/replication/hub_replicas.hpp"

namespace breadth {

// Breadth-first search.

/// A copy on the host of the hubs' bits and parents in a device's search. It is the State of HubReplicas, fetched
/// before ranks share hubs and brought back afterwards.
class HubMirror {
 public:
  explicit HubMirror(const Hubs& hubs) : visited_(hubs.end()), parents_(hubs.count()) {}

  void fetch(const gpu::PartSearch& part) { part.copy_hubs(visited_.words()); }
  void bring_back(gpu::PartSearch& part) const { part.join_hubs(visited_.words()); }
  void fetch_parents(gpu::PartSearch& part) { part.write_hub_parents(parents_); }
  void bring_parents_back(gpu::PartSearch& part) const { part.set_hub_parents(parents_); }

  [[nodiscard]] const Bitmap& visited() const { return visited_; }
  [[nodiscard]] std::span<std::uint32_t> parents() { return parents_; }
  void visit_replica(std::uint32_t hub, bool /*listed*/) { visited_.insert(hub); }

 private:
  Bitmap visited_;
  std::vector<std::uint32_t> parents_;  ///< labels
};

namespace {

class GpuRanksSearch final : public BreadthFirstSearch::Engine {
 public:
  GpuRanksSearch(const Graph& graph, const BfsOptions& options, const Context& context,
                 PartOnDevice<gpu::PartSearch> part)
      : graph_(graph),
        rule_(options.direction),
        max_depth_(options.max_depth),
        context_(context),
        nodes_(context.ranks, options.replication.ranks_per_node),
        part_(std::move(part)),
        replicas_(graph.partition(), options.hub_masks, nodes_),
        mirror_(graph.partition().hubs()),
        exchange_(context.ranks, options.device.transport),
        counts_(static_cast<std::size_t>(context.ranks.size())) {}

  BfsResult run(const BfsQuery& query, LabelArray& parents) override {
    const Label source = only_source(query);
    BfsResult result = search_levels(
        max_depth_, parents, context_.ranks, [&] { start(source); },
        [this](std::vector<LevelStatistics>& levels, std::int64_t) { levels.push_back(visit_level()); },
        [this] { return SearchEnd{.settled = settle_parents()}; });
    copy_result(device_, [&] { part().copy_parents(parents.entries<std::uint32_t>()); });
    set_lone_source(graph_, source, parents);
    return result;
  }

  [[nodiscard]] CommunicationRecord communication() const override { return record_of(exchange_, all_reduce_seconds_); }
  [[nodiscard]] std::optional<DeviceRecord> device() const override { return device_; }

 private:
  [[nodiscard]] gpu::PartSearch& part() const { return *part_.search; }

  void start(Label source) {
    const LocalVertex vertex = own_vertex(graph_, source);
    const bool here = vertex != no_local_vertex;
    part().start(here ? vertex.value : gpu::no_vertex);
    mirror_.fetch(part());
    replicas_.start(vertex, mirror_);
    mirror_.bring_back(part());
    const std::uint64_t edges = part().level().edges + (here ? part().edges_of(vertex.value) : 0);
    progress_ = {.frontier = 1,
                 .frontier_edges = context_.ranks.all_reduce(edges, Reduction::sum),
                 .vertices = graph_.connected_vertices(),
                 .unvisited = graph_.connected_vertices()};
    progress_.unvisited_edges = part_.own_entries - std::min(progress_.frontier_edges, part_.own_entries);
    chooser_ = DirectionChooser(rule_);
  }

  LevelStatistics visit_level() {
    const Phase phase(context_.ranks, "level on devices");
    LevelStatistics level{.direction = chooser_.choose(progress_), .frontier = progress_.frontier};
    Stopwatch stopwatch;
    part().visit(level.direction);
    mirror_.fetch(part());
    replicas_.start_sharing(mirror_);  // no query names a hub
    level.seconds.compute = stopwatch.lap();
    const LevelTraffic sent(exchange_);
    const std::span<const gpu::Query> queries = part().take_queries(counts_);
    part().visit_inbox(exchange_.run(queries, counts_, part().inbox()));
    sent.report(level, stopwatch);
    count_between_nodes(level.traffic, nodes_);
    const HubLevel hubs = replicas_.finish_sharing(mirror_, level.direction);
    level.seconds.communicate += stopwatch.lap();
    level.traffic += hubs.traffic;
    mirror_.bring_back(part());
    finish(level, hubs, stopwatch);
    return level;
  }

  /// Sums the level over ranks. The vertices that it claimed are the next frontier.
  void finish(LevelStatistics& level, const HubLevel& hubs, Stopwatch& stopwatch) {
    const gpu::PartLevel here = part().level();
    level.claimed = replicas_.count_once(here.claimed, hubs);
    level.edges_examined = here.edges_examined;
    std::uint64_t edges[] = {here.edges};
    all_reduce_seconds_ += sum_level(level, edges, stopwatch, context_.ranks);
    progress_.frontier = level.claimed;
    progress_.frontier_edges = edges[0];
    progress_.unvisited -= std::min(level.claimed, progress_.unvisited);
    progress_.unvisited_edges -= std::min(edges[0], progress_.unvisited_edges);
  }

  Traffic settle_parents() {
    mirror_.fetch_parents(part());
    const Traffic settled = replicas_.settle_parents(mirror_);
    mirror_.bring_parents_back(part());
    part().write_parents();
    return settled;
  }

  const Graph& graph_;
  DirectionRule rule_;
  std::int64_t max_depth_;
  Context context_;
  Nodes nodes_;
  PartOnDevice<gpu::PartSearch> part_;
  HubReplicas<std::uint32_t> replicas_;
  HubMirror mirror_;
  DeviceExchange exchange_;
  std::vector<std::size_t> counts_;  ///< number of a level's queries for each rank
  DirectionChooser chooser_;
  SearchProgress progress_;
  double all_reduce_seconds_ = 0;
  DeviceRecord device_{.name = part_.search->device_name(), .bytes = part_.bytes};
};
}  // namespace

std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_ranks_search(const Graph& graph, const BfsOptions& options,
                                                                  const Context& context) {
  return std::make_unique<GpuRanksSearch>(graph, options, context,
                                          take_part(graph, PartEdges::alone, options.device, context, gpu::plan_memory,
                                                    gpu::make_cuda_part, gpu::make_simulated_part));
}

// Shortest paths.

namespace {
class GpuRanksPaths final : public ShortestPathSearch::Engine {
 public:
  GpuRanksPaths(const Graph& graph, const SsspOptions& options, const Context& context,
                PartOnDevice<gpu::PartPaths> part)
      : graph_(graph),
        context_(context),
        delta_(bucket_width(graph, options, context)),
        max_distance_(options.max_distance),
        part_(std::move(part)),
        hubs_(graph.partition().hubs(), context.ranks),
        exchange_(context.ranks, options.device.transport),
        counts_(static_cast<std::size_t>(context.ranks.size()) + 1) {}

  SsspResult run(Label source, ShortestPathTree& tree) override {
    context_.ranks.barrier();
    const Stopwatch stopwatch;
    start(source);
    std::vector<LevelStatistics> levels;
    LevelStatistics level;
    while (frontier_ > 0 || open_bucket(level)) {
      relax(level);
      levels.push_back(std::exchange(level, {}));
    }
    end(level, levels.back());
    part().write_tree();
    const double seconds = context_.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
    share_idle_times(levels, context_.ranks);
    copy_result(device_, [&] { part().copy_tree(tree.parents.entries<std::uint32_t>(), tree.distances.span()); });
    (void)set_lone_source(graph_, source, tree);
    const std::uint64_t reached = context_.ranks.all_reduce(count_reached(tree), Reduction::sum);
    return {tree, std::move(levels), {}, {}, seconds, reached};
  }

  [[nodiscard]] CommunicationRecord communication() const override { return record_of(exchange_, all_reduce_seconds_); }
  [[nodiscard]] std::optional<DeviceRecord> device() const override { return device_; }

 private:
  [[nodiscard]] gpu::PartPaths& part() const { return *part_.search; }

  void start(Label source) {
    const LocalVertex vertex = hubs_.start(own_vertex(graph_, source));
    const bool here = vertex != no_local_vertex;
    part().start({.source = here ? vertex.value : gpu::no_vertex,
                  .source_label = static_cast<std::uint32_t>(source.value),
                  .max_distance = max_distance_});
    bound_ = delta_;
    frontier_ = 1;
  }

  /// Carries out one level of a bucket. The vertices that it claims are the next frontier.
  void relax(LevelStatistics& level) {
    const Phase phase(context_.ranks, "relaxations on devices");
    Stopwatch stopwatch;
    level.frontier = frontier_;
    part().relax(bound_);
    level.seconds.compute += stopwatch.lap();
    send(level, stopwatch);
    const gpu::PartLevel here = part().level();
    level.claimed = here.claimed;
    level.edges_examined = here.edges_examined;
    all_reduce_seconds_ += sum_level(level, {}, stopwatch, context_.ranks);
    frontier_ = level.claimed;
  }

  /// Opens the next bucket with a frontier, the same on all ranks. Returns false if there is none. Its time and traffic
  /// count for the level that follows.
  bool open_bucket(LevelStatistics& level) {
    const Phase phase(context_.ranks, "bucket on devices");
    while (frontier_ == 0) {
      Stopwatch stopwatch;
      const float settled = bound_;
      const double nearest = context_.ranks.all_reduce(double{part().nearest(settled)}, Reduction::minimum);
      if (std::isinf(nearest)) return false;
      bound_ = gpu::bucket_end(static_cast<float>(nearest), delta_);
      part().open(settled, bound_);
      level.seconds.compute += stopwatch.lap();
      send(level, stopwatch);
      frontier_ = context_.ranks.all_reduce(part().level().claimed, Reduction::sum);
      level.seconds.wait += stopwatch.lap();
    }
    return true;
  }

  /// Adds the time and traffic of the last open_bucket(), which found none, to the last level. There is at least one
  /// level, that of the source.
  void end(LevelStatistics& after, LevelStatistics& last) {
    Stopwatch stopwatch;
    all_reduce_seconds_ += sum_level(after, {}, stopwatch, context_.ranks);
    last.traffic += after.traffic;
    last.seconds.compute += after.seconds.compute;
    last.seconds.communicate += after.seconds.communicate;
    last.seconds.wait += after.seconds.wait;
  }

  /// Exchanges paths that end in the bucket.
  void send(LevelStatistics& level, Stopwatch& stopwatch) {
    const LevelTraffic sent(exchange_);
    const std::span<const gpu::Relaxation> found = part().take_relaxations(counts_);
    hub_offers_.resize(counts_.back());
    part().copy_hubs(hub_offers_);
    const std::size_t for_ranks = found.size() - hub_offers_.size();
    const std::span<const std::size_t> counts = std::span<const std::size_t>(counts_).first(counts_.size() - 1);
    part().relax_inbox(exchange_.run(found.first(for_ranks), counts, part().inbox()));
    sent.report(level, stopwatch);
    part().take_hubs(hubs_.share(hub_offers_));
    level.traffic.bytes += hubs_.take_bytes();
    level.seconds.communicate += stopwatch.lap();
  }

  const Graph& graph_;
  Context context_;
  float delta_;
  float max_distance_;
  PartOnDevice<gpu::PartPaths> part_;
  HubPaths hubs_;
  DeviceExchange exchange_;
  std::vector<std::size_t> counts_;  ///< number of relaxations for each rank, and at the end for hubs
  std::vector<gpu::Relaxation> hub_offers_;
  float bound_ = 0;             ///< the end of the bucket that is being settled
  std::uint64_t frontier_ = 0;  ///< vertices in the frontier, on all ranks
  double all_reduce_seconds_ = 0;
  DeviceRecord device_{.name = part_.search->device_name(), .bytes = part_.bytes};
};
}  // namespace

std::unique_ptr<ShortestPathSearch::Engine> make_gpu_ranks_paths(const Graph& graph, const SsspOptions& options,
                                                                 const Context& context) {
  return std::make_unique<GpuRanksPaths>(
      graph, options, context,
      take_part(graph, PartEdges::with_lengths, options.device, context, gpu::plan_paths_memory,
                gpu::make_cuda_part_paths, gpu::make_simulated_part_paths));
}

}  // namespace breadth
