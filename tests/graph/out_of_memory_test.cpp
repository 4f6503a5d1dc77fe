// Kernel 1 on ranks one of which has too little memory for one of its arrays: all ranks throw, and none waits for
// another.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "comm/agreement.hpp"
#include "graph/graph.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "support/ranks.hpp"

namespace {
/// How many more small arrays of buffers and values aligned to cache lines are given memory before one fails; negative:
/// no failure.
std::atomic<int> arrays_left = -1;
}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_REFUSE_MEMORY 1
// The library's aligned_alloc, except that one call fails.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  static const auto next = reinterpret_cast<void* (*)(std::size_t, std::size_t)>(dlsym(RTLD_NEXT, "aligned_alloc"));
  int left = arrays_left.load();
  while (left >= 0 && !arrays_left.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0 ? nullptr : next(alignment, bytes);
}
#else
#define CAN_REFUSE_MEMORY 0
#endif

namespace breadth {
namespace {

using test::world;

/// The message of the last rank when there is no memory for its array number `failing`; empty if it allocates fewer
/// arrays. Collective.
std::string failure_of_array(int failing, const EdgeList& edges, const GraphOptions& options, const Context& context) {
  arrays_left = world().rank() == world().size() - 1 ? failing : -1;
  std::string said;
  try {
    const Graph graph = build_graph(edges, options, context);
  } catch (const AgreedOutOfMemory& error) {
    said = error.what();
  } catch (const OutOfMemory& error) {
    said = error.what();
    if (world().size() > 1) {  // the other ranks do not know of the error
      std::fprintf(stderr, "on rank %d alone, array %d: %s\n", world().rank(), failing, error.what());
      std::abort();
    }
  }
  arrays_left = -1;
  return said;
}

void require_agreement(bool weighted, const GraphOptions& options) {
  if (!CAN_REFUSE_MEMORY) GTEST_SKIP() << "a sanitizer has an allocator of its own";
  ThreadTeam threads(2);
  const Context context{world(), threads};
  test::NamedEdges list = test::kronecker_edges(Kronecker({.scale = 8}));
  if (weighted) list.weights.assign(list.edges.size(), 0.5F);
  const MemoryEdgeList part = test::part_of(list);
  int failing = 0;
  constexpr int most = 1000;
  while (failing < most) {
    const std::string said = failure_of_array(failing, part, options, context);
    const auto failed = world().all_reduce(std::int64_t{said.empty() ? 0 : 1}, Reduction::sum);
    ASSERT_TRUE(failed == 0 || failed == world().size()) << "array " << failing << ": " << said;
    if (failed == 0) break;
    ASSERT_TRUE(said.find("cannot allocate") != std::string::npos || said.find("out of memory") != std::string::npos)
        << said;
    ++failing;
  }
  EXPECT_GT(failing, 5);
  EXPECT_LT(failing, most);
}

TEST(OutOfMemoryInKernel1, OfRowsByVertex) { require_agreement(false, {}); }

TEST(OutOfMemoryInKernel1, OfDirectedCompressedRows) {
  require_agreement(false,
                    {.directedness = Directedness::directed, .layout = {.adjacency = AdjacencyForm::compressed}});
}

TEST(OutOfMemoryInKernel1, OfRowsByWeightWithHubs) {
  GraphOptions options;
  options.layout.neighbours = NeighbourOrder::weights;
  options.layout.hubs = {.rule = HubRule::degree, .degree = 20};
  require_agreement(true, options);
}

}  // namespace
}  // namespace breadth
