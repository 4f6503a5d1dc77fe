#include "graph/partition.hpp"

#include <gtest/gtest.h>

namespace breadth {
namespace {

TEST(GlobalIdCode, KeepsRankAndLocalId) {
  for (const int ranks : {1, 2, 3, 7, 64, 1000}) {
    for (const std::uint64_t bound : {0ULL, 1ULL, 63ULL, 64ULL, 65ULL, 1000000ULL, 4294967295ULL}) {
      const GlobalIdCode code(bound, ranks);
      EXPECT_EQ(code.stride() % 64, 0U);
      EXPECT_GE(code.stride(), bound);
      EXPECT_EQ(code.bound(), code.stride() * static_cast<std::uint64_t>(ranks));
      for (const int rank : {0, ranks / 2, ranks - 1}) {
        for (const std::uint64_t local : {std::uint64_t{0}, bound / 2, bound > 0 ? bound - 1 : 0}) {
          const auto global_id = code.encode(rank, LocalVertex{static_cast<std::uint32_t>(local)});
          EXPECT_LT(global_id, code.bound());
          EXPECT_EQ(code.rank(global_id), rank);
          EXPECT_EQ(code.local(global_id).value, local);
          EXPECT_EQ(code.from_order(code.order(global_id)), global_id);
        }
      }
    }
  }
}

TEST(GlobalIdCode, OrderPutsLowLocalIdsOfAllRanksFirst) {
  const GlobalIdCode code(500, 3);
  std::uint64_t last = 0;
  for (std::uint32_t local = 0; local < 500; ++local) {
    for (int rank = 0; rank < 3; ++rank) {
      const std::uint64_t order = code.order(code.encode(rank, LocalVertex{local}));
      EXPECT_TRUE(order > last || (local == 0 && rank == 0));
      last = order;
    }
  }
}

}  // namespace
}  // namespace breadth
