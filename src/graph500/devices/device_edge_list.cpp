#include "graph500/devices/device_edge_list.hpp"

#include "core/errors.hpp"
#include "graph500/benchmark_input.hpp"

namespace breadth {

void require_edges_on_one_rank(EdgeResidence asked, int ranks) {
  if (ranks == 1) return;
  fail("--device-edges {} and {} ranks exclude each other: of several ranks processors read the edge list",
       name_of(asked), ranks);
}

DeviceEdgeList::DeviceEdgeList(const BenchmarkOptions& options, const EdgeList& edges, bool weighted,
                               const Context& context) {
  const int ranks = context.ranks.size();
  gpu::TupleSource source{.list = &edges, .weighted = weighted, .held = device_tuples(options, ranks)};
  if (options.input.empty() && !makes_edge_file(options) && !host_keeps_edges(options, ranks)) {
    source.kronecker = &kronecker_.emplace(generator(options));
  }
  edges_ = options.bfs.device == Device::gpu ? gpu::make_cuda_edges(source, context.threads)
                                             : gpu::make_simulated_edges(source, context.threads);
}

}  // namespace breadth
