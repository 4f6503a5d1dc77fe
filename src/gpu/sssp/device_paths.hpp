// Shortest paths in the memory of a device: which phases run when, and what memory they use.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "gpu/memory_plan.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/run_program.hpp"
#include "gpu/search.hpp"
#include "gpu/sssp/path_phases.hpp"

namespace breadth::gpu {

/// The stages of a search: buckets from the source on, perhaps sweeps, then buckets from the vertices that the last
/// sweep improved.
enum class PathsStage : std::uint32_t { buckets, sweeps, rest };

/// The state of a search between two levels.
struct PathsState {
  std::uint64_t frontier = 0;
  std::uint64_t frontier_edges = 0;
  std::uint32_t far = 0;    ///< without a frontier: vertices in the far pile, some of which may be settled since
  std::uint32_t level = 0;  ///< number of the next level
  std::uint32_t bucket = 0;
  std::uint32_t recorded = 0;  ///< levels in the record
  PathsStage stage = PathsStage::buckets;
  std::uint32_t sweeps = 0;  ///< number of sweeps so far
  std::uint64_t pushed = 0;  ///< edges pushed along so far
  float bound = 0;           ///< upper bound of the current bucket
  float delta = 0;           ///< width of the next bucket
  bool over = false;
};

/// The arrays of a search in the memory of the device, besides the graph and LevelMemory.
struct PathsMemory {
  PathView state;
  ArrayView<std::uint32_t> far[2];     ///< far piles, which buckets use in turn
  ArrayView<std::uint32_t> far_sizes;  ///< counter_sets sizes, which buckets use in turn
  ArrayView<std::uint32_t> nearest;    ///< likewise for FindNearest
  ArrayView<std::uint32_t> parents;
  ArrayView<float> distances;
};

/// The steps of near-far pile (Davidson et al. 2014) for a LevelProgram. The vertices closer than a bound are relaxed
/// level by level until none comes closer. All other reached vertices wait in the far pile. Then the bound moves to
/// `delta` beyond the nearest of them. After pushes along arguments.pushed_before_sweeps edges, sweeps replace the far
/// pile (as SweepSearch on processors): the most connected vertices first, then all, until few come closer. Buckets
/// continue from these.
struct PathsSteps {
  GraphView graph;
  ArrayView<const float> weights;
  LabelView labels;
  LevelMemory<PathsState> levels;
  PathsMemory memory;
  PathArguments arguments;
  std::uint64_t small_edges = 0;  ///< relaxations of fewer edges run on one block

 protected:
  [[nodiscard]] constexpr bool has_work(const PathsState& state) const {
    return state.frontier > 0 || state.far > 0 || state.stage == PathsStage::sweeps;
  }
  [[nodiscard]] constexpr bool is_small(const PathsState& state) const {
    return !sweeps(state) && (state.frontier > 0 ? state.frontier_edges : state.far) < small_edges;
  }

  template <class Grid>
  constexpr PathsState start(Grid& grid) const {
    grid.store(levels.times, search_began, grid.nanoseconds());
    PathsState state;
    state.delta =
        arguments.pushed_before_sweeps == PathArguments::no_sweeps ? arguments.delta : arguments.delta_before_sweeps;
    state.bound = state.delta;
    grid.run(ClearPaths{{memory.state.paths}, memory.state.paths.size}, warps_for(memory.state.paths.size));
    grid.clear(memory.state.stamps);
    grid.clear(memory.state.is_far);
    grid.clear(levels.counters.queue_sizes);
    grid.clear(levels.counters.tallies);
    grid.clear(memory.far_sizes);
    grid.clear(memory.nearest);
    if (arguments.source == no_vertex) return state;
    grid.sync();
    const std::uint64_t begin = grid.load(graph.offsets, arguments.source);
    state.frontier_edges = grid.load(graph.offsets, arguments.source + 1) - begin;
    grid.run(StartPaths{graph, memory.state, levels.queue(0), arguments.source, arguments.source}, 1);
    state.frontier = 1;
    return state;
  }

  /// One step: a level of a bucket, the step to the next bucket, or a sweep.
  template <class Grid>
  constexpr void level(Grid& grid, PathsState& state) const {
    grid.clear(levels.counters.queue_sizes_of(state.level + 2));
    grid.clear(levels.counters.tallies_of(state.level + 2));
    if (state.frontier > 0) {
      relax(grid, state);
    } else if (sweeps(state)) {
      if (state.stage == PathsStage::buckets) drop_far(grid, state);
      sweep(grid, state);
    } else {
      next_bucket(grid, state);
    }
  }

  template <class Grid>
  constexpr void finish(Grid& grid, const PathsState& state) const {
    grid.store(levels.times, leaves_began, grid.nanoseconds());
    if (state.stage == PathsStage::rest) visit_leaves(grid, state);
    grid.store(levels.times, names_began, grid.nanoseconds());
    grid.run(WriteTree{{{labels, memory.state, memory.parents, memory.distances}}},
             memory.parents.size / bits_per_word + 1);
  }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  /// Whether the next step is a sweep, or drop_far() before the first sweep.
  [[nodiscard]] constexpr bool sweeps(const PathsState& state) const {
    return state.frontier == 0 &&
           (state.stage == PathsStage::sweeps ||
            (state.stage == PathsStage::buckets && state.pushed >= arguments.pushed_before_sweeps));
  }

  /// Relaxes the edges of the frontier.
  template <class Grid>
  constexpr void relax(Grid& grid, PathsState& state) const {
    LevelRecord record{.direction = Direction::push, .frontier = state.frontier};
    record.began = grid.nanoseconds();
    const ArrayView<std::uint64_t> sums = levels.counters.tallies_of(state.level);
    walk_queue(grid, RelaxStep{graph, weights, levels.queue(state.level), arrivals(state, 0), sums}, state.frontier);
    grid.sync();
    record.edges_examined = grid.load(sums, edges_examined);
    state.pushed += record.edges_examined;
    advance(grid, state);
    record.claimed = state.frontier;
    record.nanoseconds = grid.nanoseconds() - record.began;
    grid.store(levels.record, state.recorded++, record);
  }

  /// Moves the bound beyond the nearest unsettled vertex of the far pile, if there is one.
  template <class Grid>
  constexpr void next_bucket(Grid& grid, PathsState& state) const {
    const float settled = state.bound;
    const ArrayView<std::uint32_t> nearest = set(memory.nearest, state.bucket);
    grid.clear(set(memory.nearest, state.bucket + 2));
    grid.clear(set(memory.far_sizes, state.bucket + 2));
    grid.run(FindNearest{memory.state, far(state, 0), nearest, settled}, state.far / warp_lanes + 1);
    grid.sync();
    const std::uint32_t complement = grid.load(nearest, 0);
    if (complement == 0) {
      state.far = 0;
      return;
    }
    state.bound = bucket_end(std::bit_cast<float>(~complement), state.delta);
    grid.run(SplitFar{far(state, 0), arrivals(state, 1), levels.counters.tallies_of(state.level), settled},
             state.far / warp_lanes + 1);
    grid.sync();
    ++state.bucket;
    advance(grid, state);
  }

  /// Drops the far pile before the first sweep, because sweeps examine all waiting vertices.
  template <class Grid>
  constexpr void drop_far(Grid& grid, PathsState& state) const {
    grid.clear(memory.state.is_far);
    grid.clear(set(memory.nearest, state.bucket + 2));
    grid.clear(set(memory.far_sizes, state.bucket + 2));
    ++state.bucket;
    state.far = 0;
    state.stage = PathsStage::sweeps;
  }

  /// Runs one sweep. After the last sweep, the vertices that it improved wait for their buckets.
  template <class Grid>
  constexpr void sweep(Grid& grid, PathsState& state) const {
    const std::uint32_t vertices = graph.bounds.first_leaf;
    const SweepSection section = sweep_section(state.sweeps, vertices);
    LevelRecord record{.direction = Direction::pull, .frontier = section.end - section.begin};
    record.began = grid.nanoseconds();
    const ArrayView<std::uint64_t> sums = levels.counters.tallies_of(state.level);
    look(grid, {graph, weights, memory.state, sums, section.begin, section.end, state.level + 1, state.bound,
                arguments.max_distance});
    grid.sync();
    record.edges_examined = grid.load(sums, edges_examined);
    record.claimed = grid.load(sums, vertices_claimed);
    const bool few = record.claimed <= vertices / few_of_vertices;
    if (++state.sweeps > partial_sweeps && (few || state.sweeps > max_sweeps)) {
      grid.run(AddStamped{{memory.state, far(state, 0), state.level + 1}, vertices}, warps_for(vertices));
      grid.sync();
      state.far = grid.load(set(memory.far_sizes, state.bucket), 0);
      state.stage = PathsStage::rest;
      state.delta = arguments.delta;
      if (few) state.delta = infinity;
    }
    ++state.level;
    record.nanoseconds = grid.nanoseconds() - record.began;
    grid.store(levels.record, state.recorded++, record);
  }

  /// Finds the paths of vertices with one edge, on which no other path depends.
  template <class Grid>
  constexpr void visit_leaves(Grid& grid, const PathsState& state) const {
    look(grid, {graph, weights, memory.state, levels.counters.tallies_of(state.level), graph.bounds.first_leaf,
                graph.bounds.vertices, state.level + 1, 0, arguments.max_distance});
    grid.sync();
  }

  /// Runs SweepRows on a range of vertices.
  template <class Grid>
  constexpr void look(Grid& grid, const SweepView& sweep) const {
    if (sweep.begin < sweep.end) grid.run(SweepRows{sweep}, warps_for(sweep.end - sweep.begin));
  }

  template <class Grid>
  constexpr void advance(Grid& grid, PathsState& state) const {
    const ArrayView<std::uint64_t> sums = levels.counters.tallies_of(state.level);
    state.frontier = grid.load(sums, vertices_claimed);
    state.frontier_edges = grid.load(sums, edges_claimed);
    // While there is a frontier, blocks that are ahead may add to the far pile already.
    if (state.frontier == 0) state.far = grid.load(set(memory.far_sizes, state.bucket), 0);
    ++state.level;
  }

  static constexpr ArrayView<std::uint32_t> set(const ArrayView<std::uint32_t>& all, std::uint32_t bucket) {
    return all.part(bucket % counter_sets, 1);
  }
  /// Arrivals that queue vertices for the next level or add them to the far pile `later` buckets on.
  [[nodiscard]] constexpr Arrivals arrivals(const PathsState& state, std::uint32_t later) const {
    const std::uint32_t next = state.level + 1;
    return {graph, memory.state, levels.queue(next), far(state, later), next, state.bound, arguments.max_distance};
  }
  [[nodiscard]] constexpr FarView far(const PathsState& state, std::uint32_t later) const {
    const std::uint32_t bucket = state.bucket + later;
    return {memory.far[bucket % 2], set(memory.far_sizes, bucket)};
  }
};
using PathsControl = LevelProgram<PathsSteps>;

/// The memory of a search on a device, with room for this many levels' records. Device is as for GraphArrays.
template <class Device>
struct PathArrays {
  using Words = WordArray<Device>;

  const Device& device;
  DeviceGraphSize size;
  std::uint32_t record_levels;
  NumberArray<Device> paths = take_numbers(device, size.vertices);
  Words stamps = take_words(device, size.vertices);
  Words is_far = take_words(device, size.vertices);
  std::array<Words, 2> far{take_words(device, size.vertices), take_words(device, size.vertices)};
  LevelArrays<Device, PathsState> levels{device, size, record_levels, 0};
  Words far_sizes = take_words(device, counter_sets);
  Words nearest = take_words(device, counter_sets);
  Words parents = take_words(device, size.labels);
  typename Device::template Array<float> distances = device.template allocate<float>(size.labels);
};

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DevicePaths final : public Paths {
 public:
  /// Throws OutOfMemory, before it takes any memory, if graph and search do not fit.
  DevicePaths(Device device, const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads)
      : device_(with_room(std::move(device), graph, settings)),
        settings_(settings),
        graph_(device_, graph, threads),
        arrays_{device_, graph_.size(), settings.record_levels} {}

  SearchRecord run(const PathArguments& arguments) override {
    SearchRecord record;
    run_program(device_, settings_.control, program_for(arguments), arrays_.levels, record);
    return record;
  }

  void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const override {
    device_.copy_out(arrays_.parents.constant(), parents);
    device_.copy_out(arrays_.distances.constant(), distances);
  }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_.bytes() + plan_paths_memory(graph_.size(), settings_.record_levels).search;
  }

 private:
  static Device with_room(Device device, const HostGraph& graph, const SearchSettings& settings) {
    require_memory(plan_paths_memory(size_of(graph), settings.record_levels), device.free_bytes(), device.name());
    return device;
  }

  PathsControl program_for(const PathArguments& arguments) {
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {{.graph = graph_.graph(),
             .weights = graph_.weights(),
             .labels = graph_.labels(),
             .levels = arrays_.levels.view(),
             .memory = {.state = {arrays_.paths.view(), arrays_.stamps.view(), arrays_.is_far.view()},
                        .far = {arrays_.far[0].view(), arrays_.far[1].view()},
                        .far_sizes = arrays_.far_sizes.view(),
                        .nearest = arrays_.nearest.view(),
                        .parents = arrays_.parents.view(),
                        .distances = arrays_.distances.view()},
             .arguments = arguments,
             .small_edges = persistent ? settings_.small_edges : 0}};
  }

  Device device_;
  SearchSettings settings_;
  DeviceGraph<Device> graph_;
  PathArrays<Device> arrays_;
};

}  // namespace breadth::gpu
