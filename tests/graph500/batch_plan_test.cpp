// How many searches are validated at a time, by the memory that there is.
#include "graph500/batch_plan.hpp"

#include <gtest/gtest.h>

#include "model/kronecker_size.hpp"
#include "model/memory_prediction.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth {
namespace {

TEST(BatchPlan, TakesNoMoreThanItMay) {
  for (const std::uint64_t labels : {std::uint64_t{1} << 20, std::uint64_t{1} << 34}) {
    const GraphSize size{.labels = labels};
    const std::uint64_t least = plan_batches(size, 64, 0).bytes;
    for (std::uint64_t bytes = least; bytes < 400 * 2 * labels; bytes += labels) {
      const BatchPlan plan = plan_batches(size, 64, bytes);
      ASSERT_LE(plan.bytes, bytes);
      ASSERT_EQ(plan.bytes, plan.searches * result_bytes(size) +
                                validation_bytes_per_label(plan.a_pass, label_bytes(size)) * labels);
      ASSERT_GE(plan.searches, plan.a_pass);
      ASSERT_TRUE(plan.searches == 64 || plan.searches % plan.a_pass == 0);
    }
  }
}

TEST(BatchPlan, FallsBackToSmallerBatchesWhereMemoryIsShort) {
  const GraphSize size{.labels = std::uint64_t{1} << 26};
  const BatchPlan full = full_batch(size, 64);
  EXPECT_EQ(full.a_pass, most_searches_a_pass);
  EXPECT_EQ(full.searches, most_searches_a_pass);
  EXPECT_EQ(plan_batches(size, 64, full.bytes).a_pass, most_searches_a_pass);
  EXPECT_EQ(plan_batches(size, 64, full.bytes - 1).a_pass, 4U);
  const BatchPlan nothing = plan_batches(size, 64, 0);
  EXPECT_EQ(nothing.searches, 1U);
  EXPECT_EQ(nothing.a_pass, 1U);
  EXPECT_EQ(plan_batches(size, 64, UINT64_MAX).searches, 64U);
  EXPECT_EQ(plan_batches(size, 3, UINT64_MAX).searches, 3U);
}

// The model knows of validation by number only.
TEST(BatchPlan, OneSearchAtATimeTakesWhatIsPredicted) {
  for (const int scale : {20, 33}) {
    const GraphSize size = expected_kronecker_size(scale, 16, false);
    EXPECT_EQ(predict_memory(size, 4, 2, true).validation_bytes,
              validation_bytes_per_label(1, label_bytes(size)) * size.labels);
  }
}

}  // namespace
}  // namespace breadth
