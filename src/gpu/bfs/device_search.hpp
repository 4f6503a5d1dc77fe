// A breadth-first search in the memory of a device: which phases run when, and what memory they use.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/policy/direction.hpp"
#include "gpu/bfs/search_phases.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/run_program.hpp"
#include "gpu/phases/table_phases.hpp"
#include "gpu/phases/write_parents.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// The state of a search between two levels.
struct SearchState {
  SearchProgress progress;
  DirectionChooser chooser;
  std::uint64_t level = 0;           ///< number of the next level
  std::uint64_t leaves_claimed = 0;  ///< vertices claimed by the last pass
  std::uint32_t recorded = 0;        ///< levels in the record
  Direction direction = Direction::push;
  bool queued = true;  ///< whether queues hold the frontier; else the found bits do
  bool over = false;   ///< whether the search has ended
};

/// The arrays of a search in the memory of the device, besides the graph and LevelMemory.
struct SearchMemory {
  ArrayView<std::uint32_t> visited;
  ArrayView<std::uint32_t> found;
  ArrayView<std::uint32_t> parents;
  ArrayView<std::uint32_t> result;
};

/// The steps of a breadth-first search for a LevelProgram.
struct SearchSteps {
  GraphView graph;
  LabelView labels;
  LevelMemory<SearchState> levels;
  SearchMemory memory;
  SearchArguments arguments;
  std::uint64_t small_edges = 0;  ///< pushes along fewer edges run on one block
  std::uint64_t many_edges = 0;   ///< pushes along at least this many edges do not queue

 protected:
  [[nodiscard]] constexpr bool has_work(const SearchState& state) const {
    return state.progress.frontier > 0 && state.level < arguments.max_levels;
  }
  [[nodiscard]] constexpr bool is_small(const SearchState& state) const {
    return state.direction == Direction::push && state.queued && state.progress.frontier_edges < small_edges;
  }
  /// Whether a push queues the vertices that it finds, one by one.
  [[nodiscard]] constexpr bool queues_next(const SearchState& state) const {
    return state.progress.frontier_edges < many_edges || leads_to_leaves(state);
  }
  /// Whether the level may find leaves: the source is a leaf, and its one neighbour may be a leaf, too.
  [[nodiscard]] constexpr bool leads_to_leaves(const SearchState& state) const {
    return state.level == 0 && arguments.source >= graph.bounds.searched;
  }

  template <class Grid>
  constexpr SearchState start(Grid& grid) const {
    const LevelCounters& counters = levels.counters;
    grid.store(levels.times, search_began, grid.nanoseconds());
    SearchState state;
    state.chooser = DirectionChooser(arguments.direction);
    grid.clear(memory.visited);
    grid.clear(counters.queue_sizes);
    grid.clear(counters.miss_sizes);
    grid.clear(counters.tallies);
    if (arguments.source == no_vertex) return state;
    const std::uint64_t edges =
        grid.load(graph.offsets, arguments.source + 1) - grid.load(graph.offsets, arguments.source);
    const std::uint64_t searched = grid.load(graph.offsets, graph.bounds.searched);
    grid.sync();
    grid.run(StartSearch{graph, view(state), levels.queue(0), arguments.source}, 1);
    state.progress = {.frontier = 1,
                      .frontier_edges = edges,
                      .unvisited_edges = searched - (edges < searched ? edges : searched),
                      .vertices = graph.bounds.vertices,
                      .unvisited = graph.bounds.searched};
    if (!leads_to_leaves(state)) state.direction = state.chooser.choose(state.progress);
    return state;
  }

  template <class Grid>
  constexpr void level(Grid& grid, SearchState& state) const {
    LevelRecord record{.direction = state.direction, .frontier = state.progress.frontier};
    record.began = grid.nanoseconds();
    grid.clear(levels.counters.queue_sizes_of(state.level + 2));
    grid.clear(levels.counters.miss_sizes_of(state.level + 2));
    grid.clear(levels.counters.tallies_of(state.level + 2));
    if (state.direction == Direction::push) {
      push(grid, state);
    } else {
      pull(grid, state);
    }
    const ArrayView<std::uint64_t> sums = levels.counters.tallies_of(state.level);
    record.edges_examined = grid.load(sums, edges_examined);
    record.claimed = grid.load(sums, vertices_claimed);
    state.queued = state.direction == Direction::push && queues_next(state);
    advance(state, record.claimed, grid.load(sums, edges_claimed));
    record.nanoseconds = grid.nanoseconds() - record.began;
    grid.store(levels.record, state.recorded++, record);
  }

  /// Visits the neighbours of the frontier. Queues the frontier first, unless the previous level has.
  template <class Grid>
  constexpr void push(Grid& grid, const SearchState& state) const {
    const QueueView front = levels.queue(state.level);
    if (!state.queued) {
      grid.run(CollectFrontier{graph, view(state), front}, warps_for(0, graph.bounds.searched));
      grid.sync();
    }
    if (queues_next(state)) {
      const std::uint32_t visit_before = leads_to_leaves(state) ? graph.bounds.vertices : graph.bounds.searched;
      walk_queue(grid, PushStep{graph, view(state), front, levels.queue(state.level + 1), visit_before},
                 state.progress.frontier);
      grid.sync();
      return;
    }
    const std::uint64_t words = words_for(graph.bounds.searched);
    grid.run(KeepVisited{{view(state)}, words}, words / warp_lanes + 1);
    grid.sync();
    walk_queue(grid, PushUnqueuedStep{graph, view(state), front}, state.progress.frontier);
    grid.sync();
    grid.run(SettlePush{{graph, view(state)}, 0, graph.bounds.searched}, warps_for(0, graph.bounds.searched));
    grid.sync();
  }

  /// Looks for a visited neighbour of each unvisited vertex that levels can find.
  template <class Grid>
  constexpr void pull(Grid& grid, const SearchState& state) const {
    const RowBounds& bounds = graph.bounds;
    pull_words(grid, state, 0, bounds.searched);
    grid.sync();
    const SearchView search = view(state);
    if (bounds.pull_warps > 0) {
      grid.run(PullRows<warp_lanes>{graph, search, misses(state), missed_by_warps}, bounds.pull_warps);
    }
    grid.run(PullRows<group_lanes>{graph, search, misses(state)},
             (bounds.first_leaf - bounds.pull_warps) * std::uint64_t{group_lanes} / warp_lanes + 1);
    grid.sync();
    settle(grid, state, 0, bounds.searched);
    grid.sync();
  }

  /// Makes the claimed vertices the next frontier.
  constexpr void advance(SearchState& state, std::uint64_t claimed, std::uint64_t edges) const {
    SearchProgress& progress = state.progress;
    progress.frontier = claimed;
    progress.frontier_edges = edges;
    progress.unvisited -= claimed < progress.unvisited ? claimed : progress.unvisited;
    progress.unvisited_edges -= edges < progress.unvisited_edges ? edges : progress.unvisited_edges;
    ++state.level;
    state.direction = state.chooser.choose(progress);
  }

  /// Visits the leaves whose only neighbour is visited, and writes the labels of all parents.
  template <class Grid>
  constexpr void finish(Grid& grid, SearchState& state) const {
    grid.store(levels.times, leaves_began, grid.nanoseconds());
    if (arguments.source != no_vertex && graph.bounds.searched < graph.bounds.vertices) {
      pull_words(grid, state, graph.bounds.searched, graph.bounds.vertices);
      grid.sync();
      settle(grid, state, graph.bounds.searched, graph.bounds.vertices);
      grid.sync();
      state.leaves_claimed = grid.load(levels.counters.tallies_of(state.level), vertices_claimed);
    }
    grid.store(levels.times, names_began, grid.nanoseconds());
    grid.run(WriteParents{{{labels, view(state), memory.result}}}, memory.result.size / bits_per_word + 1);
  }

 private:
  template <class Grid>
  constexpr void pull_words(Grid& grid, const SearchState& state, std::uint32_t begin, std::uint32_t end) const {
    grid.run(PullWords{graph, view(state), misses(state), begin, end},
             (end - begin) / (bits_per_word * PullWords::warp_words) + 1);
  }
  template <class Grid>
  constexpr void settle(Grid& grid, const SearchState& state, std::uint32_t begin, std::uint32_t end) const {
    grid.run(SettlePull{{graph, view(state)}, begin, end}, warps_for(begin, end));
  }
  /// The number of warps for 32 words each.
  static constexpr std::uint64_t warps_for(std::uint32_t begin, std::uint32_t end) {
    return (end - begin) / (bits_per_word * warp_lanes) + 1;
  }

  [[nodiscard]] constexpr SearchView view(const SearchState& state) const {
    return {memory.visited, memory.found, memory.parents, levels.counters.tallies_of(state.level)};
  }
  /// The misses of a pull are in the next queue, which is not in use while a level pulls.
  [[nodiscard]] constexpr MissView misses(const SearchState& state) const {
    return {levels.queue(state.level + 1).vertices, levels.counters.miss_sizes_of(state.level)};
  }
};
using SearchControl = LevelProgram<SearchSteps>;

/// The memory of a search on a device, with room for this many levels' records. Device is as for GraphArrays.
template <class Device>
struct SearchArrays {
  const Device& device;
  DeviceGraphSize size;
  std::uint32_t record_levels;
  WordArray<Device> visited = take_words(device, words_for(size.vertices));
  WordArray<Device> found = take_words(device, words_for(size.vertices));
  WordArray<Device> parents = take_words(device, size.vertices);
  LevelArrays<Device, SearchState> levels{device, size, record_levels, miss_classes};
  WordArray<Device> result = take_words(device, size.labels);
};

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DeviceSearch final : public Search {
 public:
  /// Copies the graph to the device first. Throws OutOfMemory, before it takes any memory, if graph and search do not
  /// fit.
  DeviceSearch(Device device, const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads)
      : DeviceSearch(device, copied(device, graph, settings, threads), settings) {}
  /// Searches a graph that is on the device. Throws OutOfMemory if there is no room for the search.
  DeviceSearch(Device device, std::shared_ptr<const DeviceGraph<Device>> graph, const SearchSettings& settings)
      : device_(with_room(std::move(device), *graph, settings)),
        settings_(settings),
        graph_(std::move(graph)),
        arrays_{device_, graph_->size(), settings.record_levels} {}

  [[nodiscard]] std::uint32_t vertex_of(std::uint32_t label) override {
    // Uses the first element of the parents, which the next search overwrites.
    if (graph_->size().vertices == 0) return no_vertex;
    device_.launch(FindVertex{graph_->labels(), label, arrays_.parents.view()}, 1);
    return device_.read(arrays_.parents.constant(), 0);
  }

  SearchRecord run(const SearchArguments& arguments) override {
    SearchRecord record;
    const SearchState end = run_program(device_, settings_.control, program_for(arguments), arrays_.levels, record);
    record.leaves_claimed = end.leaves_claimed;
    return record;
  }

  void copy_parents(std::span<std::uint32_t> parents) const override {
    device_.copy_out(arrays_.result.constant(), parents);
  }

  [[nodiscard]] ArrayView<const std::uint32_t> parents() const override { return arrays_.result.constant(); }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_->bytes() + plan_memory(graph_->size(), settings_.record_levels).search;
  }

 private:
  static std::shared_ptr<const DeviceGraph<Device>> copied(Device& device, const HostGraph& graph,
                                                           const SearchSettings& settings, ThreadTeam& threads) {
    require_memory(plan_memory(size_of(graph), settings.record_levels), device.free_bytes(), device.name());
    return std::make_shared<const DeviceGraph<Device>>(device, graph, threads);
  }
  static Device with_room(Device device, const DeviceGraph<Device>& graph, const SearchSettings& settings) {
    MemoryPlan plan = plan_memory(graph.size(), settings.record_levels);
    plan.graph = 0;
    require_memory(plan, device.free_bytes(), device.name());
    return device;
  }

  SearchControl program_for(const SearchArguments& arguments) {
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {{.graph = graph_->graph(),
             .labels = graph_->labels(),
             .levels = arrays_.levels.view(),
             .memory = {.visited = arrays_.visited.view(),
                        .found = arrays_.found.view(),
                        .parents = arrays_.parents.view(),
                        .result = arrays_.result.view()},
             .arguments = arguments,
             .small_edges = persistent ? settings_.small_edges : 0,
             .many_edges = settings_.many_edges}};
  }

  Device device_;
  SearchSettings settings_;
  std::shared_ptr<const DeviceGraph<Device>> graph_;
  SearchArrays<Device> arrays_;
};

}  // namespace breadth::gpu
