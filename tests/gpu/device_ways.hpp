// What every test of searches on a device is run on.
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

/// How a simulated device carries out warps: one after the other, or taking turns anywhere (interleaved_device.hpp).
enum class Warps { in_turn, interleaved };

/// A device, and who leads the search on it.
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

/// For what tests make for themselves, not by options of a search.
inline auto interleaved_warps() {
  return testing::Values(DeviceWay{Device::simulated, DeviceControl::persistent, Warps::interleaved});
}

/// How many random graphs a test searches: fewer where warps take turns, unless all tests run whole.
inline int random_graphs(const DeviceWay& way, int all) {
  return way.warps == Warps::interleaved ? rounds(all / 4, all) : all;
}

/// What searches are not led on: edge lists, kernel 1 and validation, on each device.
inline auto every_device() { return testing::Values(Device::simulated, Device::gpu); }
inline std::string device_name(const testing::TestParamInfo<Device>& device) { return name_of(device.param); }

inline void skip_without(Device device) {
  try {
    require_device(device);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
}

/// Labels of a list from 0 to its largest.
inline std::size_t label_count(const NamedEdges& list) { return Oracle(list, Directedness::undirected).size(); }

/// Degenerate ones, and rows of each class.
inline std::vector<NamedEdges> graphs_for_parts() {
  std::vector<NamedEdges> graphs = degenerate_graphs();
  graphs.push_back(star(3000));     // a hub in pieces, or a long row
  graphs.push_back(complete(150));  // rows for warps
  return graphs;
}

/// Vertices with more edges are hubs.
inline HubChoice hubs_above(std::uint64_t degree) { return {HubRule::degree, degree}; }

/// An edge list on that device.
inline std::unique_ptr<gpu::Edges> edges_on(Device device, const gpu::TupleSource& source, ThreadTeam& threads) {
  return device == Device::gpu ? gpu::make_cuda_edges(source, threads) : gpu::make_simulated_edges(source, threads);
}

/// On a simulated device, and on a GPU where there is one.
class DeviceTest : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override { skip_without(GetParam()); }
};

/// The parts of a search with levels by the device's clock: none is missing, one follows the other, and all are in the
/// search. A GPU's clock may tick too rarely to see each.
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
