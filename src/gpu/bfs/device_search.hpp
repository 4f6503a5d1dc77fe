// A breadth-first search in the memory of a device: which phases run when, and what memory they use.
#pragma once

#include <algorithm>
#include <array>
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
#include "gpu/phases/name_parents.hpp"
#include "gpu/phases/run_program.hpp"
#include "gpu/phases/table_phases.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

// Which phases run when.

/// Where a search stands between two levels.
struct SearchState {
  SearchProgress progress;
  DirectionChooser chooser;
  std::uint64_t level = 0;           ///< the next one's number
  std::uint64_t leaves_claimed = 0;  ///< by the last pass
  std::uint32_t recorded = 0;        ///< levels in the record
  Direction direction = Direction::push;
  bool queued = true;  ///< whether queues hold the frontier; else it is what a pull found
  bool over = false;   ///< parents have their names
};

/// What a search works on beside the graph, in the memory of the device.
struct SearchMemory {
  ArrayView<std::uint32_t> visited;
  ArrayView<std::uint32_t> found;
  ArrayView<std::uint32_t> parents;
  ArrayView<std::uint32_t> queues[2];  ///< the frontier's vertices and the next one's, by turns
  ArrayView<std::uint32_t> pieces[2];  ///< likewise
  LevelCounters counters;
  ArrayView<LevelRecord> record;   ///< of as many levels as it has room for
  ArrayView<SearchState> state;    ///< one
  ArrayView<std::uint64_t> times;  ///< search_times
  ArrayView<std::uint32_t> result;
};

/// The program of a search, for whatever carries phases out (the grids: HostGrid, SimulatedGrid, CudaGrid). On a GPU
/// every thread follows it, all with the same values, so that no level needs the host. Between two `sync` phases run
/// beside each other; `load` is of what was complete at the last one, `clear` is complete at the next one, and so is
/// `store`, of one thread's. Levels of few edges are one block's, which waits for no other (`alone`, `join`).
struct SearchControl {
  GraphView graph;
  LabelView labels;
  SearchMemory memory;
  SearchOrders orders;
  std::uint64_t small_edges = 0;  ///< pushes along fewer edges are one block's
  std::uint32_t hub_words = 0;    ///< of the visited bitmap, for the memory that a block shares
  bool goes_on = false;           ///< from where the last launch stopped because the record was full

  [[nodiscard]] constexpr std::uint32_t shared_words() const { return hub_words; }

  /// Ends with the search, or when the record is full.
  template <class Grid>
  constexpr void run(Grid& grid) const {
    SearchState state = goes_on ? grid.load(memory.state, 0) : start(grid);
    grid.sync();  // before anybody stores a state
    state.recorded = 0;
    while (has_level(state) && state.recorded < memory.record.size) {
      if (!is_small(state)) {
        level(grid, state);
        continue;
      }
      grid.sync();  // until all have read what the last level counted, which a block alone soon clears
      auto block = grid.alone();
      while (block.works() && is_small(state) && state.recorded < memory.record.size) level(block, state);
      grid.join(memory.state, state);
    }
    if (!has_level(state)) finish(grid, state);
    grid.sync();
    grid.store(memory.times, search_ended, grid.nanoseconds());
    grid.store(memory.state, 0, state);
  }

 private:
  [[nodiscard]] constexpr bool has_level(const SearchState& state) const {
    return state.progress.frontier > 0 && state.level < orders.most_levels;
  }
  [[nodiscard]] constexpr bool is_small(const SearchState& state) const {
    return has_level(state) && state.direction == Direction::push && state.queued &&
           state.progress.frontier_edges < small_edges;
  }
  /// A leaf's one neighbour may be a leaf too.
  [[nodiscard]] constexpr bool leads_to_leaves(const SearchState& state) const {
    return state.level == 0 && orders.source >= graph.bounds.searched;
  }

  /// Complete at the next sync.
  template <class Grid>
  constexpr SearchState start(Grid& grid) const {
    const LevelCounters& counters = memory.counters;
    grid.store(memory.times, search_began, grid.nanoseconds());
    SearchState state;
    state.chooser = DirectionChooser(orders.direction);
    grid.clear(memory.visited);
    grid.clear(counters.queue_sizes);
    grid.clear(counters.miss_sizes);
    grid.clear(counters.tallies);
    if (orders.source == no_vertex) return state;
    const std::uint64_t edges = grid.load(graph.offsets, orders.source + 1) - grid.load(graph.offsets, orders.source);
    const std::uint64_t searched = grid.load(graph.offsets, graph.bounds.searched);
    grid.sync();
    grid.run(StartSearch{graph, view(state), queue(state, 0), orders.source}, 1);
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
    grid.clear(memory.counters.queue_sizes_of(state.level + 2));
    grid.clear(memory.counters.miss_sizes_of(state.level + 2));
    grid.clear(memory.counters.tallies_of(state.level + 2));
    if (state.direction == Direction::push) {
      push(grid, state);
    } else {
      pull(grid, state);
    }
    const ArrayView<std::uint64_t> sums = memory.counters.tallies_of(state.level);
    record.edges_examined = grid.load(sums, edges_examined);
    record.claimed = grid.load(sums, vertices_claimed);
    advance(state, record.claimed, grid.load(sums, edges_claimed));
    record.nanoseconds = grid.nanoseconds() - record.began;
    grid.store(memory.record, state.recorded++, record);
  }

  /// From the frontier along its edges: first out of what a pull found, if one did.
  template <class Grid>
  constexpr void push(Grid& grid, const SearchState& state) const {
    const std::uint64_t frontier = state.progress.frontier;
    if (!state.queued) {
      grid.run(CollectFrontier{graph, view(state), queue(state, 0)}, warps_for(0, graph.bounds.searched));
      grid.sync();
    }
    const std::uint32_t visit_before = leads_to_leaves(state) ? graph.bounds.vertices : graph.bounds.searched;
    const PushStep step{graph, view(state), queue(state, 0), queue(state, 1), visit_before};
    if (graph.piece_rows.size > 0) grid.run(PushPieces{step}, graph.piece_rows.size);
    grid.run(PushRows<warp_lanes>{step, by_warps}, frontier);
    grid.run(PushRows<group_lanes>{step, by_groups}, frontier * group_lanes / warp_lanes + 1);
    grid.run(PushRows<1>{step, by_lanes}, frontier / warp_lanes + 1);
    grid.sync();
  }

  /// From the unvisited vertices that levels can find back to the visited ones.
  template <class Grid>
  constexpr void pull(Grid& grid, const SearchState& state) const {
    const RowBounds& bounds = graph.bounds;
    pull_words(grid, state, 0, bounds.searched);
    grid.sync();
    const SearchView search = view(state);
    if (bounds.asked > 0) grid.run(PullRows<warp_lanes>{graph, search, misses(state), missed_by_warps}, bounds.asked);
    grid.run(PullRows<group_lanes>{graph, search, misses(state), missed_by_groups},
             (bounds.longer - bounds.asked) * std::uint64_t{group_lanes} / warp_lanes + 1);
    grid.sync();
    settle(grid, state, 0, bounds.searched);
    grid.sync();
  }

  /// What a level claimed is the frontier of the next one.
  constexpr void advance(SearchState& state, std::uint64_t claimed, std::uint64_t edges) const {
    SearchProgress& progress = state.progress;
    progress.frontier = claimed;
    progress.frontier_edges = edges;
    progress.unvisited -= claimed < progress.unvisited ? claimed : progress.unvisited;
    progress.unvisited_edges -= edges < progress.unvisited_edges ? edges : progress.unvisited_edges;
    state.queued = state.direction == Direction::push;
    ++state.level;
    state.direction = state.chooser.choose(progress);
  }

  /// Visits the leaves whose only neighbour is visited, and writes the labels of all parents.
  template <class Grid>
  constexpr void finish(Grid& grid, SearchState& state) const {
    grid.store(memory.times, leaves_began, grid.nanoseconds());
    if (orders.source != no_vertex && graph.bounds.searched < graph.bounds.vertices) {
      pull_words(grid, state, graph.bounds.searched, graph.bounds.vertices);
      grid.sync();
      settle(grid, state, graph.bounds.searched, graph.bounds.vertices);
      grid.sync();
      state.leaves_claimed = grid.load(memory.counters.tallies_of(state.level), vertices_claimed);
    }
    grid.store(memory.times, names_began, grid.nanoseconds());
    grid.run(NameParents{{labels, view(state), memory.result}}, memory.result.size / bits_per_word + 1);
    state.over = true;
  }

  template <class Grid>
  constexpr void pull_words(Grid& grid, const SearchState& state, std::uint32_t begin, std::uint32_t end) const {
    grid.run(PullWords{graph, view(state), misses(state), begin, end, hub_words}, warps_for(begin, end));
  }
  template <class Grid>
  constexpr void settle(Grid& grid, const SearchState& state, std::uint32_t begin, std::uint32_t end) const {
    grid.run(SettlePull{graph, view(state), begin, end}, warps_for(begin, end));
  }
  /// Warps that take 32 words each.
  static constexpr std::uint64_t warps_for(std::uint32_t begin, std::uint32_t end) {
    return (end - begin) / (bits_per_word * warp_lanes) + 1;
  }

  [[nodiscard]] constexpr SearchView view(const SearchState& state) const {
    return {memory.visited, memory.found, memory.parents, memory.counters.tallies_of(state.level)};
  }
  /// The frontier's queues, or those of the one that comes `later` levels after it.
  [[nodiscard]] constexpr QueueView queue(const SearchState& state, std::uint64_t later) const {
    const std::uint64_t level = state.level + later;
    return {memory.queues[level % 2], memory.pieces[level % 2], memory.counters.queue_sizes_of(level)};
  }
  /// No push's queue is in use while a level pulls.
  [[nodiscard]] constexpr MissView misses(const SearchState& state) const {
    return {memory.queues[1 - state.level % 2], memory.counters.miss_sizes_of(state.level)};
  }
};

// Its memory.

/// What a search takes of a device's memory, with room for so many levels' records. Device as of GraphArrays.
template <class Device>
struct SearchArrays {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = Array<std::uint32_t>;

  SearchArrays(const Device& device, const DeviceGraphSize& size, std::uint32_t record_levels)
      : visited(take_words(device, words_for(size.vertices))),
        found(take_words(device, words_for(size.vertices))),
        parents(take_words(device, size.vertices)),
        queues{take_words(device, size.vertices), take_words(device, size.vertices)},
        pieces{take_words(device, size.pieces), take_words(device, size.pieces)},
        queue_sizes(take_words(device, counter_sets * row_classes)),
        miss_sizes(take_words(device, counter_sets * miss_classes)),
        tallies(take_numbers(device, counter_sets * tally_kinds)),
        record(device.template allocate<LevelRecord>(record_levels)),
        saved(device.template allocate<Saved<SearchState>>(1)),
        result(take_words(device, size.labels)) {}

  Words visited;
  Words found;
  Words parents;
  std::array<Words, 2> queues;
  std::array<Words, 2> pieces;
  Words queue_sizes;
  Words miss_sizes;
  Array<std::uint64_t> tallies;
  Array<LevelRecord> record;
  Array<Saved<SearchState>> saved;
  Words result;
};

// How it is run.

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DeviceSearch final : public Search {
 public:
  /// Of a graph that is copied to the device first. Throws OutOfMemory where both do not fit, before it takes any
  /// memory.
  DeviceSearch(Device device, const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads)
      : DeviceSearch(device, copied(device, graph, settings, threads), settings) {}
  /// Of a graph that is there. Throws OutOfMemory where there is no room for the search.
  DeviceSearch(Device device, std::shared_ptr<const DeviceGraph<Device>> graph, const SearchSettings& settings)
      : device_(with_room(std::move(device), *graph, settings)),
        settings_(settings),
        graph_(std::move(graph)),
        arrays_(device_, graph_->size(), settings.record_levels) {}

  [[nodiscard]] std::uint32_t vertex_of(std::uint32_t label) override {
    // The place of the first parent, which the search writes later.
    if (vertices() == 0) return no_vertex;
    device_.launch(FindVertex{graph_->labels(), label, arrays_.parents.view()}, 1);
    return device_.read(arrays_.parents.constant(), 0);
  }

  SearchRecord run(const SearchOrders& orders) override {
    SearchRecord record;
    const SearchState end = run_program(device_, settings_.control, program_for(orders), arrays_.saved.constant(),
                                        arrays_.record.constant(), record);
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
  [[nodiscard]] std::uint32_t vertices() const { return graph_->bounds().vertices; }

  SearchControl program_for(const SearchOrders& orders) {
    Saved<SearchState>* const saved = arrays_.saved.view().data;
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {.graph = graph_->graph(),
            .labels = graph_->labels(),
            .memory = {.visited = arrays_.visited.view(),
                       .found = arrays_.found.view(),
                       .parents = arrays_.parents.view(),
                       .queues = {arrays_.queues[0].view(), arrays_.queues[1].view()},
                       .pieces = {arrays_.pieces[0].view(), arrays_.pieces[1].view()},
                       .counters = {arrays_.queue_sizes.view(), arrays_.miss_sizes.view(), arrays_.tallies.view()},
                       .record = arrays_.record.view(),
                       .state = {&saved->state, 1},
                       .times = {saved->times, search_times},
                       .result = arrays_.result.view()},
            .orders = orders,
            .small_edges = persistent ? settings_.small_edges : 0,
            .hub_words =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(arrays_.visited.size(), device_.shared_words()))};
  }

  Device device_;
  SearchSettings settings_;
  std::shared_ptr<const DeviceGraph<Device>> graph_;
  SearchArrays<Device> arrays_;
};

}  // namespace breadth::gpu
