// Which ranks speak for their groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/routes/groups.hpp"
#include "core/words.hpp"

namespace breadth {

/// How groups vote for monitors (Gan & Zhang 2021, sections 4.3 and 5.4), from what vertices their members own.
enum class MonitorPolicy {
  random,    ///< any member with heavy vertices
  heaviest,  ///< the member with the heaviest vertex, for all partners
  orchestra  ///< members in proportion to their heavy vertices
};
constexpr auto words_of(MonitorPolicy) {
  return word_list<MonitorPolicy>({{MonitorPolicy::random, "random"},
                                   {MonitorPolicy::heaviest, "heaviest"},
                                   {MonitorPolicy::orchestra, "orchestra"}});
}

/// What a rank has to be voted for.
struct HeavyShare {
  std::uint64_t vertices = 0;  ///< that are heavy: of a degree of at least heavy_degree
  std::uint64_t degree = 0;    ///< of the heaviest
};

/// The degree from which on a vertex is heavy: what the paper found best on 512 nodes (section 4.1).
inline constexpr std::uint64_t heavy_degree = 100;

/// The monitor that a group has for each partner group: entry b is the member that messages to group b leave from, and
/// that messages from there come to; the two monitors of a pair of groups are its mirror group. Entry `group` is -1.
/// A pure function, the same on every rank: equals are taken in the order of ranks, and chance is a hash of the two
/// groups' numbers. Where no member has heavy vertices all are equals. O(groups * members).
std::vector<int> monitors_of(MonitorPolicy policy, const Groups& groups, std::span<const HeavyShare> shares,
                             std::size_t group);

}  // namespace breadth
