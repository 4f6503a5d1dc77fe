#include "graph500/report/communication_report.hpp"

#include <span>

namespace breadth {

namespace {
DistanceReport gather_distances(const CommunicationRecord& record, const RouteOptions& route,
                                const Communicator& ranks) {
  const Groups groups = make_groups(route, ranks);
  const std::vector<NetworkPlace> places = route.network.empty() ? places_of(groups) : route.network;
  TrafficByDistance traffic = by_distance(record.sent, ranks.rank(), groups, places);
  auto& [inside, between, hops] = traffic;
  std::uint64_t* const sums[] = {&inside.messages, &inside.bytes, &between.messages, &between.bytes,
                                 &hops.chip,       &hops.board,   &hops.bunch,       &hops.cabinet};
  for (std::uint64_t* sum : sums) *sum = ranks.all_reduce(*sum, Reduction::sum);
  const double seconds =
      ranks.all_reduce(record.seconds.receive + record.seconds.send + record.seconds.finish, Reduction::sum) /
      ranks.size();
  DistanceReport report{
      .groups = groups.count(), .largest_group = groups.largest(), .traffic = traffic, .efficiency = {}};
  if (seconds > 0) report.efficiency = static_cast<double>(inside.bytes + between.bytes) / seconds;
  return report;
}
}  // namespace

CommunicationReport gather_communication(const CommunicationRecord& record, const RouteOptions& route,
                                         const Communicator& ranks) {
  RankCommunication own{.sent = {},
                        .queries = record.queries,
                        .partial_packets = record.partial_packets,
                        .seconds = record.seconds,
                        .all_reduce_seconds = record.all_reduce_seconds};
  for (const SentTraffic& to_one : record.sent) {
    own.sent.messages += to_one.messages;
    own.sent.bytes += to_one.bytes;
  }
  CommunicationReport report{.ranks = ranks.all_gather(own),
                             .matrix = {},
                             .distances = gather_distances(record, route, ranks),
                             .predicted_messages = {},
                             .predicted_bytes = {}};
  if (ranks.size() > 1 && ranks.size() <= CommunicationReport::most_ranks_of_matrix) {
    report.matrix = ranks.all_gather_varying(std::span<const SentTraffic>(record.sent));
  }
  return report;
}

}  // namespace breadth
