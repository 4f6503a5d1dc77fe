#include "comm/link_speed.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/stopwatch.hpp"

namespace breadth {

namespace {
/// The fastest of a few all-gathers of so many bytes from each: others wait for processors. Of a first one, which makes
/// connections, nothing counts.
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
  return *std::min_element(seconds.begin(), seconds.end());
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
  constexpr double least_seconds = 1e-9;  // where nothing but noise lies between the two
  const double moving = std::max(seconds[1] - seconds[0], least_seconds);
  return LinkSpeed{.round_seconds = seconds[0], .bytes_per_second = static_cast<double>(bytes * others) / moving};
}

}  // namespace breadth
