// A program carried out from its start to its end, and what it recorded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/array_view.hpp"
#include "gpu/device_control.hpp"
#include "gpu/host_grid.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Fetches the record and goes on wherever it was full. `saved` is one element, how the program stands; returns it as
/// it is at the end.
template <class Device, class Program, class State>
State run_program(Device& device, DeviceControl control, Program program, const ArrayView<const State>& saved,
                  const ArrayView<const LevelRecord>& levels, SearchRecord& record) {
  for (;; program.goes_on = true) {
    if (control == DeviceControl::persistent) {
      device.run(program);
      ++record.launches;
    } else {
      HostGrid<Device> grid(device);
      program.run(grid);
    }
    const State state = device.read(saved, 0);
    if (state.recorded > 0) {
      record.levels.resize(record.levels.size() + state.recorded);
      device.copy_out(ArrayView<const LevelRecord>{levels.data, state.recorded},
                      std::span(record.levels).last(state.recorded));
    }
    if (state.over) return state;
  }
}

}  // namespace breadth::gpu
