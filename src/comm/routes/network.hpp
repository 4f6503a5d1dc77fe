// The network between ranks: groups of near ranks, the monitors of groups, and the hops that messages take.
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

/// All ranks, divided into groups whose members reach each other at less cost than other ranks: a node, or the ranks on
/// one routing chip (Gan & Zhang 2021, section 4.3). Groups are numbered in the order of their first ranks and may have
/// any size. Equal on every rank; O(ranks) memory.
class Groups {
 public:
  /// `names[r]` is the name of rank r's group, any number.
  explicit Groups(std::span<const int> names);

  [[nodiscard]] std::size_t count() const noexcept { return members_.size(); }
  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(group_of_.size()); }
  /// The number of a rank's group.
  [[nodiscard]] std::size_t of(int rank) const { return group_of_[static_cast<std::size_t>(rank)]; }
  /// The index of a rank among the members of its group: its lane.
  [[nodiscard]] std::size_t lane(int rank) const { return lane_[static_cast<std::size_t>(rank)]; }
  /// The ranks of a group, in ascending order.
  [[nodiscard]] std::span<const int> members(std::size_t group) const { return members_[group]; }
  /// The number of members of the largest group.
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }

 private:
  std::vector<std::size_t> group_of_;
  std::vector<std::size_t> lane_;
  std::vector<std::vector<int>> members_;
  std::size_t largest_ = 0;
};

/// Groups of `size` consecutive ranks; the last group may have fewer.
Groups groups_of_size(int ranks, int size);
/// One group for each node.
Groups groups_of_nodes(const Nodes& nodes);

// The monitors of groups.

/// A rank's share of the heavy vertices, on which the election of monitors depends.
struct HeavyShare {
  std::uint64_t vertices = 0;  ///< heavy vertices: vertices with a degree of at least heavy_degree
  std::uint64_t degree = 0;    ///< the degree of the heaviest vertex
};

/// The minimum degree of a heavy vertex: the best value that the paper found on 512 nodes (section 4.1).
inline constexpr std::uint64_t heavy_degree = 100;

/// Returns the group's monitor for each partner group: entry b is the member that sends the group's messages to group b
/// and receives those from group b. The two monitors of a pair of groups are its mirror group. Entry `group` is -1.
/// The result is a pure function, equal on every rank: ties are broken by the order of ranks, and random choices are a
/// hash of the numbers of the two groups. If no member has heavy vertices, all count equally. O(groups * members).
std::vector<int> monitors_of(MonitorPolicy policy, const Groups& groups, std::span<const HeavyShare> shares,
                             std::size_t group);

// How far messages go.

/// Hops by the kind of component that they pass: the terms of Gan & Zhang 2021, equation (5).
struct Hops {
  std::uint64_t chip = 0;     ///< HNR_hops
  std::uint64_t board = 0;    ///< NRM_hops
  std::uint64_t bunch = 0;    ///< BOB_hops
  std::uint64_t cabinet = 0;  ///< Cab_hops

  /// acc_hops, their sum.
  [[nodiscard]] std::uint64_t all() const noexcept { return chip + board + bunch + cabinet; }
  friend bool operator==(const Hops&, const Hops&) = default;
};

/// The hops of a message on the shortest way up and down the tree of the network: one chip between ranks on one chip,
/// otherwise both chips; then the board that the ranks share, otherwise both boards; and so on. 1 to 8 hops. The paper
/// names the terms but does not say how they are counted for a message.
Hops hops_between(const NetworkPlace& one, const NetworkPlace& other);

/// Network places if only the groups are known: each group has a chip, and one board joins all chips.
std::vector<NetworkPlace> places_of(const Groups& groups);

/// The traffic that a rank sent, by distance.
struct TrafficByDistance {
  SentTraffic inside_groups;
  SentTraffic between_groups;
  Hops hops;  ///< of all messages together
};

/// Classifies the traffic that one rank sent to each rank (MessageExchange::sent). `places` has one entry for each
/// rank.
TrafficByDistance by_distance(std::span<const SentTraffic> sent, int rank, const Groups& groups,
                              std::span<const NetworkPlace> places);

}  // namespace breadth
