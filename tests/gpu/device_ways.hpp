// The devices that tests of device searches run on.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/policy/search.hpp"
#include "gpu/edges.hpp"
#include "graph/graph.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/ranks.hpp"
#include "support/rounds.hpp"
#include "traverse/devices/gpu_search.hpp"

namespace breadth::test {

/// How a simulated device runs warps: one after the other, or interleaved at any access to memory
/// (interleaved_device.hpp).
enum class Warps { in_turn, interleaved };

/// A device, and who controls the search on it: the device or the host.
struct DeviceWay {
  Device device;
  DeviceControl control;
  Warps warps = Warps::in_turn;
};

inline std::string way_name(const testing::TestParamInfo<DeviceWay>& way) {
  const std::string device = way.param.warps == Warps::interleaved ? "interleaved" : name_of(way.param.device);
  return way.param.control == DeviceControl::persistent ? device : device + "_led_by_host";
}

inline auto every_way() {
  return testing::Values(
      DeviceWay{Device::simulated, DeviceControl::persistent}, DeviceWay{Device::simulated, DeviceControl::host},
      DeviceWay{Device::gpu, DeviceControl::persistent}, DeviceWay{Device::gpu, DeviceControl::host});
}

/// For tests that make their searches directly. The options of a search cannot ask for interleaved warps.
inline auto interleaved_warps() {
  return testing::Values(DeviceWay{Device::simulated, DeviceControl::persistent, Warps::interleaved});
}

/// The number of random graphs that a test searches: fewer with interleaved warps, except in deep tests.
inline int random_graphs(const DeviceWay& way, int all) {
  return way.warps == Warps::interleaved ? rounds(all / 4, all) : all;
}

/// The devices for tests without a search to control: edge lists, kernel 1 and validation.
inline auto every_device() { return testing::Values(Device::simulated, Device::gpu); }
inline std::string device_name(const testing::TestParamInfo<Device>& device) { return name_of(device.param); }

inline void skip_without(Device device) {
  try {
    require_device(device);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
}

/// The number of labels from 0 to the largest of the list.
inline std::size_t label_count(const NamedEdges& list) { return Oracle(list, Directedness::undirected).size(); }

/// Degenerate graphs, and graphs with rows of each class.
inline std::vector<NamedEdges> graphs_for_parts() {
  std::vector<NamedEdges> graphs = degenerate_graphs();
  graphs.push_back(star(3000));     // a hub in pieces, or a long row
  graphs.push_back(complete(150));  // rows for warps
  return graphs;
}

/// Makes vertices with more than `degree` edges hubs.
inline HubChoice hubs_above(std::uint64_t degree) { return {HubRule::degree, degree}; }

/// Puts an edge list on the device.
inline std::unique_ptr<gpu::Edges> edges_on(Device device, const gpu::TupleSource& source, ThreadTeam& threads) {
  return device == Device::gpu ? gpu::make_cuda_edges(source, threads) : gpu::make_simulated_edges(source, threads);
}

/// Tests on a simulated device, and on a GPU where there is one.
class DeviceTest : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override { skip_without(GetParam()); }
};

/// Checks the times of a search's parts by the device's clock: no part is missing, they follow each other, and all are
/// within the search. A GPU's clock may tick too rarely to show each part.
inline void expect_parts_in_time(const gpu::SearchRecord& record, const DeviceWay& way, bool leaves_last) {
  const gpu::SearchNanoseconds& took = record.nanoseconds;
  std::uint64_t parts = took.start + took.leaves + took.names;
  ASSERT_FALSE(record.levels.empty());
  std::uint64_t ended = record.levels.front().began;
  for (const gpu::LevelRecord& level : record.levels) {
    EXPECT_GE(level.began, ended);
    parts += level.began - ended + level.nanoseconds;
    ended = level.began + level.nanoseconds;
  }
  EXPECT_LE(parts, took.all);
  if (way.device == Device::gpu) return;
  EXPECT_GT(took.start, 0U);
  EXPECT_GT(took.names, 0U);
  if (leaves_last) {
    EXPECT_GT(took.leaves, 0U);
  }
}

class DeviceWayTest : public testing::TestWithParam<DeviceWay> {
 protected:
  void SetUp() override { skip_without(GetParam().device); }
};

}  // namespace breadth::test
