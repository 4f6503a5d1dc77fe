#include "comm/communicator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collective_checks.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

TEST(Communicator, NumbersItsRanks) {
  EXPECT_GE(world().rank(), 0);
  EXPECT_LT(world().rank(), world().size());
}

TEST(Communicator, Reduces) { test::check_reductions(world()); }
TEST(Communicator, DealsOutWhatItReduces) {
  test::check_reduce_scatters<std::uint32_t>(world());
  test::check_reduce_scatters<std::uint64_t>(world());
}
TEST(Communicator, ReducesMeanwhile) { test::check_pending_unions(world()); }
TEST(Communicator, Broadcasts) { test::check_broadcasts(world()); }
TEST(Communicator, GathersFromAll) { test::check_all_gathers(world()); }
TEST(Communicator, ExchangesBetweenAll) { test::check_all_to_alls(world()); }

TEST(Communicator, CarriesPlainStructures) {
  struct Message {
    std::uint32_t vertex;
    std::uint16_t level;
    bool operator==(const Message&) const = default;
  };
  const Message mine{static_cast<std::uint32_t>(world().rank()), 7};
  const std::vector<Message> all = world().all_gather(mine);
  for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], (Message{static_cast<std::uint32_t>(r), 7}));
}

TEST(Communicator, CarriesNothingAtAll) {
  const auto size = static_cast<std::size_t>(world().size());
  const std::vector<std::size_t> zeros(size);
  const Received<double> received = world().all_to_all(std::span<const double>(), zeros);
  EXPECT_TRUE(received.values.empty());
  EXPECT_EQ(received.counts, zeros);
  EXPECT_TRUE(world().all_gather_varying(std::span<const double>()).empty());
  world().all_gather(std::span<const double>(), std::span<double>(), zeros);
  world().broadcast(std::span<int>(), 0);
  world().all_reduce(std::span<double>(), Reduction::sum);
  EXPECT_EQ(world().broadcast(std::string(), world().size() - 1), "");
}

TEST(Communicator, CopiesNameTheSameGroup) {
  const Communicator copy = world();
  EXPECT_EQ(copy.rank(), world().rank());
  EXPECT_EQ(copy.size(), world().size());
  test::check_reductions(copy);
}

TEST(Communicator, NodeHoldsTheRanksOfThisMachine) {
  const Communicator node = world().node();
  EXPECT_GE(node.size(), 1);
  EXPECT_LE(node.size(), world().size());
  const std::vector<int> members = node.all_gather(world().rank());
  EXPECT_TRUE(std::is_sorted(members.begin(), members.end())) << "members are in the order of the world's ranks";
  EXPECT_EQ(members[static_cast<std::size_t>(node.rank())], world().rank());
  test::check_all_collectives(node);
}

TEST(MessagePassing, NamesItsLibrary) {
  EXPECT_FALSE(MessagePassing::library().empty());
  EXPECT_EQ(MessagePassing::library().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace breadth
