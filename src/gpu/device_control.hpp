// Who leads a search on a device from level to level.
#pragma once

namespace breadth {

/// `persistent`: the device itself, in one launch. `host`: the processor, which launches phases one by one and reads
/// what each level did; slower, for debugging.
enum class DeviceControl { persistent, host };

constexpr const char* name_of(DeviceControl control) {
  return control == DeviceControl::persistent ? "persistent" : "host";
}

}  // namespace breadth
