// Nodes, their lanes and their shared memory, on real nodes and on simulated ones.
#include "comm/nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "collective_checks.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

const auto own_rank = [] { return static_cast<std::size_t>(world().rank()); };
const auto rank_count = [] { return static_cast<std::size_t>(world().size()); };

TEST(Nodes, AreTheMachinesByDefault) {
  const Nodes nodes(world());
  const Communicator machine = world().node();
  EXPECT_EQ(nodes.node().size(), machine.size());
  EXPECT_EQ(nodes.node().rank(), machine.rank());
  EXPECT_EQ(nodes.members(nodes.own()).size(), static_cast<std::size_t>(machine.size()));
}

TEST(Nodes, MayBeMadeUp) {  // because tests run on one machine
  for (const std::size_t ranks_per_node : {1U, 2U, 3U, 100U}) {
    const Nodes nodes(world(), static_cast<int>(ranks_per_node));
    ASSERT_EQ(nodes.count(), (rank_count() + ranks_per_node - 1) / ranks_per_node);
    EXPECT_EQ(nodes.own(), own_rank() / ranks_per_node);
    EXPECT_EQ(nodes.leads(), own_rank() % ranks_per_node == 0);
    EXPECT_EQ(nodes.largest(), std::min(ranks_per_node, rank_count()));
    EXPECT_EQ(nodes.smallest(), rank_count() - (nodes.count() - 1) * ranks_per_node);
    std::size_t next = 0;
    for (std::size_t node = 0; node < nodes.count(); ++node) {
      for (const std::size_t rank : nodes.members(node)) {
        EXPECT_EQ(rank, next++);
        EXPECT_EQ(nodes.here(rank), node == nodes.own());
      }
    }
    EXPECT_EQ(next, rank_count());
    test::check_all_collectives(nodes.node());
  }
}

TEST(LinkSpeed, IsKnownToAllWhereThereAreSeveralNodes) {
  for (const int ranks_per_node : {1, 2, 100}) {
    const Nodes nodes(world(), ranks_per_node);
    const std::optional<LinkSpeed> links = measure_links(nodes);
    ASSERT_EQ(links.has_value(), nodes.count() > 1);
    if (!links) continue;
    EXPECT_GT(links->round_seconds, 0);
    EXPECT_GT(links->bytes_per_second, 0);
    for (const double number : {links->round_seconds, links->bytes_per_second}) {
      EXPECT_TRUE(std::isfinite(number));
      EXPECT_EQ(world().all_reduce(number, Reduction::minimum), number);
    }
  }
}

TEST(Lanes, OfLeadersAreOneGroupOfAllNodes) {
  for (const int ranks_per_node : {0, 1, 2, 3}) {
    const Nodes nodes(world(), ranks_per_node);
    const std::vector<InterNodeLane> lanes = leader_lanes(nodes);
    ASSERT_EQ(lanes.size(), nodes.leads() ? nodes.largest() : 0);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      EXPECT_EQ(lanes[i].index, i);
      EXPECT_EQ(static_cast<std::size_t>(lanes[i].ranks.size()), nodes.count());
      EXPECT_EQ(static_cast<std::size_t>(lanes[i].ranks.rank()), nodes.own());
    }
    if (!lanes.empty()) test::check_all_collectives(lanes.front().ranks);
  }
}

TEST(Lanes, OfSubgroupsHaveARankOfEachNode) {
  for (const int ranks_per_node : {0, 1, 2, 3}) {
    const Nodes nodes(world(), ranks_per_node);
    std::vector<std::size_t> own_indices;
    for (const InterNodeLane& lane : subgroup_lanes(nodes)) {
      own_indices.push_back(lane.index);
      const std::vector<std::size_t> ranks = lane.ranks.all_gather(own_rank());
      ASSERT_EQ(ranks.size(), nodes.count());
      for (std::size_t node = 0; node < nodes.count(); ++node) {
        EXPECT_EQ(ranks[node], nodes.members(node)[lane.index % nodes.members(node).size()]);
      }
    }
    EXPECT_TRUE(std::is_sorted(own_indices.begin(), own_indices.end()));
    std::vector<std::size_t> indices = nodes.node().all_gather_varying(std::span<const std::size_t>(own_indices));
    std::sort(indices.begin(), indices.end());
    std::vector<std::size_t> every(nodes.largest());
    std::iota(every.begin(), every.end(), std::size_t{0});
    EXPECT_EQ(indices, every) << "each lane of a node belongs to exactly one of its ranks";
  }
}

TEST(Communicator, Splits) {
  const Communicator group = world().split(world().rank() % 2, -world().rank());
  const std::vector<int> members = group.all_gather(world().rank());
  EXPECT_EQ(members.size(), (rank_count() + (world().rank() % 2 == 0 ? 1 : 0)) / 2);
  EXPECT_TRUE(std::is_sorted(members.rbegin(), members.rend()));
  for (const int rank : members) EXPECT_EQ(rank % 2, world().rank() % 2);
  test::check_all_collectives(group);
}

TEST(SharedBuffer, IsOneArrayOfAllItsRanks) {
  for (const int ranks_per_node : {0, 1, 2, 3}) {
    const Nodes nodes(world(), ranks_per_node);
    const auto sharers = static_cast<std::size_t>(nodes.node().size());
    const auto share = static_cast<std::size_t>(nodes.node().rank());
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{1} << 18}) {
      SharedBuffer<std::uint64_t> buffer(nodes.node(), size);
      ASSERT_EQ(buffer.size(), size);
      EXPECT_EQ(std::count(buffer.span().begin(), buffer.span().end(), 0U), static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.span().data()) % alignof(std::uint64_t), 0U);
      buffer.barrier();
      for (std::uint64_t round = 1; round <= 20; ++round) {
        for (std::size_t i = share; i < size; i += sharers) buffer.span()[i] = round * 1000 + i + own_rank() - share;
        buffer.barrier();
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_EQ(buffer.span()[i], round * 1000 + i + nodes.members(nodes.own()).front());
        }
        buffer.barrier();
      }
      for (std::uint64_t& value : buffer.share()) value = 7;
      buffer.barrier();
      EXPECT_EQ(std::count(buffer.span().begin(), buffer.span().end(), 7U), static_cast<std::ptrdiff_t>(size))
          << "the shares cover the whole buffer";
    }
  }
}

TEST(SharedBuffer, IsNotSharedBetweenNodes) {
  const Nodes nodes(world(), 1);
  SharedBuffer<int> buffer(nodes.node(), 3);
  buffer.span()[1] = world().rank() + 5;
  world().barrier();
  EXPECT_EQ(buffer.span()[1], world().rank() + 5);
  EXPECT_EQ(buffer.span()[0], 0);
}

TEST(SharedBuffer, Moves) {
  const Communicator node = world().node();
  SharedBuffer<int> first(node, 10);
  if (node.rank() == 0) first.span()[9] = 4;
  SharedBuffer<int> second(std::move(first));
  second.barrier();
  EXPECT_EQ(second.span()[9], 4);
}

}  // namespace
}  // namespace breadth
