// Programs: what searches level by level have in common, and how they are carried out from start to end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "gpu/memory_plan.hpp"
#include "gpu/node_place.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

// Searches level by level.

/// What the levels of a search work on, in the memory of the device.
template <class State>
struct LevelMemory {
  ArrayView<std::uint32_t> queues[2];  ///< the frontier's vertices and the next one's, by turns
  ArrayView<std::uint32_t> pieces[2];  ///< likewise
  LevelCounters counters;
  ArrayView<LevelRecord> record;   ///< of as many levels as it has room for
  ArrayView<State> state;          ///< one
  ArrayView<std::uint64_t> times;  ///< search_times

  /// The frontier of a level.
  [[nodiscard]] constexpr QueueView queue(std::uint64_t level) const {
    return {queues[level % 2], pieces[level % 2], counters.queue_sizes_of(level)};
  }
};

/// What that takes of a device's memory, with room for so many levels' records and counts of misses for each set of
/// counters. Device as of GraphArrays.
template <class Device, class State>
struct LevelArrays {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = Array<std::uint32_t>;

  LevelArrays(const Device& device, const DeviceGraphSize& size, std::uint32_t record_levels, std::uint32_t misses)
      : queues{take_words(device, size.vertices), take_words(device, size.vertices)},
        pieces{take_words(device, size.pieces), take_words(device, size.pieces)},
        queue_sizes(take_words(device, counter_sets * row_classes)),
        miss_sizes(take_words(device, counter_sets * misses)),
        tallies(take_numbers(device, counter_sets * tally_kinds)),
        record(device.template allocate<LevelRecord>(record_levels)),
        saved(device.template allocate<Saved<State>>(1)) {}

  [[nodiscard]] LevelMemory<State> view() {
    Saved<State>* const place = saved.view().data;
    return {.queues = {queues[0].view(), queues[1].view()},
            .pieces = {pieces[0].view(), pieces[1].view()},
            .counters = {queue_sizes.view(), miss_sizes.view(), tallies.view()},
            .record = record.view(),
            .state = {&place->state, 1},
            .times = {place->times, search_times}};
  }

  std::array<Words, 2> queues;
  std::array<Words, 2> pieces;
  Words queue_sizes;
  Words miss_sizes;
  Array<std::uint64_t> tallies;
  Array<LevelRecord> record;
  Array<Saved<State>> saved;
};

/// The program of a search, for whatever carries phases out (the grids: HostGrid, SimulatedGrid, CudaGrid). On a GPU
/// every thread follows it, all with the same values, so that no level needs the host. Between two `sync` phases run
/// beside each other; `load` is of what was complete at the last one, `clear` is complete at the next one, and so is
/// `store`, of one thread's. Levels of few edges are one block's, which waits for no other (`alone`, `join`).
///
/// Steps has the memory of its `levels`; start() gives the state, complete at the next sync, in which level() goes on
/// while it has_work(); is_small() says whether the next level is one block's, and finish() is what comes last.
template <class Steps>
struct LevelProgram : Steps {
  bool goes_on = false;  ///< from where the last launch stopped because the record was full

  /// Ends with the search, or when the record is full.
  template <class Grid>
  constexpr void run(Grid& grid) const {
    auto state = goes_on ? grid.load(this->levels.state, 0) : this->start(grid);
    grid.sync();  // before anybody stores a state
    state.recorded = 0;
    while (has_level(state)) {
      if (!this->is_small(state)) {
        this->level(grid, state);
        continue;
      }
      grid.sync();  // until all have read what the last level counted, which a block alone soon clears
      auto block = grid.alone();
      while (block.works() && has_level(state) && this->is_small(state)) this->level(block, state);
      grid.join(this->levels.state, state);
    }
    if (!this->has_work(state)) {
      this->finish(grid, state);
      state.over = true;
    }
    grid.sync();
    grid.store(this->levels.times, search_ended, grid.nanoseconds());
    grid.store(this->levels.state, 0, state);
  }

 private:
  template <class State>
  [[nodiscard]] constexpr bool has_level(const State& state) const {
    return this->has_work(state) && state.recorded < this->levels.record.size;
  }
};

// A program that the host follows, one launch a phase.

/// What a program may ask for, by launches and copies in the order of the device's stream. Device is
/// SimulatedDevice or CudaDevice.
template <class Device>
class HostGrid {
 public:
  explicit HostGrid(const Device& device) : device_(device) {}

  template <class Phase>
  void run(const Phase& phase, std::uint64_t warps) const {
    device_.launch(phase, warps);
  }
  template <class T>
  void clear(const ArrayView<T>& array) const {
    device_.clear(array);
  }
  template <class T>
  [[nodiscard]] std::remove_const_t<T> load(const ArrayView<T>& array, std::uint64_t index) const {
    return device_.read(array, index);
  }
  template <class T>
  void store(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    device_.write(array, index, value);
  }
  /// Each launch begins when those before have ended.
  void sync() const {}

  [[nodiscard]] HostGrid alone() const { return *this; }
  [[nodiscard]] bool works() const { return true; }
  template <class State>
  void join(const ArrayView<State>& /*place*/, State& /*state*/) const {}

  /// Once all launches before have ended.
  [[nodiscard]] std::uint64_t nanoseconds() const {
    device_.wait();
    return host_nanoseconds();
  }

 private:
  const Device& device_;
};

/// Of a search that is over, and the times that it saved.
inline SearchNanoseconds nanoseconds_of(const std::vector<LevelRecord>& levels,
                                        const std::uint64_t (&times)[search_times]) {
  const std::uint64_t started = levels.empty() ? times[leaves_began] : levels.front().began;
  return {.start = started - times[search_began],
          .leaves = times[names_began] - times[leaves_began],
          .names = times[search_ended] - times[names_began],
          .all = times[search_ended] - times[search_began]};
}

/// Fetches the record and goes on wherever it was full. Returns the program's state as it is at the end.
template <class Device, class Program, class State>
State run_program(Device& device, DeviceControl control, Program program, const LevelArrays<Device, State>& arrays,
                  SearchRecord& record) {
  for (;; program.goes_on = true) {
    if (control == DeviceControl::persistent) {
      device.run(program);
      ++record.launches;
    } else {
      HostGrid<Device> grid(device);
      program.run(grid);
    }
    const Saved<State> read = device.read(arrays.saved.constant(), 0);
    const State& state = read.state;
    if (state.recorded > 0) {
      record.levels.resize(record.levels.size() + state.recorded);
      device.copy_out(arrays.record.constant().part(0, state.recorded), std::span(record.levels).last(state.recorded));
    }
    if (!state.over) continue;
    record.nanoseconds = nanoseconds_of(record.levels, read.times);
    return state;
  }
}

}  // namespace breadth::gpu
