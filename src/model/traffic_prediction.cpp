#include "model/traffic_prediction.hpp"

#include <cmath>

namespace breadth {

TrafficPrediction predict_traffic(int scale, std::uint64_t tuples, int ranks, std::uint64_t coalescing) {
  const double n = ranks;
  const double scans = 2.0 * static_cast<double>(tuples);  // every edge is looked at from both ends
  const double to_other_ranks = (n - 1) / n;
  constexpr double query_bytes = 8;
  const double bitmap_bytes = std::ldexp(1.0, scale) / 8;

  TrafficPrediction prediction;
  prediction.push_messages_per_rank = scans / static_cast<double>(coalescing) * to_other_ranks / n;
  prediction.push_bytes = scans * query_bytes * to_other_ranks;
  prediction.pull_bytes_per_level = bitmap_bytes * (n - 1);
  return prediction;
}

}  // namespace breadth
