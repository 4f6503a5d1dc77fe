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

// Its memory, and how it is run.

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DeviceSearch final : public Search {
  template <class T>
  using Array = typename Device::template Array<T>;

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
        visited_(device_.template allocate<std::uint32_t>(words(vertices()))),
        found_(device_.template allocate<std::uint32_t>(words(vertices()))),
        parents_(device_.template allocate<std::uint32_t>(vertices())),
        queues_{Queue(device_, vertices(), graph_->pieces()), Queue(device_, vertices(), graph_->pieces())},
        queue_sizes_(device_.template allocate<std::uint32_t>(counter_sets * row_classes)),
        miss_sizes_(device_.template allocate<std::uint32_t>(counter_sets * miss_classes)),
        tallies_(device_.template allocate<std::uint64_t>(counter_sets * tally_kinds)),
        record_(device_.template allocate<LevelRecord>(settings.record_levels)),
        saved_(device_.template allocate<Saved<SearchState>>(1)),
        result_(device_.template allocate<std::uint32_t>(graph_->labels().count)) {}

  [[nodiscard]] std::uint32_t vertex_of(std::uint32_t label) override {
    // The place of the first parent, which the search writes later.
    if (vertices() == 0) return no_vertex;
    device_.launch(FindVertex{graph_->labels(), label, parents_.view()}, 1);
    return device_.read(parents_.constant(), 0);
  }

  SearchRecord run(const SearchOrders& orders) override {
    SearchRecord record;
    const SearchState end =
        run_program(device_, settings_.control, program_for(orders), saved_.constant(), record_.constant(), record);
    record.leaves_claimed = end.leaves_claimed;
    return record;
  }

  void copy_parents(std::span<std::uint32_t> parents) const override { device_.copy_out(result_.constant(), parents); }

  [[nodiscard]] ArrayView<const std::uint32_t> parents() const override { return result_.constant(); }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_->bytes() + visited_.bytes() + found_.bytes() + parents_.bytes() + queues_[0].bytes() +
           queues_[1].bytes() + queue_sizes_.bytes() + miss_sizes_.bytes() + tallies_.bytes() + record_.bytes() +
           saved_.bytes() + result_.bytes();
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

  struct Queue {
    Queue(Device& device, std::uint64_t vertex_count, std::uint64_t piece_count)
        : vertices(device.template allocate<std::uint32_t>(vertex_count)),
          pieces(device.template allocate<std::uint32_t>(piece_count)) {}
    [[nodiscard]] std::uint64_t bytes() const { return vertices.bytes() + pieces.bytes(); }

    Array<std::uint32_t> vertices;
    Array<std::uint32_t> pieces;
  };

  static std::uint64_t words(std::uint64_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }

  SearchControl program_for(const SearchOrders& orders) {
    Saved<SearchState>* const saved = saved_.view().data;
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {.graph = graph_->graph(),
            .labels = graph_->labels(),
            .memory = {.visited = visited_.view(),
                       .found = found_.view(),
                       .parents = parents_.view(),
                       .queues = {queues_[0].vertices.view(), queues_[1].vertices.view()},
                       .pieces = {queues_[0].pieces.view(), queues_[1].pieces.view()},
                       .counters = {queue_sizes_.view(), miss_sizes_.view(), tallies_.view()},
                       .record = record_.view(),
                       .state = {&saved->state, 1},
                       .times = {saved->times, search_times},
                       .result = result_.view()},
            .orders = orders,
            .small_edges = persistent ? settings_.small_edges : 0,
            .hub_words = static_cast<std::uint32_t>(std::min<std::uint64_t>(visited_.size(), device_.shared_words()))};
  }

  Device device_;
  SearchSettings settings_;
  std::shared_ptr<const DeviceGraph<Device>> graph_;
  Array<std::uint32_t> visited_;
  Array<std::uint32_t> found_;
  Array<std::uint32_t> parents_;
  std::array<Queue, 2> queues_;
  Array<std::uint32_t> queue_sizes_;
  Array<std::uint32_t> miss_sizes_;
  Array<std::uint64_t> tallies_;
  Array<LevelRecord> record_;
  Array<Saved<SearchState>> saved_;
  Array<std::uint32_t> result_;
};

}  // namespace breadth::gpu
