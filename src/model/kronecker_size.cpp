#include "model/kronecker_size.hpp"

#include <cmath>

namespace breadth {

namespace {
constexpr double both_clear = 0.57;
constexpr double one_set = 0.19;  // either way round
constexpr double both_set = 0.05;

double log_factorial(int n) { return std::lgamma(n + 1.0); }

/// The chance that at least one of `tuples` draws hits what each hits with chance `p`.
double hit(double p, double tuples) { return -std::expm1(tuples * std::log1p(-p)); }

double expected_connected_vertices(int scale, double tuples) {
  double sum = 0;
  for (int set = 0; set <= scale; ++set) {
    const int clear = scale - set;
    const double vertices = std::exp(log_factorial(scale) - log_factorial(set) - log_factorial(clear));
    const double one_end = std::pow(both_clear + one_set, clear) * std::pow(one_set + both_set, set);
    const double self_loop = std::pow(both_clear, clear) * std::pow(both_set, set);
    sum += vertices * hit(2 * (one_end - self_loop), tuples);
  }
  return sum;
}

double expected_edges(int scale, double tuples) {
  double sum = 0;
  for (int different = 1; different <= scale; ++different) {
    for (int set = 0; set <= scale - different; ++set) {
      const int clear = scale - different - set;
      const double pairs = std::exp(log_factorial(scale) - log_factorial(different) - log_factorial(set) -
                                    log_factorial(clear) + (different - 1) * std::log(2.0));
      const double chance = 2 * std::pow(both_clear, clear) * std::pow(both_set, set) * std::pow(one_set, different);
      sum += pairs * hit(chance, tuples);
    }
  }
  return sum;
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

}  // namespace breadth
