#include "model/graph_size.hpp"

#include <cmath>
#include <vector>

namespace breadth {

namespace {
constexpr double both_clear = 0.57;
constexpr double one_set = 0.19;  // for each order of the two
constexpr double both_set = 0.05;

double log_factorial(int n) { return std::lgamma(n + 1.0); }

/// The chance of at least one hit in `tuples` draws that hit with chance `p` each.
double hit(double p, double tuples) { return -std::expm1(tuples * std::log1p(-p)); }

/// The binomial coefficient: the number of ways to choose `some` of `all`.
double choices(int all, int some) {
  return std::exp(log_factorial(all) - log_factorial(some) - log_factorial(all - some));
}

double expected_connected_vertices(int scale, double tuples) {
  double sum = 0;
  for (int set = 0; set <= scale; ++set) {
    const int clear = scale - set;
    const double vertices = choices(scale, set);
    const double one_end = std::pow(both_clear + one_set, clear) * std::pow(one_set + both_set, set);
    const double self_loop = std::pow(both_clear, clear) * std::pow(both_set, set);
    sum += vertices * hit(2 * (one_end - self_loop), tuples);
  }
  return sum;
}

/// Calls body(bits, vertices, chance) for each kind of neighbour u of a vertex v that has `set` bits set. A kind lacks
/// `lost` of the bits of v and has `gained` others. `bits` is the number of bits of u, `vertices` the number of such u,
/// `chance` the chance that any tuple joins u and v.
template <class Body>
void for_each_kind_of_neighbour(int scale, int set, double tuples, Body&& body) {
  const int clear = scale - set;
  for (int lost = 0; lost <= set; ++lost) {
    for (int gained = 0; gained <= clear; ++gained) {
      if (lost + gained == 0) continue;
      const double chance =
          2 * std::pow(both_clear, clear - gained) * std::pow(both_set, set - lost) * std::pow(one_set, lost + gained);
      body(set - lost + gained, choices(set, lost) * choices(clear, gained), hit(chance, tuples));
    }
  }
}

double expected_edges(int scale, double tuples) {
  double ends = 0;
  for (int set = 0; set <= scale; ++set) {
    for_each_kind_of_neighbour(scale, set, tuples, [&](int, double vertices, double chance) {
      ends += choices(scale, set) * vertices * chance;
    });
  }
  return ends / 2;
}

/// The chance that a vertex is a hub, by the number of its bits that are set.
std::vector<double> chances_of_hub(int scale, double tuples, std::uint64_t degree) {
  constexpr std::uint64_t few = 64;  // with fewer neighbours their number is not close to a normal distribution
  std::vector<double> chances;
  for (int set = 0; set <= scale; ++set) {
    double mean = 0;
    double variance = 0;
    for_each_kind_of_neighbour(scale, set, tuples, [&](int, double vertices, double chance) {
      mean += vertices * chance;
      variance += vertices * chance * (1 - chance);
    });
    double at_most = 0;
    if (degree < few) {
      for (std::uint64_t i = 0; i <= degree; ++i) {
        const auto n = static_cast<double>(i);
        at_most += std::exp(n * std::log(mean) - mean - std::lgamma(n + 1));
      }
    } else {
      at_most = std::erfc((mean - static_cast<double>(degree) - 0.5) / std::sqrt(2 * variance)) / 2;
    }
    chances.push_back(std::max(0.0, 1 - at_most));
  }
  return chances;
}
}  // namespace

GraphSize expected_kronecker_size(int scale, std::uint64_t edgefactor, bool weighted) {
  GraphSize size;
  size.labels = std::uint64_t{1} << scale;
  size.tuples = edgefactor << scale;
  const auto tuples = static_cast<double>(size.tuples);
  size.connected_vertices = static_cast<std::uint64_t>(std::llround(expected_connected_vertices(scale, tuples)));
  size.edges = static_cast<std::uint64_t>(std::llround(expected_edges(scale, tuples)));
  size.weighted = weighted;
  return size;
}

ExpectedHubs expected_hubs(int scale, std::uint64_t edgefactor, std::uint64_t degree) {
  const auto tuples = static_cast<double>(edgefactor << scale);
  const std::vector<double> is_hub = chances_of_hub(scale, tuples, degree);
  double count = 0;
  double light_to_light = 0;
  double light_to_hub = 0;
  double hub_to_hub = 0;
  for (int set = 0; set <= scale; ++set) {
    const double hub = is_hub[static_cast<std::size_t>(set)];
    const double vertices = choices(scale, set);
    count += vertices * hub;
    for_each_kind_of_neighbour(scale, set, tuples, [&](int set_there, double neighbours, double chance) {
      const double hub_there = is_hub[static_cast<std::size_t>(set_there)];
      const double entries = vertices * neighbours * chance;
      light_to_light += entries * (1 - hub) * (1 - hub_there);
      light_to_hub += entries * (1 - hub) * hub_there;
      hub_to_hub += entries * hub * hub_there;
    });
  }
  const auto rounded = [](double number) { return static_cast<std::uint64_t>(std::llround(number)); };
  return {rounded(count), rounded(light_to_light), rounded(light_to_hub), rounded(hub_to_hub)};
}

double expected_group_pairs(int scale, std::uint64_t edgefactor, double groups) {
  const auto tuples = static_cast<double>(edgefactor << scale);
  double pairs = 0;
  for (int set = 0; set <= scale; ++set) {
    double log_none = 0;  // logarithm of the chance that a group has no neighbour
    for_each_kind_of_neighbour(scale, set, tuples, [&](int, double vertices, double chance) {
      log_none += vertices * std::log1p(-chance / groups);
    });
    pairs += choices(scale, set) * (groups - 1) * -std::expm1(log_none);
  }
  return pairs;
}

}  // namespace breadth
