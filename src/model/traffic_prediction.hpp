// How much ranks have to tell each other in a search, by the papers' formulas.
#pragma once

#include <cstdint>

namespace breadth {

/// What the pushes of one search move between ranks (pulls: model/frontier_plan.hpp).
struct TrafficPrediction {
  /// A search that only pushes: messages that a rank sends (Fuentes et al. 2014, equation 1).
  double push_messages_per_rank = 0;
  /// The same search: bytes that all ranks send. Equation 2 of that paper with queries of at
  /// most 8 bytes instead of 16; those of one parent that travel together take towards 4 (traverse/query_exchange.hpp).
  double push_bytes = 0;
};

/// For `tuples` edges on so many ranks; a message holds `coalescing` queries.
TrafficPrediction predict_traffic(std::uint64_t tuples, int ranks, std::uint64_t coalescing);

}  // namespace breadth
