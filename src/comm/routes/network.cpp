#include "comm/routes/network.hpp"

namespace breadth {

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
    const auto& [messages, bytes] = sent[other];
    const bool inside = groups.of(static_cast<int>(other)) == groups.of(rank);
    SentTraffic& sum = inside ? traffic.inside_groups : traffic.between_groups;
    sum.messages += messages;
    sum.bytes += bytes;
    const Hops hops = hops_between(places[static_cast<std::size_t>(rank)], places[other]);
    traffic.hops.chip += messages * hops.chip;
    traffic.hops.board += messages * hops.board;
    traffic.hops.bunch += messages * hops.bunch;
    traffic.hops.cabinet += messages * hops.cabinet;
  }
  return traffic;
}

}  // namespace breadth
