// What every test of searches on a device is run on.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/errors.hpp"
#include "support/ranks.hpp"
#include "traverse/device.hpp"
#include "traverse/gpu_search.hpp"

namespace breadth::test {

/// A device, and who leads the search on it.
struct DeviceWay {
  Device device;
  DeviceControl control;
};

inline std::string way_name(const testing::TestParamInfo<DeviceWay>& way) {
  const std::string device = name_of(way.param.device);
  return way.param.control == DeviceControl::persistent ? device : device + "_led_by_host";
}

inline auto every_way() {
  return testing::Values(
      DeviceWay{Device::simulated, DeviceControl::persistent}, DeviceWay{Device::simulated, DeviceControl::host},
      DeviceWay{Device::gpu, DeviceControl::persistent}, DeviceWay{Device::gpu, DeviceControl::host});
}

/// On a simulated device, and on a GPU where there is one. A search on several ranks is refused, so on one.
class DeviceWayTest : public testing::TestWithParam<DeviceWay> {
 protected:
  void SetUp() override {
    if (world().size() > 1) GTEST_SKIP() << "a search on a GPU runs on one rank";
    try {
      require_device(GetParam().device, world().size());
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

}  // namespace breadth::test
