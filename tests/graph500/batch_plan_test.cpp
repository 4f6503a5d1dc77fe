// How many searches are validated at a time, depending on the available memory.
#include "graph500/run_prediction.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph500/kernels.hpp"
#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"
#include "validate/label_messages.hpp"
#include "validate/validate.hpp"

namespace breadth {
namespace {

TEST(BatchPlan, TakesNoMoreThanItMay) {
  for (const std::uint64_t labels : {std::uint64_t{1} << 20, std::uint64_t{1} << 34}) {
    const GraphSize size{.labels = labels};
    for (const auto& [kind, word] : words_of(KernelKind())) {
      const SearchCosts costs = kernel_type(kind).costs(size, 1, 1);
      const std::uint64_t least = plan_batches(costs, 64, 0).bytes;
      for (std::uint64_t bytes = least; bytes < 400 * 2 * labels; bytes += labels) {
        const BatchPlan plan = plan_batches(costs, 64, bytes);
        const auto pass = std::find_if(costs.passes.begin(), costs.passes.end(),
                                       [&](const SearchCosts::Pass& one) { return one.per_pass == plan.per_pass; });
        ASSERT_NE(pass, costs.passes.end());
        ASSERT_LE(plan.bytes, bytes);
        ASSERT_EQ(plan.bytes, plan.searches * costs.result_bytes + pass->bytes);
        ASSERT_GE(plan.searches, plan.per_pass);
        ASSERT_TRUE(plan.searches == 64 || plan.searches % plan.per_pass == 0);
      }
    }
  }
}

TEST(BatchPlan, FallsBackToSmallerBatchesWhereMemoryIsShort) {
  const SearchCosts costs = kernel_type(KernelKind::bfs).costs({.labels = std::uint64_t{1} << 26}, 1, 1);
  const BatchPlan full = full_batch(costs, 64);
  EXPECT_EQ(full.per_pass, max_searches_per_pass);
  EXPECT_EQ(full.searches, max_searches_per_pass);
  EXPECT_EQ(plan_batches(costs, 64, full.bytes).per_pass, max_searches_per_pass);
  EXPECT_EQ(plan_batches(costs, 64, full.bytes - 1).per_pass, 4U);
  const BatchPlan nothing = plan_batches(costs, 64, 0);
  EXPECT_EQ(nothing.searches, 1U);
  EXPECT_EQ(nothing.per_pass, 1U);
  EXPECT_EQ(one_search(costs).searches, 1U);
  EXPECT_EQ(one_search(costs).bytes, nothing.bytes);
  EXPECT_EQ(plan_batches(costs, 64, UINT64_MAX).searches, 64U);
  EXPECT_EQ(plan_batches(costs, 3, UINT64_MAX).searches, 3U);
}

TEST(BatchPlan, ValidatesShortestPathsByFours) {
  const GraphSize size{.labels = std::uint64_t{1} << 26};
  const SearchCosts costs = kernel_type(KernelKind::sssp).costs(size, 1, 1);
  EXPECT_EQ(costs.result_bytes, 8 * size.labels);
  EXPECT_EQ(full_batch(costs, 64).per_pass, 4U);
  EXPECT_EQ(full_batch(costs, 64).searches, 4U);
  EXPECT_EQ(plan_batches(costs, 64, full_batch(costs, 64).bytes - 1).per_pass, 1U);
}

TEST(BatchPlan, KnowsHowManyTuplesTravelInARound) {
  constexpr std::uint64_t tuple_count = std::uint64_t{1} << 40;
  for (const int ranks : {2, 7, 300, 5000}) {
    for (const int threads : {1, 3, 64}) {
      const double p = ranks;
      const double bytes = 12 * (p - 1) * (p - 1) / p + (12.0 + 4) * (p - 1);  // for a tuple of each rank
      const double tuples = static_cast<double>(messages_per_round(ranks, threads));
      EXPECT_NEAR(static_cast<double>(message_bytes_for(tuple_count, 12, 4, ranks, threads)), 4 * tuples * bytes, 1);
    }
  }
  EXPECT_EQ(message_bytes_for(tuple_count, 12, 4, 1, 2), 0U);
}

}  // namespace
}  // namespace breadth
