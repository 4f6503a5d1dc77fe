// Finds GPUs without using them. In a file of its own, so that a test can link it with a fake of CUDA.
#include "gpu/cuda/cuda_devices.cuh"

#include <algorithm>
#include <string>

#include "gpu/node_place.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

void require_success(cudaError_t status, const char* what) {
  if (status != cudaSuccess) fail_on_gpu(std::string(what) + " on the GPU", cudaGetErrorString(status));
}

std::uint32_t count_gpus() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    fail_on_gpu("looking for a GPU",
                std::string(cudaGetErrorString(status)) + "; nvidia-smi lists GPUs and the driver");
  }
  if (devices == 0) fail_on_gpu("looking for a GPU", "there is none");
  return static_cast<std::uint32_t>(devices);
}

void require_cuda() { (void)count_gpus(); }

std::vector<GpuId> visible_gpus() {
  std::vector<GpuId> ids(count_gpus());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    cudaDeviceProp properties{};
    require_success(cudaGetDeviceProperties(&properties, static_cast<int>(i)), "asking for its properties");
    std::copy_n(reinterpret_cast<const unsigned char*>(properties.uuid.bytes), ids[i].size(), ids[i].begin());
  }
  return ids;
}

}  // namespace breadth::gpu
