#include "graph500/benchmark_input.hpp"

#include <bit>
#include <utility>

#include "comm/agreement.hpp"
#include "core/parallel.hpp"
#include "generate/kronecker.hpp"

namespace breadth {

namespace {
Kronecker generator(const BenchmarkOptions& options) {
  return Kronecker({.scale = options.scale,
                    .edgefactor = static_cast<std::int64_t>(options.edgefactor),
                    .seed1 = options.seed[0],
                    .seed2 = options.seed[1]});
}

std::unique_ptr<EdgeList> generate(const BenchmarkOptions& options, const Context& context) {
  const Kronecker kronecker = generator(options);
  const IndexRange mine = even_share(kronecker.edge_count(), static_cast<std::size_t>(context.ranks.rank()),
                                     static_cast<std::size_t>(context.ranks.size()));
  if (options.edge_list == EdgeListPlace::regenerate) {
    return std::make_unique<KroneckerEdgeList>(kronecker, mine.begin, mine.end, false);
  }
  return run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    return std::make_unique<MemoryEdgeList>(
        generate_in_memory(kronecker, mine.begin, mine.end, false, context.threads));
  });
}
}  // namespace

BenchmarkInput prepare_input(const BenchmarkOptions& options, const Context& context) {
  return {.edges = generate(options, context),
          .scale = options.scale,
          .edgefactor = static_cast<double>(options.edgefactor)};
}

}  // namespace breadth
