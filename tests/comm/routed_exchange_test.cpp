#include "comm/routes/routed_exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "core/errors.hpp"
#include "message_storm.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

RoutedExchange::Make mailboxes(const Route& route, Termination termination = Termination::marks) {
  return [peers = route.peers, termination](std::size_t message_bytes, MessageExchange::Handler handler) {
    return std::make_unique<Mailbox>(world(), message_bytes, std::move(handler), peers, termination);
  };
}
RoutedExchange::Make in_bulk(std::size_t round_bytes) {
  return [round_bytes](std::size_t message_bytes, MessageExchange::Handler handler) {
    return std::make_unique<BulkExchange>(world(), message_bytes, std::move(handler), round_bytes);
  };
}

/// Every grouping of the ranks that may be a special case: one group, groups of one, of two, of three, and one group
/// that is larger than the others.
std::vector<Groups> groupings_of_the_ranks() {
  std::vector<int> uneven(static_cast<std::size_t>(world().size()), 0);
  if (uneven.size() > 2) uneven[1] = uneven.back() = 1;
  return {groups_of_size(world().size(), world().size()), groups_of_size(world().size(), 1),
          groups_of_size(world().size(), 2), groups_of_size(world().size(), 3), Groups(uneven)};
}

std::vector<Route> every_route(const Groups& groups) {
  std::vector<HeavyShare> shares(static_cast<std::size_t>(world().size()));
  for (std::size_t rank = 0; rank < shares.size(); rank += 2) shares[rank] = {3 * rank + 1, 1000 - rank};
  std::vector<Route> routes;
  for (const RouteKind& kind : route_kinds()) {
    for (const MonitorPolicy monitors : {MonitorPolicy::random, MonitorPolicy::heaviest, MonitorPolicy::orchestra}) {
      const bool other = kind.monitors || monitors == MonitorPolicy::random;  // without monitors one policy is enough
      if (kind.make != nullptr && other) routes.push_back(kind.make({groups, world().rank(), monitors, shares}));
    }
  }
  return routes;
}

/// Checks that messages arrive once, in order, and with the right source.
void expect_all_arrive(test::Storm storm, bool check_each_superstep) {
  storm.straight = false;
  for (const Groups& groups : groupings_of_the_ranks()) {
    for (const Route& route : every_route(groups)) {
      for (const auto& carrier : {mailboxes(route), mailboxes(route, Termination::consensus),
                                  mailboxes(route, Termination::counts), in_bulk(200)}) {
        test::expect_all_arrive(
            storm, check_each_superstep, [&](std::size_t message_bytes, MessageExchange::Handler handler) {
              return std::make_unique<RoutedExchange>(world(), route, message_bytes, carrier, std::move(handler));
            });
      }
    }
  }
}

TEST(RoutedExchange, DeliversStormsOfSmallMessages) { expect_all_arrive({40, 500, 4, false}, true); }
TEST(RoutedExchange, DeliversWhilePolling) { expect_all_arrive({64, 500, 4, true}, true); }
// Larger than MPI's eager limit: the receiver must consent first.
TEST(RoutedExchange, DeliversLargeMessages) { expect_all_arrive({std::size_t{64} << 10, 20, 2, true}, true); }
TEST(RoutedExchange, DeliversSuperstepsBackToBack) { expect_all_arrive({32, 20, 10, false}, false); }

/// Every rank sends one message of 8 bytes to every other. Returns the traffic of all ranks.
SentTraffic sent_by_all(const Route& route, std::size_t message_bytes, std::vector<SentTraffic>& own) {
  std::size_t received = 0;
  RoutedExchange exchange(world(), route, message_bytes, mailboxes(route),
                          [&](int, std::span<std::byte> message) { received += message.size(); });
  for (int other = 0; other < world().size(); ++other) {
    if (other != world().rank()) exchange.send(other, std::vector<std::byte>(8));
  }
  exchange.finish();
  EXPECT_EQ(received, 8U * static_cast<std::size_t>(world().size() - 1));
  own.assign(exchange.sent().begin(), exchange.sent().end());
  std::uint64_t sums[] = {exchange.messages(), exchange.bytes()};
  world().all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
  return {sums[0], sums[1]};
}

// Four ranks in groups of two. With lanes, rank 0 sends rank 1 its own message and the one for rank 3; then it sends
// rank 2 its own message and rank 1's.
TEST(RoutedExchange, PacksWhatHasTheSameWay) {
  if (world().size() != 4) GTEST_SKIP() << "the expected counts are for four ranks";
  const Groups groups = groups_of_size(4, 2);
  std::vector<SentTraffic> own;
  EXPECT_EQ(sent_by_all(local_route(groups, world().rank()), 32, own), (SentTraffic{8, 8 * 48}));
  const auto mate = static_cast<std::size_t>(world().rank() ^ 1);
  const auto across = static_cast<std::size_t>(world().rank() ^ 2);
  EXPECT_EQ(own[mate], (SentTraffic{1, 48}));
  EXPECT_EQ(own[across], (SentTraffic{1, 48}));
  // Messages that fill a packet are not packed with others.
  EXPECT_EQ(sent_by_all(local_route(groups, world().rank()), 8, own), (SentTraffic{16, 16 * 24}));
  // Ranks 0 and 2 are monitors. Rank 1 sends three messages to rank 0. Rank 0 sends rank 2 its own two messages and two
  // of rank 1, and sends rank 1 first its own message, then those of ranks 2 and 3.
  std::vector<HeavyShare> shares(4);
  shares[0] = shares[2] = {1, 100};
  const Route route = monitored_route(groups, MonitorPolicy::heaviest, shares, world().rank());
  const SentTraffic all = sent_by_all(route, 1024, own);
  EXPECT_EQ(all, (SentTraffic{2 * 4, 2 * (3 + 4 + 1 + 2) * 24}));
  if (world().rank() == 0) {
    EXPECT_EQ(own, (std::vector<SentTraffic>{{}, {2, 3 * 24}, {1, 4 * 24}, {}}));
  } else if (world().rank() == 1) {
    EXPECT_EQ(own, (std::vector<SentTraffic>{{1, 3 * 24}, {}, {}, {}}));
  }
}

TEST(RoutedExchange, RefusesWhatItCannotDeliver) {
  const Route route = local_route(groups_of_size(world().size(), 2), world().rank());
  RoutedExchange exchange(world(), route, 8, mailboxes(route), [](int, std::span<std::byte>) {});
  const std::vector<std::byte> message(9);
  const int next = (world().rank() + 1) % world().size();
  EXPECT_THROW(exchange.send(next, message), Error) << "larger than declared";
  EXPECT_THROW(exchange.send(next, {}), Error) << "empty";
  EXPECT_THROW(exchange.send(world().rank(), std::span(message).first(1)), Error) << "to itself";
  EXPECT_THROW(exchange.send(world().size(), std::span(message).first(1)), Error);
  exchange.finish();
  EXPECT_EQ(exchange.messages(), 0U);
}

TEST(RoutedExchange, KnowsAMessageThatHasNotArrived) {
  if (world().size() < 3) GTEST_SKIP() << "nobody stands between two ranks";
  // Rank 0's messages for rank 2 go to rank 1, for which there is no second hop.
  Route route = local_route(groups_of_size(world().size(), 1), world().rank());
  if (world().rank() == 0) route.next[2] = 1;
  RoutedExchange exchange(world(), route, 8, mailboxes(route), [](int, std::span<std::byte>) {});
  if (world().rank() == 0) exchange.send(2, std::vector<std::byte>(8));
  if (world().rank() == 1) {
    EXPECT_THROW(exchange.finish(), Error);
  } else {
    exchange.finish();
  }
}

/// An exchange that hands over one message that no rank sent. If a real message were refused, others would stay
/// unreceived and disturb the next user of the communicator.
class ForgedMessage final : public MessageExchange {
 public:
  explicit ForgedMessage(Handler handler) : handler_(std::move(handler)) {}
  void send(int, std::span<const std::byte>) override {}
  void poll() override {}
  void finish() override {
    std::vector<std::byte> message(20, std::byte{0xFF});
    handler_(0, message);
  }

 private:
  Handler handler_;
};

TEST(RoutedExchange, RefusesAnAddressThatNobodyWrote) {
  const Route route = local_route(groups_of_size(world().size(), 1), world().rank());
  const auto make = [](std::size_t, MessageExchange::Handler handler) {
    return std::make_unique<ForgedMessage>(std::move(handler));
  };
  RoutedExchange exchange(world(), route, 8, make, [](int, std::span<std::byte>) {});
  EXPECT_THROW(exchange.finish(), Error);
}

/// A combiner that never passes on what was added.
class MeanCombiner final : public MessageCombiner {
 public:
  void add(int, std::span<std::byte>) override {}
  void drain(const Emit&) override {}
  [[nodiscard]] bool empty() const override { return false; }
};

TEST(RoutedExchange, KnowsAMessageThatIsStillToBeCombined) {
  const Route route = local_route(groups_of_size(world().size(), 2), world().rank());
  RoutedExchange exchange(
      world(), route, 8, mailboxes(route), [](int, std::span<std::byte>) {}, std::make_unique<MeanCombiner>());
  EXPECT_THROW(exchange.finish(), Error);
}

}  // namespace
}  // namespace breadth
