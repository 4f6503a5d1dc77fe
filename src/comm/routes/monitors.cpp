#include "comm/routes/monitors.hpp"

#include <algorithm>

namespace breadth {

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
  std::uint64_t partners = 0;  ///< that it is monitor for
};

/// The members with heavy vertices; all of them, as equals, if there is none.
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
  return *std::max_element(candidates.begin(), candidates.end(),
                           [](const Candidate& a, const Candidate& b) { return a.share.degree < b.share.degree; });
}

/// Whose partners stay the farthest behind its part of the heavy vertices (the method of highest averages).
Candidate& next_in_proportion(std::vector<Candidate>& candidates) {
  return *std::max_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
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
    const std::size_t partner = (group + step) % groups.count();  // no partner is first everywhere
    Candidate& chosen = vote(partner);
    ++chosen.partners;
    monitors[partner] = chosen.rank;
  }
  return monitors;
}

}  // namespace breadth
