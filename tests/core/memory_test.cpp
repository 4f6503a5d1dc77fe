#include "core/memory/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/memory/buffer.hpp"
#include "core/stopwatch.hpp"

namespace breadth {
namespace {

TEST(PeakResidentBytes, CountWhatWasWritten) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const std::uint64_t before = peak_resident_bytes();
  ASSERT_GT(before, 0U);
  {
    Buffer<std::uint8_t> buffer(bytes);
    std::fill(buffer.begin(), buffer.end(), std::uint8_t{1});
    EXPECT_GE(peak_resident_bytes(), bytes);
  }
  EXPECT_GE(peak_resident_bytes(), bytes) << "a peak does not fall";
  EXPECT_GE(peak_resident_bytes(), before);
}

TEST(AvailableMemoryBytes, AreSomeAndNotMoreThanAnyMachineHas) {
  EXPECT_GT(available_memory_bytes(), std::uint64_t{1} << 20);
  EXPECT_LT(available_memory_bytes(), std::uint64_t{1} << 60);
}

TEST(HugePages, AreNotPossibleOnceTheyAreRefused) {
  const auto refuse = [] {
    refuse_huge_pages();
    std::exit(huge_pages_possible() ? 1 : 0);
  };
  EXPECT_EXIT(refuse(), testing::ExitedWithCode(0), "");  // in its own process: it cannot be undone
}

TEST(Stopwatch, NeverRunsBackwards) {
  Stopwatch watch;
  double last = 0;
  for (int i = 0; i < 1000; ++i) {
    const double now = watch.seconds();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_GE(watch.lap(), last);
  EXPECT_GE(watch.lap(), 0.0);
}

}  // namespace
}  // namespace breadth
