// What ranks sent each other in all searches of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/routes/network.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// One rank's part, as in Fuentes et al. 2014, figs 2 and 3.
struct RankCommunication {
  SentTraffic sent;  ///< to all others
  std::uint64_t queries = 0;
  std::uint64_t partial_packets = 0;
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;
};

/// How far messages of all ranks went, hop by hop.
struct DistanceReport {
  std::uint64_t groups = 0;
  std::uint64_t largest_group = 0;
  TrafficByDistance traffic;
  /// Gan & Zhang 2021, equation (6): the bytes of all ranks, as often as they were sent, by the mean seconds that a
  /// rank spent on messages; nothing where it spent none.
  std::optional<double> efficiency;
};

/// The searches' traffic in pushes.
struct CommunicationReport {
  /// With more ranks the matrix is left out: it grows with their square.
  static constexpr int most_ranks_of_matrix = 256;

  std::vector<RankCommunication> ranks;
  /// What rank s sent to rank d, at s times the number of ranks plus d; or empty.
  std::vector<SentTraffic> matrix;
  DistanceReport distances;
  /// By equation (1) of the paper for the distinct edges of the graph, the mean of a rank and search; where searches
  /// only push and messages leave as they fill.
  std::optional<double> predicted_messages;
  /// By equation (2), bytes of all ranks in a search; where queries travel as pairs besides.
  std::optional<double> predicted_bytes;
};

/// Collects what ranks counted on that route; without predictions. Collective, O(ranks^2) where the matrix is kept.
CommunicationReport gather_communication(const CommunicationRecord& record, const RouteOptions& route,
                                         const Communicator& ranks);

}  // namespace breadth
