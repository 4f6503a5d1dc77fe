// What a program that is built without CUDA says of GPUs.
#include "core/errors.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

std::unique_ptr<Search> make_cuda_search(const HostGraph&, ThreadTeam&) {
  require_cuda();
  return nullptr;
}

void require_cuda() { fail("this program was built without CUDA, so it cannot use a GPU (BREADTH_WITH_CUDA=ON)"); }

}  // namespace breadth::gpu
