// Checks the vector length of an emulated processor (breadth_test_on_vectors), so that the other tests ran on it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_length_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

std::size_t vector_bytes() { return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>()); }

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/instruction_sets.hpp"

namespace breadth {
namespace {

HWY_EXPORT(vector_bytes);

TEST(VectorLength, IsTheEmulatedProcessors) {
  const char* text = std::getenv("TEST_VECTOR_BYTES");
  if (text == nullptr) GTEST_SKIP() << "this processor is not emulated";
  const std::size_t bytes = std::stoul(text);
  const std::map<std::int64_t, std::size_t> expected = {{HWY_NEON, 16}, {HWY_SVE, bytes}, {HWY_SVE2, bytes}};
  const std::vector<std::int64_t> tested = hwy::SupportedAndGeneratedTargets();
  for (const auto& [target, length] : expected) {
    ASSERT_THAT(tested, testing::Contains(target)) << hwy::TargetName(target);
    const test::InstructionSets only(target);
    EXPECT_EQ(HWY_DYNAMIC_DISPATCH(vector_bytes)(), length) << hwy::TargetName(target);
  }
}

}  // namespace
}  // namespace breadth
#endif
