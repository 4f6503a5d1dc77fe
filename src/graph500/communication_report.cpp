#include "graph500/communication_report.hpp"

#include <span>

namespace breadth {

CommunicationReport gather_communication(const CommunicationRecord& record, const Communicator& ranks) {
  RankCommunication own{.sent = {},
                        .queries = record.queries,
                        .partial_packets = record.partial_packets,
                        .seconds = record.seconds,
                        .all_reduce_seconds = record.all_reduce_seconds};
  for (const SentTraffic& to_one : record.sent) {
    own.sent.messages += to_one.messages;
    own.sent.bytes += to_one.bytes;
  }
  CommunicationReport report{
      .ranks = ranks.all_gather(own), .matrix = {}, .predicted_messages = {}, .predicted_bytes = {}};
  if (ranks.size() > 1 && ranks.size() <= CommunicationReport::most_ranks_of_matrix) {
    report.matrix = ranks.all_gather_varying(std::span<const SentTraffic>(record.sent));
  }
  return report;
}

}  // namespace breadth
