// Which GPU each rank of a node uses, and how many ranks share it.
#include "gpu/node_place.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/errors.hpp"
#include "traverse/devices/gpu_part.hpp"

namespace breadth::gpu {
namespace {

using Gpus = std::vector<GpuId>;

GpuId gpu(unsigned char number) {
  GpuId id{};
  id.back() = number;
  return id;
}

/// "gpu/sharing" of each rank; visible[rank] lists the GPUs that the rank may use.
std::string places(const std::vector<Gpus>& visible) {
  std::string text;
  for (const NodePlace& place : share_gpus(visible)) {
    text += std::to_string(place.gpu) + "/" + std::to_string(place.sharing) + " ";
  }
  return text;
}

TEST(NodePlace, RanksThatMayUseTheSameGpusTakeThemByTurns) {
  const Gpus four = {gpu(1), gpu(2), gpu(3), gpu(4)};
  EXPECT_EQ(places({}), "");
  EXPECT_EQ(places({four}), "0/1 ");
  EXPECT_EQ(places({four, four, four, four}), "0/1 1/1 2/1 3/1 ");
  EXPECT_EQ(places({four, four, four, four, four, four}), "0/2 1/2 2/1 3/1 0/2 1/2 ");
  const Gpus one = {gpu(9)};
  EXPECT_EQ(places({one, one, one}), "0/3 0/3 0/3 ");
}

/// srun --gpus-per-task=1: each process sees one GPU, as its number 0.
TEST(NodePlace, RanksThatAreBoundToAGpuEachShareNone) {
  EXPECT_EQ(places({{gpu(1)}, {gpu(2)}, {gpu(3)}, {gpu(4)}}), "0/1 0/1 0/1 0/1 ");
  EXPECT_EQ(places({{gpu(1)}, {gpu(2)}, {gpu(1)}}), "0/2 0/1 0/2 ");
}

TEST(NodePlace, RanksOfASocketMayUseItsGpus) {
  const Gpus first = {gpu(1), gpu(2)};
  const Gpus second = {gpu(3), gpu(4)};
  EXPECT_EQ(places({first, first, second, second}), "0/1 1/1 0/1 1/1 ");
  EXPECT_EQ(places({first, second, first, second}), "0/1 0/1 1/1 1/1 ");
  const Gpus overlapping = {gpu(2), gpu(3)};
  EXPECT_EQ(places({first, overlapping, overlapping}), "0/1 0/1 1/1 ");
  EXPECT_EQ(places({first, {}}), "0/1 0/1 ");
}

TEST(NodePlace, NcclIsRefusedWhereRanksShareAGpu) {
  const std::vector<NodePlace> bound = share_gpus(std::vector<Gpus>{{gpu(1)}, {gpu(2)}});
  const std::vector<NodePlace> shared = share_gpus(std::vector<Gpus>{{gpu(1)}, {gpu(1)}});
  for (const std::size_t rank : {0U, 1U}) {
    EXPECT_NO_THROW(require_own_device(Device::gpu, DeviceTransport::nccl, bound[rank]));
    EXPECT_THROW(require_own_device(Device::gpu, DeviceTransport::nccl, shared[rank]), Error);
    EXPECT_NO_THROW(require_own_device(Device::gpu, DeviceTransport::staged, shared[rank]));
    EXPECT_NO_THROW(require_own_device(Device::simulated, DeviceTransport::nccl, shared[rank]));
  }
}

}  // namespace
}  // namespace breadth::gpu
