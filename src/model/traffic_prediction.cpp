#include "model/traffic_prediction.hpp"

namespace breadth {

TrafficPrediction predict_traffic(std::uint64_t tuples, int ranks, std::uint64_t coalescing) {
  const double n = ranks;
  const double scans = 2.0 * static_cast<double>(tuples);  // every edge is looked at from both ends
  const double to_other_ranks = (n - 1) / n;
  constexpr double query_bytes = 8;

  TrafficPrediction prediction;
  prediction.push_messages_per_rank = scans / static_cast<double>(coalescing) * to_other_ranks / n;
  prediction.push_bytes = scans * query_bytes * to_other_ranks;
  return prediction;
}

}  // namespace breadth
