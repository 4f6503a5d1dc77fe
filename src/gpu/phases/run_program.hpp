// A program carried out from its start to its end, and what it recorded.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "gpu/device_control.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

// A program that the host follows, one launch a phase.

/// What a program (SearchControl) may ask for, by launches and copies in the order of the device's stream. Device is
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
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
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

/// Fetches the record and goes on wherever it was full. `saved` is one element, how the program stands; returns its
/// state as it is at the end.
template <class Device, class Program, class State>
State run_program(Device& device, DeviceControl control, Program program, const ArrayView<const Saved<State>>& saved,
                  const ArrayView<const LevelRecord>& levels, SearchRecord& record) {
  for (;; program.goes_on = true) {
    if (control == DeviceControl::persistent) {
      device.run(program);
      ++record.launches;
    } else {
      HostGrid<Device> grid(device);
      program.run(grid);
    }
    const Saved<State> read = device.read(saved, 0);
    const State& state = read.state;
    if (state.recorded > 0) {
      record.levels.resize(record.levels.size() + state.recorded);
      device.copy_out(ArrayView<const LevelRecord>{levels.data, state.recorded},
                      std::span(record.levels).last(state.recorded));
    }
    if (!state.over) continue;
    record.nanoseconds = nanoseconds_of(record.levels, read.times);
    return state;
  }
}

}  // namespace breadth::gpu
