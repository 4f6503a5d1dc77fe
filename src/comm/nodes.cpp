#include "comm/nodes.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"

namespace breadth {

// Ranks grouped by node.

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
  const auto [least, most] =
      std::ranges::minmax_element(members_, {}, [](const auto& members) { return members.size(); });
  smallest_ = least->size();
  largest_ = most->size();
}

Communicator leaders_of(const Nodes& nodes) {
  return nodes.all().split(nodes.leads() ? 0 : 1, static_cast<int>(nodes.own()));
}

std::vector<InterNodeLane> leader_lanes(const Nodes& nodes) {
  const Communicator group = leaders_of(nodes);
  std::vector<InterNodeLane> lanes;
  for (std::size_t i = 0; nodes.leads() && i < nodes.largest(); ++i) lanes.push_back({i, group});
  return lanes;
}

std::vector<InterNodeLane> subgroup_lanes(const Nodes& nodes) {
  const std::size_t own_size = nodes.members(nodes.own()).size();
  const std::size_t own_rank = as_index(nodes.node().rank());
  std::vector<InterNodeLane> lanes;
  // A rank has at most one of `smallest` consecutive lanes, so one split makes them all.
  for (std::size_t first = 0; first < nodes.largest(); first += nodes.smallest()) {
    const std::size_t end = std::min(first + nodes.smallest(), nodes.largest());
    std::size_t lane = first;
    while (lane < end && lane % own_size != own_rank) ++lane;
    const Communicator group = nodes.all().split(static_cast<int>(lane - first), static_cast<int>(nodes.own()));
    if (lane < end) lanes.push_back({lane, group});
  }
  return lanes;
}

// Links between machines.

namespace {
/// The seconds of the fastest of several all-gathers of `bytes` from each leader: slower ones wait for processors. A
/// first all-gather, which sets up connections, is not counted.
double gather_seconds(const Communicator& leaders, std::size_t bytes, int times) {
  const std::vector<std::byte> mine(bytes);
  const std::vector<std::size_t> counts(static_cast<std::size_t>(leaders.size()), bytes);
  std::vector<std::byte> all(bytes * counts.size());
  std::vector<double> seconds;
  for (int i = 0; i <= times; ++i) {
    leaders.barrier();
    const Stopwatch stopwatch;
    leaders.all_gather(std::span<const std::byte>(mine), std::span(all), counts);
    const double slowest = leaders.all_reduce(stopwatch.seconds(), Reduction::maximum);
    if (i > 0) seconds.push_back(slowest);
  }
  return *std::ranges::min_element(seconds);
}
}  // namespace

std::optional<LinkSpeed> measure_links(const Nodes& nodes) {
  if (nodes.count() == 1) return std::nullopt;
  constexpr std::size_t word_bytes = 8;
  constexpr std::size_t bytes_to_each = std::size_t{1} << 20;
  const Communicator leaders = leaders_of(nodes);
  double seconds[] = {0, 0};
  const std::size_t others = nodes.count() - 1;
  const std::size_t bytes = std::max(word_bytes, bytes_to_each / others);
  if (nodes.leads()) {
    seconds[0] = gather_seconds(leaders, word_bytes, 7);
    seconds[1] = gather_seconds(leaders, bytes, 3);
  }
  nodes.all().all_reduce(std::span<double>(seconds), Reduction::maximum);
  constexpr double min_seconds = 1e-9;  // if the two times differ only by noise
  const double moving = std::max(seconds[1] - seconds[0], min_seconds);
  return LinkSpeed{.round_seconds = seconds[0], .bytes_per_second = static_cast<double>(bytes * others) / moving};
}

}  // namespace breadth
