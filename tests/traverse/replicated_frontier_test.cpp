// The replicated frontier against bitmaps that every rank makes for all ranks.
#include "traverse/replicated_frontier.hpp"

#include <gtest/gtest.h>

#include <random>
#include <variant>
#include <vector>

#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

/// Vertices of each rank: none on some, so many that groups of every granularity are cut short on others.
std::size_t local_count(int rank) { return rank % 4 == 3 ? 0 : 9000 + 777 * static_cast<std::size_t>(rank); }

/// This rank's part, of which only the number of vertices and the code of positions matter here.
Partition partition_of_counts(std::size_t (*count)(int)) {
  std::size_t most = 0;
  for (int rank = 0; rank < world().size(); ++rank) most = std::max(most, count(rank));
  return {BlockDistribution(most * static_cast<std::size_t>(world().size()) + 1, world().size()), world().rank(),
          PositionCode(most, world().size()), ConnectedLabels(), Buffer<std::uint32_t>(count(world().rank()))};
}

/// What a rank has visited after some shares: each adds bits to a few words, and none at all to the third.
Bitmap visited_after(int shares, int rank, std::size_t vertices) {
  Bitmap visited(vertices + 1);
  std::mt19937_64 random(static_cast<std::uint64_t>(rank));
  for (int share = 0; share < shares; ++share) {
    for (int i = 0; i < 20 && vertices > 0 && share != 2; ++i) visited.insert(random() % vertices);
  }
  return visited;
}

/// The bits below `searched` of all ranks, at their positions.
Bitmap expected_bits(int shares, std::size_t searched, const PositionCode& code) {
  Bitmap bits(code.bound());
  for (int rank = 0; rank < world().size(); ++rank) {
    const Bitmap visited = visited_after(shares, rank, local_count(rank));
    for (std::size_t vertex = 0; vertex < std::min(searched, local_count(rank)); ++vertex) {
      if (!visited.contains(vertex)) continue;
      bits.insert(code.encode(rank, LocalVertex{static_cast<std::uint32_t>(vertex)}));
    }
  }
  return bits;
}

void expect_frontier(const ReplicatedFrontier& frontier, const Bitmap& expected, std::size_t granularity) {
  const std::span<const std::uint64_t> words = expected.words();
  ASSERT_TRUE(std::equal(words.begin(), words.end(), frontier.bits().begin(), frontier.bits().end()));
  if (granularity == 0) {
    ASSERT_EQ(std::get<FrontierBits>(frontier.view()).bits, frontier.bits().data());
    return;
  }
  const auto view = std::get<SummarizedBits>(frontier.view());
  ASSERT_EQ(std::size_t{1} << view.group_log2, granularity);
  ASSERT_EQ(view.bits, frontier.bits().data());
  for (std::size_t first = 0; first < expected.size(); first += granularity) {
    bool any = false;
    for (std::size_t i = first; i < std::min(first + granularity, expected.size()); ++i) any |= expected.contains(i);
    const std::size_t group = first / granularity;
    ASSERT_EQ(((view.summary[group / bits_per_word] >> (group % bits_per_word)) & 1U) != 0, any) << "group " << group;
  }
}

TEST(ReplicatedFrontier, HasWhatEveryRankSharedAndASummaryOfIt) {
  for (const std::size_t granularity : {0U, 64U, 128U, 256U, 512U, 1024U, 2048U, 4096U}) {
    for (const int thread_count : {1, 3}) {
      ThreadTeam threads(thread_count);
      const Context context{world(), threads};
      const Partition partition = partition_of_counts(local_count);
      constexpr std::size_t searched = std::size_t{64} * 141;  // a whole word, as searches end leaves
      const auto frontier = make_replicated_frontier(partition, searched, granularity, context);
      for (int search = 0; search < 2; ++search) {
        frontier->clear();
        for (int shares = 1; shares <= 5; ++shares) {
          frontier->share(visited_after(shares, world().rank(), partition.local_count()));
          expect_frontier(*frontier, expected_bits(shares, searched, partition.code()), granularity);
        }
      }
    }
  }
}

TEST(ReplicatedFrontier, SendsOnlyGroupsThatChanged) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Partition partition = partition_of_counts([](int) { return std::size_t{8192}; });
  const auto others = static_cast<std::uint64_t>(world().size() - 1);
  Bitmap visited(partition.local_count() + 1);
  const auto whole = make_replicated_frontier(partition, 8192, 0, context);
  EXPECT_EQ(whole->share(visited), 8192 / 8 * others);
  for (const std::size_t granularity : {64U, 512U, 4096U}) {
    Bitmap bits(partition.local_count() + 1);
    const auto frontier = make_replicated_frontier(partition, 8192, granularity, context);
    frontier->clear();
    const std::uint64_t which = words_for_bits(8192 / granularity) * 8;
    EXPECT_EQ(frontier->share(bits), which * others);
    bits.insert(17);
    bits.insert(18);
    EXPECT_EQ(frontier->share(bits), (which + granularity / 8) * others);
    EXPECT_EQ(frontier->share(bits), which * others);
    bits.insert(19);
    bits.insert(8191);
    EXPECT_EQ(frontier->share(bits), (which + 2 * granularity / 8) * others);
  }
}

}  // namespace
}  // namespace breadth
