#include "comm/routes/network.hpp"

#include <algorithm>
#include <map>

namespace breadth {

// Which ranks are near each other.

Groups::Groups(std::span<const int> names) {
  std::map<int, std::size_t> numbers;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    const std::size_t group = numbers.try_emplace(names[rank], numbers.size()).first->second;
    if (group == members_.size()) members_.emplace_back();
    group_of_.push_back(group);
    lane_.push_back(members_[group].size());
    members_[group].push_back(static_cast<int>(rank));
    largest_ = std::max(largest_, members_[group].size());
  }
}

Groups groups_of_size(int ranks, int size) {
  std::vector<int> names;
  names.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) names.push_back(rank / size);
  return Groups(names);
}

Groups groups_of_nodes(const Nodes& nodes) {
  std::vector<int> names(static_cast<std::size_t>(nodes.all().size()));
  for (std::size_t node = 0; node < nodes.count(); ++node) {
    for (const std::size_t rank : nodes.members(node)) names[rank] = static_cast<int>(node);
  }
  return Groups(names);
}

// The monitors of groups.

namespace {
/// The finaliser of SplitMix64 (Steele et al. 2014).
std::uint64_t hash(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

struct Candidate {
  int rank;
  HeavyShare share;
  std::uint64_t partners = 0;  ///< the number of groups that it is the monitor for
};

/// The members with heavy vertices. If no member has any, all members with equal shares.
std::vector<Candidate> candidates_of(std::span<const int> members, std::span<const HeavyShare> shares) {
  std::vector<Candidate> candidates;
  for (const int rank : members) {
    const HeavyShare& share = shares[static_cast<std::size_t>(rank)];
    if (share.vertices > 0) candidates.push_back({rank, share});
  }
  if (!candidates.empty()) return candidates;
  for (const int rank : members) candidates.push_back({rank, {.vertices = 1, .degree = 0}});
  return candidates;
}

Candidate& heaviest(std::vector<Candidate>& candidates) {
  return *std::ranges::max_element(candidates, {}, [](const Candidate& one) { return one.share.degree; });
}

/// The candidate with the fewest partners in proportion to its heavy vertices (the method of highest averages).
Candidate& next_in_proportion(std::vector<Candidate>& candidates) {
  return *std::ranges::max_element(candidates, [](const Candidate& a, const Candidate& b) {
    return a.share.vertices * (b.partners + 1) < b.share.vertices * (a.partners + 1);
  });
}
}  // namespace

std::vector<int> monitors_of(MonitorPolicy policy, const Groups& groups, std::span<const HeavyShare> shares,
                             std::size_t group) {
  std::vector<Candidate> candidates = candidates_of(groups.members(group), shares);
  const auto vote = [&](std::size_t partner) -> Candidate& {
    switch (policy) {
      case MonitorPolicy::random: return candidates[hash(group * groups.count() + partner) % candidates.size()];
      case MonitorPolicy::heaviest: return heaviest(candidates);
      case MonitorPolicy::orchestra: break;
    }
    return next_in_proportion(candidates);
  };
  std::vector<int> monitors(groups.count(), -1);
  for (std::size_t step = 1; step < groups.count(); ++step) {
    const std::size_t partner = (group + step) % groups.count();  // so that no partner is first in every group
    Candidate& chosen = vote(partner);
    ++chosen.partners;
    monitors[partner] = chosen.rank;
  }
  return monitors;
}

// How far messages go.

Hops hops_between(const NetworkPlace& one, const NetworkPlace& other) {
  const bool same_cabinet = one.cabinet == other.cabinet;
  const bool same_bunch = same_cabinet && one.bunch == other.bunch;
  const bool same_board = same_bunch && one.board == other.board;
  if (same_board && one.chip == other.chip) return {.chip = 1};
  if (same_board) return {.chip = 2, .board = 1};
  if (same_bunch) return {.chip = 2, .board = 2, .bunch = 1};
  if (same_cabinet) return {.chip = 2, .board = 2, .bunch = 2, .cabinet = 1};
  return {.chip = 2, .board = 2, .bunch = 2, .cabinet = 2};
}

std::vector<NetworkPlace> places_of(const Groups& groups) {
  std::vector<NetworkPlace> places;
  places.reserve(static_cast<std::size_t>(groups.ranks()));
  for (int rank = 0; rank < groups.ranks(); ++rank) places.push_back({.chip = static_cast<int>(groups.of(rank))});
  return places;
}

TrafficByDistance by_distance(std::span<const SentTraffic> sent, int rank, const Groups& groups,
                              std::span<const NetworkPlace> places) {
  TrafficByDistance traffic;
  for (std::size_t other = 0; other < sent.size(); ++other) {
    const std::uint64_t messages = sent[other].messages;
    const bool inside = groups.of(static_cast<int>(other)) == groups.of(rank);
    (inside ? traffic.inside_groups : traffic.between_groups) += sent[other];
    const Hops hops = hops_between(places[static_cast<std::size_t>(rank)], places[other]);
    traffic.hops.chip += messages * hops.chip;
    traffic.hops.board += messages * hops.board;
    traffic.hops.bunch += messages * hops.bunch;
    traffic.hops.cabinet += messages * hops.cabinet;
  }
  return traffic;
}

}  // namespace breadth
