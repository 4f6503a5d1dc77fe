// Sums over ranks for the report of a search: counts, seconds and traffic of its levels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/nodes.hpp"
#include "core/stopwatch.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

// Levels.

/// Ends a level or the pass over the leaves: replaces its counts and `others` by their sums over all ranks, in one
/// all-reduce. Counts the time since the stopwatch's last lap as computing, and the all-reduce as waiting. Returns the
/// seconds of the all-reduce. Collective. traffic.bytes_between_nodes must have a value on every rank or on none.
inline double sum_level(LevelStatistics& level, std::span<std::uint64_t> others, Stopwatch& stopwatch,
                        const Communicator& ranks) {
  Traffic& traffic = level.traffic;
  std::uint64_t unknown = 0;
  std::uint64_t& between_nodes = traffic.bytes_between_nodes ? *traffic.bytes_between_nodes : unknown;
  std::uint64_t* const counts[] = {&level.claimed, &level.edges_examined, &traffic.messages, &traffic.bytes,
                                   &between_nodes, &traffic.queries,      &traffic.answers,  &traffic.question_bytes};
  std::vector<std::uint64_t> sums;
  sums.reserve(others.size() + std::size(counts));
  sums.assign(others.begin(), others.end());
  for (const std::uint64_t* count : counts) sums.push_back(*count);
  level.seconds.compute += stopwatch.lap();
  ranks.all_reduce(std::span(sums), Reduction::sum);
  const double seconds = stopwatch.lap();
  level.seconds.wait += seconds;
  std::copy_n(sums.begin(), others.size(), others.begin());
  for (std::size_t i = 0; i < std::size(counts); ++i) *counts[i] = sums[others.size() + i];
  return seconds;
}

/// Fills in how long ranks waited in each level: shortest, mean and longest. Called after the search, because it
/// communicates. Collective.
inline void share_idle_times(std::vector<LevelStatistics>& levels, const Communicator& ranks) {
  std::vector<double> longest;
  std::vector<double> sums;
  for (const LevelStatistics& level : levels) {
    longest.push_back(level.seconds.wait);
    longest.push_back(-level.seconds.wait);
    sums.push_back(level.seconds.wait);
  }
  ranks.all_reduce(std::span<double>(longest), Reduction::maximum);
  ranks.all_reduce(std::span<double>(sums), Reduction::sum);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i].idle = {-longest[2 * i + 1], sums[i] / ranks.size(), longest[2 * i]};
  }
}

/// The sum of all ranks' parts. Collective. `part` must have a value on every rank or on none.
inline std::optional<SettledLights> sum_over(std::optional<SettledLights> part, const Communicator& ranks) {
  if (!part) return part;
  const auto [vertices, bytes, queries] = ranks.sums({part->vertices, part->traffic.bytes, part->traffic.queries});
  return SettledLights{.vertices = vertices, .traffic = {.bytes = bytes, .queries = queries}};
}

// Traffic of levels.

/// Counts what an exchange sends from the construction of this on. Exchange is a QueryExchange.
template <class Exchange>
class LevelTraffic {
 public:
  explicit LevelTraffic(const Exchange& exchange)
      : exchange_(exchange), traffic_(exchange.traffic()), seconds_(exchange.seconds()) {}

  /// Adds the traffic to the level. Divides the time since the stopwatch's last lap into computing, communicating and
  /// waiting.
  void report(LevelStatistics& level, Stopwatch& stopwatch) const {
    level.traffic += since(traffic_, exchange_.traffic());
    const ExchangeSeconds after = exchange_.seconds();
    const double talked = after.receive - seconds_.receive + after.send - seconds_.send;
    const double idle = after.finish - seconds_.finish;
    level.seconds.communicate += talked;
    level.seconds.wait += idle;
    level.seconds.compute += stopwatch.lap() - talked - idle;
  }

 private:
  const Exchange& exchange_;
  Traffic traffic_;
  ExchangeSeconds seconds_;
};

/// Sets the bytes between nodes. Messages are not counted by node, so these bytes are known only if all ranks share one
/// node or each has its own.
inline void count_between_nodes(Traffic& traffic, const Nodes& nodes) {
  traffic.bytes_between_nodes = nodes.bytes_between(traffic.bytes);
}

/// The record of all that an exchange has sent so far.
template <class Exchange>
CommunicationRecord record_of(const Exchange& exchange, double all_reduce_seconds) {
  return {.sent = {exchange.sent().begin(), exchange.sent().end()},
          .queries = exchange.traffic().queries,
          .partial_packets = exchange.partial_packets(),
          .seconds = exchange.seconds(),
          .all_reduce_seconds = all_reduce_seconds};
}

}  // namespace breadth
