// What ranks sum up of a search for its report: counts and seconds of levels, and what they sent.
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

/// Ends a level, or the pass over the leaves: its counts, this rank's so far, become the sums of all ranks', and so do
/// the others that are wanted. What the stopwatch has run since its last lap counts as computing, the all-reduce, one
/// for all of them, as waiting; returns how long that took. Collective; traffic.bytes_between_nodes has a value on
/// every rank or on none.
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

/// How long ranks waited in each level, the shortest, the longest and on average; after the search, since it takes
/// communication. Collective.
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

/// The sums of all ranks' parts; after the search, since nothing depends on them. Collective: there is one on every
/// rank or on none.
inline std::optional<SettledLights> sum_over(std::optional<SettledLights> part, const Communicator& ranks) {
  if (!part) return part;
  const auto [vertices, bytes, queries] = ranks.sums({part->vertices, part->traffic.bytes, part->traffic.queries});
  return SettledLights{.vertices = vertices, .traffic = {.bytes = bytes, .queries = queries}};
}

// What a level sends to other ranks, and how long that takes.

/// Counts what an exchange sends from when this is made on. Exchange is a QueryExchange.
template <class Exchange>
class LevelTraffic {
 public:
  explicit LevelTraffic(const Exchange& exchange)
      : exchange_(exchange), traffic_(exchange.traffic()), seconds_(exchange.seconds()) {}

  /// Adds what was sent to the level, and divides the time since the stopwatch's last lap into what it went on.
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

/// Messages know no nodes: of what was sent as such, what left a node is known where ranks share one or none.
inline void count_between_nodes(Traffic& traffic, const Nodes& nodes) {
  traffic.bytes_between_nodes = nodes.bytes_between(traffic.bytes);
}

/// All that an exchange has sent so far.
template <class Exchange>
CommunicationRecord record_of(const Exchange& exchange, double all_reduce_seconds) {
  return {.sent = {exchange.sent().begin(), exchange.sent().end()},
          .queries = exchange.traffic().queries,
          .partial_packets = exchange.partial_packets(),
          .seconds = exchange.seconds(),
          .all_reduce_seconds = all_reduce_seconds};
}

}  // namespace breadth
