// The network between ranks: groups of near ranks, the monitors that speak for them, and how far messages go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/nodes.hpp"
#include "core/policy/search.hpp"

namespace breadth {

// Which ranks are near each other.

/// All ranks, parted into groups whose members reach each other at less cost than others: a node, or what is attached
/// to one routing chip (Gan & Zhang 2021, section 4.3). Numbered by their first ranks; of any sizes. The same on every
/// rank; O(ranks) memory.
class Groups {
 public:
  /// `names[r]` is what rank r's group is called, any number.
  explicit Groups(std::span<const int> names);

  [[nodiscard]] std::size_t count() const noexcept { return members_.size(); }
  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(group_of_.size()); }
  /// The number of a rank's group.
  [[nodiscard]] std::size_t of(int rank) const { return group_of_[static_cast<std::size_t>(rank)]; }
  /// Which of its group's members a rank is: its lane.
  [[nodiscard]] std::size_t lane(int rank) const { return lane_[static_cast<std::size_t>(rank)]; }
  /// The ranks of a group, rising.
  [[nodiscard]] std::span<const int> members(std::size_t group) const { return members_[group]; }
  /// The members of the largest group.
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }

 private:
  std::vector<std::size_t> group_of_;
  std::vector<std::size_t> lane_;
  std::vector<std::vector<int>> members_;
  std::size_t largest_ = 0;
};

/// Groups of so many consecutive ranks, the last one perhaps with fewer.
Groups groups_of_size(int ranks, int size);
/// A group for each node.
Groups groups_of_nodes(const Nodes& nodes);

// Which ranks speak for their groups.

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

// How far messages go.

/// Hops by what they lead through: the terms of Gan & Zhang 2021, equation (5).
struct Hops {
  std::uint64_t chip = 0;     ///< HNR_hops
  std::uint64_t board = 0;    ///< NRM_hops
  std::uint64_t bunch = 0;    ///< BOB_hops
  std::uint64_t cabinet = 0;  ///< Cab_hops

  /// acc_hops, their sum.
  [[nodiscard]] std::uint64_t all() const noexcept { return chip + board + bunch + cabinet; }
  friend bool operator==(const Hops&, const Hops&) = default;
};

/// What a message passes on the shortest way up and down the tree of the network: one chip between ranks on the same
/// chip, else both their chips; then the board that they share, else both boards; and so on. 1 to 8 hops. The paper
/// names the terms and does not say how they are counted for a message.
Hops hops_between(const NetworkPlace& one, const NetworkPlace& other);

/// Places where nothing is known but groups: each has a chip, and one board joins all.
std::vector<NetworkPlace> places_of(const Groups& groups);

/// What a rank sent, by how far it went.
struct TrafficByDistance {
  SentTraffic inside_groups;
  SentTraffic between_groups;
  Hops hops;  ///< of all messages together
};

/// For what one rank sent to each rank (MessageExchange::sent). `places` has one for each rank.
TrafficByDistance by_distance(std::span<const SentTraffic> sent, int rank, const Groups& groups,
                              std::span<const NetworkPlace> places);

}  // namespace breadth
