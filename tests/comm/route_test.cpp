// Routes as pure functions: every message arrives, in as few hops as promised, through the ranks that should forward
// it.
#include "comm/routes/routed_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace breadth {
namespace {

using Names = std::vector<int>;

/// Groups of every shape: one group, groups of one rank, equal, uneven, interleaved, and of a prime number of ranks.
const std::vector<Names>& every_grouping() {
  static const std::vector<Names> groupings = {{0},
                                               {0, 0},
                                               {0, 1},
                                               {5, 5, 5, 5, 5},
                                               {4, 3, 2, 1, 0},
                                               {0, 0, 1, 1},
                                               {0, 0, 0, 0, 1, 2, 2},
                                               {0, 1, 0, 1, 2, 0, 1},
                                               {7, 7, 7, 7, -1, -1, -1, -1, 3, 3, 3, 3, 9}};
  return groupings;
}

/// Heavy vertices on some ranks; some groups have none.
std::vector<HeavyShare> some_shares(std::size_t ranks) {
  std::vector<HeavyShare> shares(ranks);
  for (std::size_t rank = 0; rank < ranks / 2; ++rank) shares[rank] = {rank * 7 % 5, rank * 11 % 300};
  return shares;
}

/// Whether the hops are a subsequence of the schedule.
bool in_time(const std::vector<Hop>& hops, const std::vector<Hop>& schedule) {
  auto next = schedule.begin();
  return std::all_of(hops.begin(), hops.end(), [&](Hop hop) {
    next = std::find(next, schedule.end(), hop);
    return next != schedule.end() && next++ != schedule.end();
  });
}

/// Follows every message over the routes of all ranks. Checks that its hops follow the order of the schedule, that all
/// messages of one group to one receiver leave the group through the same member, that a message takes no more hops
/// inside groups than its row of route_kinds() says, and that, with groups of one size, it crosses between groups once
/// on average.
void expect_ways(const Groups& groups, const RouteKind& kind, const std::vector<Route>& routes) {
  const int ranks = groups.ranks();
  std::vector<std::set<int>> talked(routes.size());
  std::map<std::pair<std::size_t, int>, std::set<int>> exits;  // by group and by receiver in another group
  int all_crossings = 0;
  int all_across = 0;
  for (int source = 0; source < ranks; ++source) {
    for (int destination = 0; destination < ranks; ++destination) {
      if (source == destination) continue;
      std::vector<Hop> hops;
      for (int at = source; at != destination;) {
        ASSERT_LT(hops.size(), routes[0].hops.size()) << source << " to " << destination;
        const Route& route = routes[static_cast<std::size_t>(at)];
        const int next = route.next[static_cast<std::size_t>(destination)];
        ASSERT_NE(next, at);
        const bool crosses = groups.of(at) != groups.of(next);
        EXPECT_EQ(route.crosses(static_cast<std::size_t>(destination)), crosses);
        hops.push_back(crosses ? Hop::across : Hop::inside);
        if (crosses) exits[{groups.of(at), destination}].insert(at);
        talked[static_cast<std::size_t>(at)].insert(next);
        talked[static_cast<std::size_t>(next)].insert(at);
        at = next;
      }
      const bool across = groups.of(source) != groups.of(destination);
      const auto crossings = static_cast<int>(std::count(hops.begin(), hops.end(), Hop::across));
      EXPECT_EQ(crossings > 0, across);
      EXPECT_LE(static_cast<int>(hops.size()) - crossings, across ? kind.hops_inside : 1);
      EXPECT_TRUE(in_time(hops, routes[0].hops));
      all_crossings += crossings;
      all_across += across ? 1 : 0;
    }
  }
  if (all_across > 0 && groups.largest() * groups.count() == routes.size()) {
    EXPECT_EQ(all_crossings, all_across);
  }
  for (const auto& [ends, members] : exits) EXPECT_EQ(members.size(), 1U) << "from a group to rank " << ends.second;
  for (std::size_t rank = 0; rank < routes.size(); ++rank) {
    EXPECT_EQ(routes[rank].hops, routes[0].hops);
    EXPECT_TRUE(
        std::includes(routes[rank].peers.begin(), routes[rank].peers.end(), talked[rank].begin(), talked[rank].end()));
    for (const int peer : routes[rank].peers) {
      const std::vector<int>& back = routes[static_cast<std::size_t>(peer)].peers;
      EXPECT_EQ(std::count(back.begin(), back.end(), static_cast<int>(rank)), 1) << "peers are mutual";
    }
  }
}

template <class Make>
std::vector<Route> all_routes(const Groups& groups, Make&& make) {
  std::vector<Route> routes;
  for (int rank = 0; rank < groups.ranks(); ++rank) routes.push_back(make(rank));
  return routes;
}

TEST(Route, LeadsEverywhere) {
  for (const RouteKind& kind : route_kinds()) {
    if (kind.make == nullptr) continue;
    for (const Names& names : every_grouping()) {
      const Groups groups(names);
      const std::vector<HeavyShare> shares = some_shares(names.size());
      for (const MonitorPolicy monitors : {MonitorPolicy::random, MonitorPolicy::heaviest, MonitorPolicy::orchestra}) {
        SCOPED_TRACE(kind.meaning);
        expect_ways(groups, kind, all_routes(groups, [&](int rank) {
                      return kind.make({groups, rank, monitors, shares});
                    }));
      }
    }
  }
}

TEST(Route, HasARowForEachWord) {
  ASSERT_EQ(route_kinds().size(), words_of(RoutePolicy{}).size());
  for (std::size_t i = 0; i < route_kinds().size(); ++i) {
    const RoutePolicy policy = words_of(RoutePolicy{})[i].value;
    EXPECT_EQ(route_kinds()[i].policy, policy);
    EXPECT_EQ(&kind_of(policy), &route_kinds()[i]);
  }
}

// Groups {0, 1, 2} and {3, 4}: lanes 0, 1, 2 and 0, 1.
TEST(Route, TakesTheLaneOfTheReceiver) {
  const Groups groups(Names{0, 0, 0, 1, 1});
  EXPECT_EQ(local_route(groups, 0).next, (Names{0, 1, 2, 3, 1}));
  EXPECT_EQ(local_route(groups, 1).next, (Names{0, 1, 2, 0, 4}));
  EXPECT_EQ(local_route(groups, 2).next, (Names{0, 1, 2, 0, 1}));
  EXPECT_EQ(local_route(groups, 3).next, (Names{0, 4, 2, 3, 4})) << "rank 2's lane modulo 2 is rank 3's lane";
  EXPECT_EQ(local_route(groups, 4).next, (Names{3, 1, 3, 3, 4}));
  EXPECT_EQ(local_route(groups, 2).peers, (Names{0, 1, 3})) << "rank 2 never sends to rank 3, but receives from it";
  EXPECT_EQ(local_route(groups, 0).hops, (std::vector{Hop::inside, Hop::across}));
  EXPECT_EQ(local_route(Groups(Names{0, 1, 2}), 0).hops, std::vector{Hop::across});
  EXPECT_EQ(local_route(Groups(Names{0, 0, 0}), 0).hops, std::vector{Hop::inside});
}

// p ranks in groups of g: p (p - g) / g pairs of ranks communicate between groups, instead of p (p - g) (Pan et al.
// 2018, section V-B).
TEST(Route, MakesFewerPairsByLanes) {
  const Groups groups = groups_of_size(12, 3);
  for (int rank = 0; rank < 12; ++rank) {
    const Route route = local_route(groups, rank);
    const auto outside = std::count_if(route.peers.begin(), route.peers.end(),
                                       [&](int peer) { return groups.of(peer) != groups.of(rank); });
    EXPECT_EQ(outside, 3);
  }
}

// Fig. 9a of Gan & Zhang 2021: groups of four, A is each group's monitor. C0 and D0 send to A1 through A0.
TEST(Route, GoesByMirrorGroups) {
  const Groups groups = groups_of_size(12, 4);
  std::vector<HeavyShare> shares(12);
  for (const std::size_t a : {0U, 4U, 8U}) shares[a] = {1, 200};
  const auto next = [&](int rank, std::size_t destination) {
    return monitored_route(groups, MonitorPolicy::orchestra, shares, rank).next[destination];
  };
  EXPECT_EQ(next(2, 4), 0);
  EXPECT_EQ(next(3, 4), 0);
  EXPECT_EQ(next(3, 8), 0);
  EXPECT_EQ(next(0, 4), 4);
  EXPECT_EQ(next(0, 7), 4) << "to the other group's monitor, which forwards inside its group";
  EXPECT_EQ(next(4, 7), 7);
  EXPECT_EQ(next(3, 1), 1) << "directly inside a group";
  EXPECT_EQ(monitored_route(groups, MonitorPolicy::orchestra, shares, 0).hops,
            (std::vector{Hop::inside, Hop::across, Hop::inside}));
  EXPECT_EQ(monitored_route(groups, MonitorPolicy::orchestra, shares, 1).peers, (Names{0, 2, 3}));
  EXPECT_EQ(monitored_route(groups, MonitorPolicy::orchestra, shares, 4).peers, (Names{0, 5, 6, 7, 8}));
}

TEST(Monitors, AreVotedForByHeavyVertices) {
  // Nine groups; the first is {0, 1, 2, 3} with 6, 0, 2 and 0 heavy vertices, the heaviest on rank 2.
  Names names{0, 0, 0, 0};
  for (int group = 1; group < 9; ++group) names.push_back(group);
  const Groups groups(names);
  std::vector<HeavyShare> shares(names.size());
  shares[0] = {6, 150};
  shares[1] = {0, 99};
  shares[2] = {2, 900};
  const auto of = [&](MonitorPolicy policy) { return monitors_of(policy, groups, shares, 0); };
  EXPECT_EQ(of(MonitorPolicy::heaviest), (Names{-1, 2, 2, 2, 2, 2, 2, 2, 2}));
  const Names orchestra = of(MonitorPolicy::orchestra);
  EXPECT_EQ(std::count(orchestra.begin(), orchestra.end(), 0), 6) << "votes in proportion, 6 to 2";
  EXPECT_EQ(std::count(orchestra.begin(), orchestra.end(), 2), 2);
  const Names random = of(MonitorPolicy::random);
  EXPECT_EQ(std::count(random.begin(), random.end(), 0) + std::count(random.begin(), random.end(), 2), 8);
  EXPECT_EQ(random, of(MonitorPolicy::random));
  EXPECT_EQ(random[0], -1);
  // Without heavy vertices all members are voted for equally.
  const Names equals = monitors_of(MonitorPolicy::orchestra, groups, std::vector<HeavyShare>(names.size()), 0);
  for (const int rank : {0, 1, 2, 3}) EXPECT_EQ(std::count(equals.begin(), equals.end(), rank), 2);
}

TEST(Groups, AreNumberedByTheirFirstRanks) {
  const Groups groups(Names{9, -4, 9, 0, -4});
  EXPECT_EQ(groups.count(), 3U);
  EXPECT_EQ(groups.largest(), 2U);
  EXPECT_EQ(groups.ranks(), 5);
  EXPECT_EQ(groups.of(4), 1U);
  EXPECT_EQ(groups.lane(4), 1U);
  EXPECT_EQ(Names(groups.members(0).begin(), groups.members(0).end()), (Names{0, 2}));
  EXPECT_EQ(groups_of_size(7, 3).count(), 3U);
  EXPECT_EQ(groups_of_size(7, 3).members(2).size(), 1U);
}

}  // namespace
}  // namespace breadth
