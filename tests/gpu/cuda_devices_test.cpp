// The search for GPUs initialises none of them: a fake of CUDA's runtime library records the calls.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/errors.hpp"
#include "gpu/cuda/cuda_devices.cuh"
#include "gpu/node_place.hpp"
#include "gpu/search.hpp"

namespace {
std::vector<std::string> calls;
int devices = 0;
cudaError_t status = cudaSuccess;
}  // namespace

// The functions of the library that the sources under test call. They are linked without the real library.
cudaError_t cudaGetDeviceCount(int* count) {
  calls.emplace_back("cudaGetDeviceCount");
  *count = devices;
  return status;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  calls.emplace_back("cudaGetDeviceProperties");
  *properties = {};
  properties->uuid.bytes[15] = static_cast<char>(0xF0 + device);
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "success" : "no CUDA-capable device";
}

namespace breadth::gpu {
namespace {

class CudaDevicesTest : public testing::Test {
 protected:
  void SetUp() override {
    calls.clear();
    devices = 3;
    status = cudaSuccess;
  }
  static std::string refusal() {
    try {
      require_cuda();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(CudaDevicesTest, LookingForOneOnlyCounts) {
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(calls, std::vector<std::string>{"cudaGetDeviceCount"});
}

TEST_F(CudaDevicesTest, WhereThereIsNoneItSaysWhy) {
  devices = 0;
  EXPECT_EQ(refusal(), "looking for a GPU failed: there is none");
  status = cudaErrorNoDevice;
  EXPECT_EQ(refusal(), "looking for a GPU failed: no CUDA-capable device; nvidia-smi lists GPUs and the driver");
}

TEST_F(CudaDevicesTest, EachIsKnownByItsUuid) {
  const std::vector<GpuId> ids = visible_gpus();
  ASSERT_EQ(ids.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(ids[i].back(), 0xF0 + i);
  EXPECT_EQ(calls.front(), "cudaGetDeviceCount");
  EXPECT_EQ(calls.size(), 4U);
}

}  // namespace
}  // namespace breadth::gpu
