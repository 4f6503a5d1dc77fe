// The replicated frontier compared with bitmaps that every rank computes for all ranks.
#include "traverse/replication/replicated_frontier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "support/ranks.hpp"
#include "support/replications.hpp"

namespace breadth {
namespace {

using test::every_replication;
using test::every_shared_bits;
using test::world;

/// The number of vertices of each rank: none on some ranks; on others so many that groups of every granularity are cut
/// short.
using Counts = std::size_t (*)(int rank);
std::size_t local_count(int rank) { return rank % 4 == 3 ? 0 : 9000 + 777 * static_cast<std::size_t>(rank); }
/// So few vertices that several ranks share one group of a summary.
std::size_t small_count(int rank) { return rank % 4 == 3 ? 0 : 100; }

/// This rank's partition. Only its number of vertices and the code of global ids matter here.
Partition partition_of_counts(Counts count) {
  std::size_t most = 0;
  for (int rank = 0; rank < world().size(); ++rank) most = std::max(most, count(rank));
  return {BlockDistribution(most * static_cast<std::size_t>(world().size()) + 1, world().size()), world().rank(),
          GlobalIdCode(most, world().size()), ConnectedLabels(), Buffer<std::uint32_t>(count(world().rank()))};
}

/// The visited bits of a rank after some shares. Each share adds bits to a few words, except the third, which adds
/// none.
Bitmap visited_after(int shares, int rank, std::size_t vertices) {
  Bitmap visited(vertices + 1);
  std::mt19937_64 random(static_cast<std::uint64_t>(rank));
  for (int share = 0; share < shares; ++share) {
    for (int i = 0; i < 20 && vertices > 0 && share != 2; ++i) visited.insert(random() % vertices);
  }
  return visited;
}

/// The bits below `searched` of all ranks, by global id.
Bitmap expected_bits(int shares, std::size_t searched, Counts count, const GlobalIdCode& code) {
  Bitmap bits(code.bound());
  for (int rank = 0; rank < world().size(); ++rank) {
    const Bitmap visited = visited_after(shares, rank, count(rank));
    for (std::size_t vertex = 0; vertex < std::min(searched, count(rank)); ++vertex) {
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

std::string text(const FrontierOptions& options) {
  return "granularity " + std::to_string(options.granularity) + ", way " +
         std::to_string(static_cast<int>(options.replication.how)) + ", ranks per node " +
         std::to_string(options.replication.ranks_per_node) + ", bits " +
         std::to_string(static_cast<int>(options.replication.bits));
}

/// Shares repeatedly. After a share no rank may see what others visit later.
void expect_shares(Counts count, std::size_t searched, const FrontierOptions& options, const Context& context) {
  SCOPED_TRACE(text(options));
  const Partition partition = partition_of_counts(count);
  const auto frontier = make_replicated_frontier(partition, searched, options, context);
  for (int search = 0; search < 2; ++search) {
    frontier->clear();
    for (int shares = 1; shares <= 5; ++shares) {
      Bitmap visited = visited_after(shares, world().rank(), partition.local_count());
      frontier->share(visited);
      std::fill(visited.words().begin(), visited.words().end(), ~std::uint64_t{0});
      world().barrier();
      expect_frontier(*frontier, expected_bits(shares, searched, count, partition.code()), options.granularity);
      const Bitmap own = visited_after(shares, world().rank(), partition.local_count());
      ASSERT_TRUE(std::equal(frontier->own().begin(), frontier->own().end(), own.words().begin()));
      world().barrier();  // no rank shares again before all ranks have checked
    }
  }
}

TEST(ReplicatedFrontier, HasWhatEveryRankSharedAndASummaryOfIt) {
  for (const std::size_t granularity : {0U, 64U, 128U, 256U, 512U, 1024U, 2048U, 4096U}) {
    for (const int thread_count : {1, 3}) {
      ThreadTeam threads(thread_count);
      constexpr std::size_t searched = std::size_t{64} * 141;  // whole words, as the leaves of searches begin
      expect_shares(local_count, searched, {granularity, {}}, {world(), threads});
    }
  }
}

TEST(ReplicatedFrontier, IsTheSameHoweverItIsReplicated) {
  for (const int thread_count : {1, 3}) {
    ThreadTeam threads(thread_count);
    const Context context{world(), threads};
    for (const Replication how : every_replication) {
      for (const int ranks_per_node : {0, 1, 2, 3}) {
        const auto expect_both = [&](const FrontierOptions& options) {
          expect_shares(local_count, std::size_t{64} * 141, options, context);
          expect_shares(small_count, 128, options, context);
        };
        for (const std::size_t granularity : {64U, 512U, 4096U}) expect_both({granularity, {how, ranks_per_node}});
        for (const SharedBits bits : every_shared_bits) expect_both({0, {how, ranks_per_node, bits}});
      }
    }
  }
}

/// Bytes to receivers on the same node and on other nodes.
struct SentBytes {
  std::uint64_t inside_nodes = 0;
  std::uint64_t between_nodes = 0;
};

/// The bytes that all ranks send when each has 1024 words to share.
SentBytes traffic_of(const ReplicationOptions& options) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Partition partition = partition_of_counts([](int) { return std::size_t{65536}; });
  const Traffic mine =
      make_replicated_frontier(partition, 65536, {0, options}, context)->share(Bitmap(partition.local_count()));
  const std::uint64_t between_nodes = world().all_reduce(*mine.bytes_between_nodes, Reduction::sum);
  return {world().all_reduce(mine.bytes, Reduction::sum) - between_nodes, between_nodes};
}

TEST(ReplicatedFrontier, SendsWhatTheFormulasSay) {
  const auto ranks = static_cast<std::uint64_t>(world().size());
  constexpr std::uint64_t part = 8192;
  const std::uint64_t whole = part * ranks;
  for (const std::uint64_t ranks_per_node : {1U, 2U, 3U, 8U}) {
    const auto traffic = [&](Replication how) { return traffic_of({how, static_cast<int>(ranks_per_node)}); };
    const std::uint64_t nodes = (ranks + ranks_per_node - 1) / ranks_per_node;
    const SentBytes all = traffic(Replication::allgather);
    EXPECT_EQ(all.inside_nodes + all.between_nodes, whole * (ranks - 1)) << "Cui et al. 2012, equation 1";
    if (ranks % ranks_per_node == 0) {
      EXPECT_EQ(all.between_nodes, whole * (ranks - ranks_per_node));
    }
    for (const Replication how :
         {Replication::leader, Replication::shared_in, Replication::shared, Replication::subgroups}) {
      if (ranks > 1) {
        EXPECT_EQ(traffic(how).between_nodes, whole * (nodes - 1)) << "equation 2";
      }
    }
    const std::uint64_t gathered = part * (ranks - nodes);
    const std::uint64_t broadcast = whole * (ranks - nodes);
    EXPECT_EQ(traffic(Replication::leader).inside_nodes, gathered + broadcast);
    EXPECT_EQ(traffic(Replication::shared_in).inside_nodes, gathered);
    EXPECT_EQ(traffic(Replication::shared).inside_nodes, 0U);
    EXPECT_EQ(traffic(Replication::subgroups).inside_nodes, 0U);
  }
}

TEST(ReplicatedFrontier, IsOnceOnANode) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Partition partition = partition_of_counts(local_count);
  const std::uint64_t bitmap_bytes = partition.code().bound() / 8;
  const std::uint64_t packed_bytes = 8 * world().all_reduce(words_for_bits(partition.local_count()), Reduction::sum);
  for (const int ranks_per_node : {1, 2, 3}) {
    const auto nodes = static_cast<std::uint64_t>((world().size() + ranks_per_node - 1) / ranks_per_node);
    const auto sharing_ranks = static_cast<std::uint64_t>(world().size()) - nodes;
    for (const Replication how : every_replication) {
      for (const SharedBits bits : {SharedBits::all, SharedBits::unvisited}) {
        const auto frontier = make_replicated_frontier(partition, 1 << 20, {0, {how, ranks_per_node, bits}}, context);
        const std::uint64_t counted_twice = world().all_reduce(frontier->bytes_counted_elsewhere(), Reduction::sum);
        const std::uint64_t bytes_per_node = bitmap_bytes + (bits == SharedBits::unvisited ? packed_bytes : 0);
        EXPECT_EQ(counted_twice, shares_in_queues(how) ? sharing_ranks * bytes_per_node : 0U);
      }
    }
  }
}

/// Run once more with an MPI library that is told not to use shared windows (CMakeLists.txt).
TEST(ReplicatedFrontier, SaysSoWhereThereIsNoMemoryToShare) {
  if (std::getenv("TEST_NO_SHARED_MEMORY") == nullptr) GTEST_SKIP() << "there is shared memory";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Partition partition = partition_of_counts(local_count);
  for (const Replication how : every_replication) {
    const auto make = [&](int ranks_per_node) {
      (void)make_replicated_frontier(partition, 1 << 20, {64, {how, ranks_per_node}}, context);
    };
    EXPECT_NO_THROW(make(1)) << "a node of one rank needs no shared memory";
    if (how == Replication::allgather || how == Replication::leader) {
      EXPECT_NO_THROW(make(0));
    } else {
      EXPECT_THROW(make(0), AgreedError);
      EXPECT_THROW(make(2), AgreedError) << "also on the last node, which has one rank";
    }
  }
}

TEST(ReplicatedFrontier, SendsBitsOfUnvisitedVerticesAlone) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const Partition partition = partition_of_counts([](int) { return std::size_t{8192}; });
  const auto ranks = static_cast<std::uint64_t>(world().size());
  for (const SharedBits bits : every_shared_bits) {
    for (const int ranks_per_node : {1, 64}) {
      const FrontierOptions options{0, {Replication::allgather, ranks_per_node, bits}};
      const auto frontier = make_replicated_frontier(partition, 8192, options, context);
      const bool packs = bits == SharedBits::unvisited || (bits == SharedBits::automatic && ranks_per_node == 1);
      for (int search = 0; search < 2; ++search) {
        frontier->clear();
        Bitmap visited(partition.local_count() + 1);
        const auto expect_words = [&](std::uint64_t words) {
          EXPECT_EQ(frontier->share(visited).bytes, 8 * words * (ranks - 1));
          world().barrier();
        };
        expect_words(128);
        for (std::size_t i = 0; i < 100; ++i) visited.insert(7 * i);
        expect_words(128);
        expect_words(packs ? 127 : 128);  // 100 bits fewer of 8192
        for (std::size_t i = 0; i < 8192; ++i) visited.insert(i);
        expect_words(packs ? 127 : 128);
        expect_words(packs ? 0 : 128);
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
  const auto whole = make_replicated_frontier(partition, 8192, {0, {.bits = SharedBits::all}}, context);
  EXPECT_EQ(whole->share(visited).bytes, 8192 / 8 * others);
  for (const std::size_t granularity : {64U, 512U, 4096U}) {
    Bitmap bits(partition.local_count() + 1);
    const auto frontier = make_replicated_frontier(partition, 8192, {granularity, {}}, context);
    frontier->clear();
    const std::uint64_t which = words_for_bits(8192 / granularity) * 8;
    EXPECT_EQ(frontier->share(bits).bytes, which * others);
    bits.insert(17);
    bits.insert(18);
    EXPECT_EQ(frontier->share(bits).bytes, (which + granularity / 8) * others);
    EXPECT_EQ(frontier->share(bits).bytes, which * others);
    bits.insert(19);
    bits.insert(8191);
    EXPECT_EQ(frontier->share(bits).bytes, (which + 2 * granularity / 8) * others);
  }
}

TEST(FrontierBytes, AreOfOneBitmapANodeWhereItIsShared) {
  constexpr std::uint64_t bitmap = 1 << 20;
  constexpr std::uint64_t parts = 700000;
  const auto bytes = [](Replication how, std::uint64_t granularity) {
    return frontier_bytes(bitmap, parts, 8, {how, 2, granularity, SharedBits::all});
  };
  for (const Replication how : {Replication::allgather, Replication::leader}) {
    EXPECT_EQ(bytes(how, 0), 8 * bitmap);
    EXPECT_EQ(bytes(how, 64), 8 * (bitmap + parts + 2 * bitmap / 64));
  }
  EXPECT_EQ(frontier_bytes(bitmap, parts, 8, {.holding = FrontierHolding::asked}), 2 * parts);
  EXPECT_EQ(frontier_bytes(bitmap, parts, 8, {.holding = FrontierHolding::per_subgraph}), bitmap + parts);
  for (const Replication how : test::every_replication) {
    const std::uint64_t parts_apart = how == Replication::shared_in ? parts : 0;
    const std::uint64_t packed = frontier_bytes(bitmap, parts, 8, {how, 2, 0, SharedBits::unvisited});
    EXPECT_EQ(packed - bytes(how, 0), (shares_in_queues(how) ? 2 : 8) * parts + parts_apart);
    EXPECT_EQ(frontier_bytes(bitmap, parts, 8, {how, 2}), packed);
    EXPECT_EQ(frontier_bytes(bitmap, parts, 8, {how, 1}),
              frontier_bytes(bitmap, parts, 8, {how, 1, 0, SharedBits::all}));
    EXPECT_EQ(frontier_bytes(bitmap, parts, 1, {how}), frontier_bytes(bitmap, parts, 1, {how, 1, 0, SharedBits::all}));
  }
  EXPECT_EQ(bytes(Replication::shared_in, 0), 2 * bitmap + parts);
  EXPECT_EQ(bytes(Replication::shared_in, 64), 2 * (bitmap + parts) + 2 * parts + 8 * 2 * bitmap / 64);
  for (const Replication how : {Replication::shared, Replication::subgroups}) {
    EXPECT_EQ(bytes(how, 0), 2 * bitmap);
    EXPECT_EQ(bytes(how, 64), 2 * (bitmap + parts + 2 * bitmap / 64));
  }
}

}  // namespace
}  // namespace breadth
