#include "comm/nodes.hpp"

#include <algorithm>

namespace breadth {

namespace {
Communicator node_of(const Communicator& ranks, int ranks_per_node) {
  Communicator machine = ranks.node();
  return ranks_per_node == 0 ? machine : machine.split(machine.rank() / ranks_per_node, machine.rank());
}

std::size_t as_index(int number) { return static_cast<std::size_t>(number); }
}  // namespace

Nodes::Nodes(const Communicator& ranks, int ranks_per_node) : all_(ranks), node_(node_of(ranks, ranks_per_node)) {
  const auto leader = node_.all_reduce(std::uint64_t{as_index(ranks.rank())}, Reduction::minimum);
  leader_of_ = ranks.all_gather(std::size_t{leader});
  std::vector<std::size_t> node_led_by(leader_of_.size());
  for (std::size_t rank = 0; rank < leader_of_.size(); ++rank) {
    if (leader_of_[rank] == rank) {
      node_led_by[rank] = members_.size();
      members_.emplace_back();
    }
    members_[node_led_by[leader_of_[rank]]].push_back(rank);
  }
  own_ = node_led_by[leader];
  const auto [least, most] = std::minmax_element(members_.begin(), members_.end(),
                                                 [](const auto& a, const auto& b) { return a.size() < b.size(); });
  smallest_ = least->size();
  largest_ = most->size();
}

Communicator leaders_of(const Nodes& nodes) {
  return nodes.all().split(nodes.leads() ? 0 : 1, static_cast<int>(nodes.own()));
}

std::vector<NodeLane> leader_lanes(const Nodes& nodes) {
  const Communicator group = leaders_of(nodes);
  std::vector<NodeLane> lanes;
  for (std::size_t i = 0; nodes.leads() && i < nodes.largest(); ++i) lanes.push_back({i, group});
  return lanes;
}

std::vector<NodeLane> subgroup_lanes(const Nodes& nodes) {
  const std::size_t own_size = nodes.members(nodes.own()).size();
  const std::size_t own_rank = as_index(nodes.node().rank());
  std::vector<NodeLane> lanes;
  // Of so many consecutive lanes a rank has one at the most: one split makes them all.
  for (std::size_t first = 0; first < nodes.largest(); first += nodes.smallest()) {
    const std::size_t end = std::min(first + nodes.smallest(), nodes.largest());
    std::size_t lane = first;
    while (lane < end && lane % own_size != own_rank) ++lane;
    const Communicator group = nodes.all().split(static_cast<int>(lane - first), static_cast<int>(nodes.own()));
    if (lane < end) lanes.push_back({lane, group});
  }
  return lanes;
}

}  // namespace breadth
