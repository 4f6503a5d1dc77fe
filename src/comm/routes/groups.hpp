// Which ranks are near each other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "comm/nodes.hpp"

namespace breadth {

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

}  // namespace breadth
