// Stands in for CUDA in a program that is built without it: every function throws Error.
#include "core/errors.hpp"
#include "gpu/edges.hpp"
#include "gpu/part_search.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

namespace {
[[noreturn]] void refuse() { fail("this program was built without CUDA, so it cannot use a GPU (BREADTH_WITH_CUDA)"); }
}  // namespace

void require_cuda() { refuse(); }
std::vector<GpuId> visible_gpus() { refuse(); }
DeviceMemory cuda_memory(const NodePlace&) { refuse(); }

std::unique_ptr<Search> make_cuda_search(const HostGraph&, const SearchSettings&, ThreadTeam&) { refuse(); }
std::unique_ptr<Paths> make_cuda_paths(const HostGraph&, const SearchSettings&, ThreadTeam&) { refuse(); }
std::unique_ptr<Edges> make_cuda_edges(const TupleSource&, ThreadTeam&) { refuse(); }
std::unique_ptr<PartSearch> make_cuda_part(const HostPart&, const NodePlace&, ThreadTeam&) { refuse(); }
std::unique_ptr<PartPaths> make_cuda_part_paths(const HostPart&, const NodePlace&, ThreadTeam&) { refuse(); }

}  // namespace breadth::gpu
