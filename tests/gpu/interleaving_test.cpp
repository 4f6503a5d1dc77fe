// Programs with interleaved warps, and how errors of a program show.
#include "interleaving.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "interleaved_device.hpp"

namespace breadth::gpu {
namespace {

constexpr std::uint32_t all_warps = interleaved_blocks * interleaved_warps_in_block;

template <class T>
ArrayView<T> view_of(std::vector<T>& values) {
  return {values.data(), values.size()};
}

/// Every warp adds one to `sum`.
struct CountWarps {
  ArrayView<std::uint32_t> sum;
  template <class Warp>
  void work(const Warp& warp) const {
    warp.count_up(sum, warp.same(0), warp.lane() == 0U);
  }
};

/// Every warp stores the count that it sees in `sum`.
struct KeepCount {
  ArrayView<std::uint32_t> sum;
  ArrayView<std::uint32_t> kept;
  template <class Warp>
  void work(const Warp& warp) const {
    const auto first = warp.lane() == 0U;
    warp.store(kept, warp.lane() + warp.index(), warp.load_relaxed(sum, warp.same(0), first), first);
  }
};

/// Counts and stores, with a barrier between the two or without.
struct CountAndKeep {
  ArrayView<std::uint32_t> sum;
  ArrayView<std::uint32_t> kept;
  bool waits = true;
  template <class Grid>
  void run(Grid& grid) const {
    grid.run(CountWarps{sum}, 1);
    if (waits) grid.sync();
    grid.run(KeepCount{sum, kept}, 1);
  }
};

std::vector<std::uint32_t> kept_counts(std::uint64_t seed, bool waits) {
  std::vector<std::uint32_t> sum(1);
  std::vector<std::uint32_t> kept(all_warps);
  InterleavedDevice(seed).run(CountAndKeep{view_of(sum), view_of(kept), waits});
  return kept;
}

TEST(Interleaving, BehindABarrierAllIsDone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(kept_counts(seed, true), std::vector<std::uint32_t>(all_warps, all_warps));
  }
}

TEST(Interleaving, SeedsOrderWarpsEachAlwaysTheSame) {
  std::set<std::vector<std::uint32_t>> found;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    found.insert(kept_counts(seed, false));
    EXPECT_EQ(kept_counts(seed, false), kept_counts(seed, false));
  }
  EXPECT_GT(found.size(), 20U);
  EXPECT_EQ(found.count(std::vector<std::uint32_t>(all_warps, all_warps)), 0U);
}

/// A program whose warps all run `body`.
template <class Body>
struct Program {
  Body body;
  template <class Grid>
  void run(Grid& grid) const {
    body(grid);
  }
};

template <class Body>
std::string failure_of(const Body& body, std::uint64_t seed) {
  try {
    InterleavedDevice(seed).run(Program<Body>{body});
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return {};
}

TEST(Interleaving, WaitingForOneThatHasEndedIsRefused) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string failure = failure_of(
        [](const InterleavedGrid& grid) {
          if (grid.works()) grid.sync();
        },
        seed);
    EXPECT_NE(failure.find("warps wait for others for ever: 2 at interleaving_test.cpp:"), std::string::npos)
        << failure;
    EXPECT_NE(failure.find("for the grid, 4 have ended"), std::string::npos) << failure;
  }
}

TEST(Interleaving, WaitingAtDifferentPlacesIsRefused) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string failure = failure_of(
        [](const InterleavedGrid& grid) {
          if (grid.works()) {
            grid.sync();
          } else {
            grid.sync();
          }
        },
        seed);
    EXPECT_NE(failure.find("warps wait for each other at different places: "), std::string::npos) << failure;
  }
}

TEST(Interleaving, WhatAWarpThrowsEndsAll) {
  std::vector<std::uint32_t> sum(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string failure = failure_of(
        [&](const InterleavedGrid& grid) {
          if (grid.works()) (void)grid.load(view_of(sum), 1);
          grid.sync();
        },
        seed);
    EXPECT_EQ(failure, "a program reaches outside of an array");
  }
}

TEST(Interleaving, ABlockAloneWaitsForItsOwnWarpsOnly) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::uint32_t> sum(1);
    std::vector<std::uint32_t> kept(all_warps);
    std::vector<std::uint32_t> state(1);
    const std::string failure = failure_of(
        [&](const InterleavedGrid& grid) {
          const InterleavedGrid block = grid.alone();
          std::uint32_t mine = 0;
          if (block.works()) {
            block.run(CountWarps{view_of(sum)}, 1);
            block.sync();
            mine = block.load(view_of(sum), 0);
          }
          grid.join(view_of(state), mine);
          EXPECT_EQ(mine, interleaved_warps_in_block);
        },
        seed);
    EXPECT_EQ(failure, "");
    EXPECT_EQ(sum[0], interleaved_warps_in_block);
  }
}

}  // namespace
}  // namespace breadth::gpu
