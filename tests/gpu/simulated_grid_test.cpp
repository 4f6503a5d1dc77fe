// Programs of several phases: what they see of earlier phases, and which errors are detected.
#include "gpu/simulated/simulated_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace breadth::gpu {
namespace {

/// Every warp adds its number plus one to `sum`.
struct AddNumbers {
  ArrayView<std::uint64_t> sum;
  template <class Warp>
  void work(const Warp& warp) const {
    warp.add(sum, 0, warp.select(warp.lane() == 0U, Lanes<std::uint64_t>(warp.index() + 1), Lanes<std::uint64_t>(0)));
  }
};

/// Every warp stores the value that it finds in `sum`.
struct KeepSum {
  ArrayView<std::uint64_t> sum;
  ArrayView<std::uint64_t> kept;
  template <class Warp>
  void work(const Warp& warp) const {
    const Lanes<std::uint64_t> found = warp.load_one(sum, 0);
    warp.store(kept, warp.lane() + warp.index(), found, warp.lane() == 0U);
  }
};

class SimulatedGridTest : public testing::Test {
 protected:
  static constexpr std::uint64_t warps = std::uint64_t{simulated_blocks} * simulated_warps_in_block;
  static constexpr std::uint64_t total = warps * (warps + 1) / 2;
  std::vector<std::uint64_t> sum_ = {0};
  std::vector<std::uint64_t> kept_ = std::vector<std::uint64_t>(warps);
  ArrayView<std::uint64_t> sum{sum_.data(), 1};
  ArrayView<std::uint64_t> kept{kept_.data(), warps};
  SimulatedGrid grid;
};

TEST_F(SimulatedGridTest, PhasesAreCompleteAtTheNextSync) {
  grid.run(AddNumbers{sum}, 1);
  EXPECT_EQ(sum_[0], 0);
  grid.sync();
  EXPECT_EQ(grid.load(sum, 0), total);
  grid.clear(sum);
  grid.sync();
  EXPECT_EQ(grid.load(sum, 0), 0);
}

TEST_F(SimulatedGridTest, WithoutASyncABlockIsAheadOfOthers) {
  grid.run(AddNumbers{sum}, 1);
  grid.run(KeepSum{sum, kept}, 1);
  grid.sync();
  EXPECT_LT(*std::min_element(kept_.begin(), kept_.end()), total);
  grid.run(KeepSum{sum, kept}, 1);
  grid.sync();
  EXPECT_EQ(kept_, std::vector<std::uint64_t>(warps, total));
}

TEST_F(SimulatedGridTest, ReadingWhatIsNotCompleteIsRefused) {
  grid.run(AddNumbers{sum}, 1);
  EXPECT_THROW((void)grid.load(sum, 0), std::logic_error);
  grid.sync();
  EXPECT_THROW((void)grid.load(sum, 1), std::logic_error);
}

TEST_F(SimulatedGridTest, OneBlockAloneDoesAllOfThePhase) {
  SimulatedGrid block = grid.alone();
  block.run(AddNumbers{sum}, 1);
  block.sync();
  EXPECT_EQ(sum_[0], std::uint64_t{simulated_warps_in_block} * (simulated_warps_in_block + 1) / 2);
}

}  // namespace
}  // namespace breadth::gpu
