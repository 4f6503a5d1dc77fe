// Edge lists and kernel 1 on a GPU.
#include <memory>

#include "gpu/build/device_edges.hpp"
#include "gpu/cuda/cuda_algorithms.cuh"
#include "gpu/cuda/cuda_device.cuh"
#include "gpu/edges.hpp"

namespace breadth::gpu {

std::unique_ptr<Edges> make_cuda_edges(const TupleSource& source, ThreadTeam& threads) {
  return std::make_unique<DeviceEdges<CudaDevice, CudaAlgorithms>>(CudaDevice(), source, threads);
}

}  // namespace breadth::gpu
