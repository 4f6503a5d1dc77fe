#include "comm/routes/route.hpp"

namespace breadth {

namespace {
/// hop(at, destination) is the rank to hand a message to; asked only of ways that begin or end at `rank`. What one hop
/// leads to is told by one hop too, so peers are those that are one away, seen from either end.
template <class Hop>
Route route_of(const Groups& groups, int rank, int hops, Hop&& hop) {
  Route route{.hops = groups.count() > 1 && groups.largest() > 1 ? hops : 1, .next = {}, .crosses = {}};
  for (int other = 0; other < groups.ranks(); ++other) {
    const int next = other == rank ? rank : hop(rank, other);
    route.next.push_back(next);
    route.crosses.push_back(groups.of(next) != groups.of(rank));
    if (other != rank && (next == other || hop(other, rank) == rank)) route.peers.push_back(other);
  }
  return route;
}
}  // namespace

Route local_route(const Groups& groups, int rank) {
  return route_of(groups, rank, 2, [&groups](int at, int destination) {
    if (groups.of(at) == groups.of(destination)) return destination;
    const auto members = groups.members(groups.of(at));
    const int forwarder = members[groups.lane(destination) % members.size()];
    return forwarder == at ? destination : forwarder;
  });
}

Route monitored_route(const Groups& groups, MonitorPolicy policy, std::span<const HeavyShare> shares, int rank) {
  const std::size_t own = groups.of(rank);
  const std::vector<int> here = monitors_of(policy, groups, shares, own);
  std::vector<int> there;  // of each group, for the own one
  for (std::size_t group = 0; group < groups.count(); ++group) {
    there.push_back(monitors_of(policy, groups, shares, group)[own]);
  }
  return route_of(groups, rank, 3, [&](int at, int destination) {
    const std::size_t from = groups.of(at);
    const std::size_t to = groups.of(destination);
    if (from == to) return destination;
    const int monitor = from == own ? here[to] : there[from];
    const int mirror = from == own ? there[to] : here[from];
    return at == monitor ? mirror : monitor;
  });
}

}  // namespace breadth
