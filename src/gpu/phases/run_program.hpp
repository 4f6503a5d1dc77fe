// Programs: the common part of searches level by level, and how they run from start to end.
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

/// The arrays of a search's levels in the memory of the device.
template <class State>
struct LevelMemory {
  ArrayView<std::uint32_t> queues[2];  ///< vertices of the frontier and of the next one, in alternation
  ArrayView<std::uint32_t> pieces[2];  ///< likewise for pieces
  LevelCounters counters;
  ArrayView<LevelRecord> record;   ///< room for records of levels
  ArrayView<State> state;          ///< one element
  ArrayView<std::uint64_t> times;  ///< search_times

  /// The frontier of a level.
  [[nodiscard]] constexpr QueueView queue(std::uint64_t level) const {
    return {queues[level % 2], pieces[level % 2], counters.queue_sizes_of(level)};
  }
};

/// The memory behind LevelMemory, with room for record_levels records and `misses` counts of misses for each set of
/// counters. Device is as for GraphArrays.
template <class Device, class State>
struct LevelArrays {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = WordArray<Device>;

  const Device& device;
  DeviceGraphSize size;
  std::uint32_t record_levels;
  std::uint32_t misses;
  std::array<Words, 2> queues{take_words(device, size.vertices), take_words(device, size.vertices)};
  std::array<Words, 2> pieces{take_words(device, size.pieces), take_words(device, size.pieces)};
  Words queue_sizes = take_words(device, std::uint64_t{counter_sets} * row_classes);
  Words miss_sizes = take_words(device, std::uint64_t{counter_sets} * misses);
  NumberArray<Device> tallies = take_numbers(device, std::uint64_t{counter_sets} * tally_kinds);
  Array<LevelRecord> record = device.template allocate<LevelRecord>(record_levels);
  Array<Saved<State>> saved = device.template allocate<Saved<State>>(1);

  [[nodiscard]] LevelMemory<State> view() {
    Saved<State>* const place = saved.view().data;
    return {.queues = {queues[0].view(), queues[1].view()},
            .pieces = {pieces[0].view(), pieces[1].view()},
            .counters = {queue_sizes.view(), miss_sizes.view(), tallies.view()},
            .record = record.view(),
            .state = {&place->state, 1},
            .times = {place->times, search_times}};
  }
};

/// The program of a search, run by a grid (HostGrid, SimulatedGrid or CudaGrid). On a GPU every thread runs the program
/// with the same values, so that no level needs the host. Phases between two calls of `sync` run concurrently. `load`
/// reads what was complete at the last sync. `clear`, and `store` by one thread, are complete at the next sync. Levels
/// of few edges run on one block, which waits for no other (`alone`, `join`).
///
/// Steps has the memory of its `levels`. start() returns the state, complete at the next sync. level() advances the
/// state while has_work(). is_small() says whether the next level runs on one block. finish() comes last.
template <class Steps>
struct LevelProgram : Steps {
  bool goes_on = false;  ///< whether to continue where the last launch stopped because the record was full

  /// Runs until the search ends or the record is full.
  template <class Grid>
  constexpr void run(Grid& grid) const {
    auto state = goes_on ? grid.load(this->levels.state, 0) : this->start(grid);
    grid.sync();  // before any block stores a state
    state.recorded = 0;
    while (has_level(state)) {
      if (!this->is_small(state)) {
        this->level(grid, state);
        continue;
      }
      grid.sync();  // all blocks must have read the last level's counts, which one block alone soon clears
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

// A program that the host runs, with one launch per phase.

/// The grid of a program on the host: launches and copies in the order of the device's stream. Device is
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
  /// Does nothing, because each launch begins when the previous ones have ended.
  void sync() const {}

  [[nodiscard]] HostGrid alone() const { return *this; }
  [[nodiscard]] bool works() const { return true; }
  template <class State>
  void join(const ArrayView<State>& /*place*/, State& /*state*/) const {}

  /// The time when all previous launches have ended.
  [[nodiscard]] std::uint64_t nanoseconds() const {
    device_.wait();
    return host_nanoseconds();
  }

 private:
  const Device& device_;
};

/// The durations of a search that has ended, from its levels and the times that it saved.
inline SearchNanoseconds nanoseconds_of(const std::vector<LevelRecord>& levels,
                                        const std::uint64_t (&times)[search_times]) {
  const std::uint64_t started = levels.empty() ? times[leaves_began] : levels.front().began;
  return {.start = started - times[search_began],
          .leaves = times[names_began] - times[leaves_began],
          .names = times[search_ended] - times[names_began],
          .all = times[search_ended] - times[search_began]};
}

/// Runs a program to its end. Reads the record each time it is full, and continues. Returns the program's final state.
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
