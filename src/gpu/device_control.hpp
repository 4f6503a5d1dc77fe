// Who leads a search on a device from level to level.
#pragma once

#include <optional>

namespace breadth {

/// `persistent`: the device itself, in one launch. `host`: the processor, which launches phases one by one and reads
/// what each level did; slower, for debugging.
enum class DeviceControl { persistent, host };

/// What is asked for, or else what there is on so many ranks: between ranks nothing waits on a device.
constexpr DeviceControl control_on(std::optional<DeviceControl> asked, int ranks) {
  return asked.value_or(ranks == 1 ? DeviceControl::persistent : DeviceControl::host);
}

constexpr const char* name_of(DeviceControl control) {
  return control == DeviceControl::persistent ? "persistent" : "host";
}

}  // namespace breadth
