#include "tune/coordinate_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace breadth {

namespace {
constexpr double min_gain = 0.01;
constexpr double deviations_to_exceed = 2;
constexpr double harmless_noise = 0.05;
constexpr double usual_noises_that_disturb = 4;
constexpr int max_attempts = 2;
constexpr int refinements = 2;
constexpr std::size_t max_rounds = 3;

double middle(double a, double b) { return (a + b) / 2; }

double sum(const Costs& costs) { return std::accumulate(costs.begin(), costs.end(), 0.0); }

Costs middle(const Costs& a, const Costs& b) {
  Costs middles(a.size());
  std::ranges::transform(a, b, middles.begin(), [](double x, double y) { return middle(x, y); });
  return middles;
}

/// The geometric mean of two numbers, rounded to as many digits as a person would type.
std::string text_between(double a, double b) {
  return fmt::format("{}", std::stod(fmt::format("{:.3g}", std::sqrt(a * b))));
}

struct Measured {
  std::vector<Costs> costs;
  double noise = 0;  ///< relative difference between the costs of identical settings
};

/// Measures settings, some pairs of which are identical. If the costs of identical settings differ too much, other work
/// has disturbed the measurement, and the second attempt counts.
std::optional<Measured> measure_undisturbed(std::span<const Setting> settings,
                                            const std::vector<std::pair<std::size_t, std::size_t>>& same,
                                            const Measure& measure, Noise& noise) {
  Measured measured;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    const double usual = noise.typical();
    std::optional<std::vector<Costs>> costs = measure(settings);
    if (!costs) return std::nullopt;
    double squares = 0;
    for (const auto& [one, other] : same) squares += std::pow(noise.add(costs->at(one), costs->at(other)), 2);
    measured = {std::move(*costs), std::sqrt(squares / static_cast<double>(same.size()))};
    if (measured.noise <= std::max(harmless_noise, usual_noises_that_disturb * usual)) break;
  }
  return measured;
}

/// The standard error of sum(a) / sum(b), a ratio estimated from paired samples (Cochran, Sampling Techniques, section
/// 2.11).
double spread_of_ratio(const Costs& a, const Costs& b) {
  const auto samples = static_cast<double>(a.size());
  if (a.size() < 2) return 0;
  const double ratio = sum(a) / sum(b);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(a[i] - ratio * b[i], 2);
  return std::sqrt(squares / (samples - 1) * samples) / sum(b);
}

class CoordinateSearch {
 public:
  CoordinateSearch(std::span<const Tunable> tunables, Setting start, const Measure& measure,
                   const std::function<void(const Trial&)>& observe)
      : tunables_(tunables), measure_(measure), observe_(observe) {
    result_.best = std::move(start);
    result_.tried.assign(tunables.size(), false);
  }

  CoordinateSearchResult run() {
    const std::size_t options = tunables_.size();
    bool measured = true;
    std::size_t settled = 0;  // the number of options in a row, up to the last, whose value is best beside the others
    std::size_t turn = 0;
    while (measured && settled < options && turn < max_rounds * options) {
      const Setting before = result_.best;
      measured = improve(turn++ % options);
      settled = result_.best == before ? settled + 1 : 1;
    }
    for (; settled < options; ++settled, ++turn) {
      const std::size_t option = turn % options;
      result_.not_tried.push_back(tunables_[option].option + (result_.tried[option] ? " again" : ""));
    }
    return std::move(result_);
  }

 private:
  /// Returns whether all measurements were done.
  bool improve(std::size_t option) {
    const Tunable& tunable = tunables_[option];
    std::vector<std::string> others = tunable.values;
    std::erase(others, result_.best[option]);
    if (!challenge(option, others)) {
      result_.not_tried.push_back(tunable.option + (result_.tried[option] ? " again" : ""));
      return false;
    }
    result_.tried[option] = true;
    if (!tunable.refined) return true;
    std::vector<double> numbers = {std::stod(result_.best[option])};
    for (const std::string& value : tunable.values) numbers.push_back(std::stod(value));
    for (int i = 0; i < refinements; ++i) {
      if (challenge(option, neighbours(result_.best[option], numbers))) continue;
      result_.not_tried.push_back("finer values of " + tunable.option);
      return false;
    }
    return true;
  }

  /// Numbers between the best one and the next on either side. Adds them to `numbers`.
  static std::vector<std::string> neighbours(const std::string& best, std::vector<double>& numbers) {
    const double centre = std::stod(best);
    std::ranges::sort(numbers);
    const auto below = std::ranges::lower_bound(numbers, centre);
    const auto above = std::ranges::upper_bound(numbers, centre);
    std::vector<std::string> texts;
    if (below != numbers.begin()) texts.push_back(text_between(*std::prev(below), centre));
    if (above != numbers.end()) texts.push_back(text_between(centre, *above));
    for (const std::string& text : texts) numbers.push_back(std::stod(text));
    return texts;
  }

  /// Lets the best of `values` challenge the option's value. Returns false if measuring ended before the result.
  bool challenge(std::size_t option, const std::vector<std::string>& values) {
    if (values.empty()) return true;
    // The incumbent is measured first and last, so that it drifts over time as the others do.
    std::vector<Setting> settings(values.size() + 2, result_.best);
    for (std::size_t i = 0; i < values.size(); ++i) settings[i + 1][option] = values[i];
    const auto measured = measure_undisturbed(settings, {{0, settings.size() - 1}}, measure_, result_.noise);
    if (!measured) return false;
    const std::vector<Costs>& costs = measured->costs;
    const auto least = std::ranges::min_element(costs.begin() + 1, costs.end() - 1, {}, sum);
    const Setting& challenger = settings[static_cast<std::size_t>(least - costs.begin())];
    Comparison comparison{.speedup = middle(sum(costs.front()), sum(costs.back())) / sum(*least),
                          .noise = std::max(result_.noise.typical(), measured->noise)};
    if (comparison.speedup > 1) {
      const std::optional<Comparison> compared = compare_settings(result_.best, challenger, measure_, result_.noise);
      if (!compared) return false;
      comparison = *compared;
    }
    observe_({.option = tunables_[option].option,
              .incumbent = result_.best[option],
              .challenger = challenger[option],
              .comparison = comparison,
              .kept = comparison.convincing});
    if (comparison.convincing) result_.best = challenger;
    return true;
  }

  std::span<const Tunable> tunables_;
  const Measure& measure_;
  const std::function<void(const Trial&)>& observe_;
  CoordinateSearchResult result_;
};
}  // namespace

double Noise::add(const Costs& costs, const Costs& costs_again) {
  const double all = sum(costs);
  const double all_again = sum(costs_again);
  differences_.push_back(std::abs(all - all_again) / middle(all, all_again));
  return differences_.back();
}

double Noise::typical() const {
  if (differences_.empty()) return 0;
  std::vector<double> sorted = differences_;
  std::ranges::sort(sorted);
  constexpr double deviations_per_median = 1.4826;  // of a normal distribution
  return deviations_per_median * middle(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
}

std::optional<Comparison> compare_settings(const Setting& incumbent, const Setting& challenger, const Measure& measure,
                                           Noise& noise) {
  const std::vector<Setting> settings = {incumbent, challenger, incumbent, challenger};
  const auto measured = measure_undisturbed(settings, {{0, 2}, {1, 3}}, measure, noise);
  if (!measured) return std::nullopt;
  const Costs of_incumbent = middle(measured->costs[0], measured->costs[2]);
  const Costs of_challenger = middle(measured->costs[1], measured->costs[3]);
  Comparison comparison{.speedup = sum(of_incumbent) / sum(of_challenger),
                        .noise = std::max(noise.typical(), measured->noise),
                        .spread = spread_of_ratio(of_incumbent, of_challenger)};
  comparison.convincing =
      comparison.speedup - 1 > std::max(min_gain, deviations_to_exceed * std::max(comparison.noise, comparison.spread));
  return comparison;
}

CoordinateSearchResult coordinate_search(std::span<const Tunable> tunables, const Setting& start,
                                         const Measure& measure, const std::function<void(const Trial&)>& observe) {
  return CoordinateSearch(tunables, start, measure, observe).run();
}

}  // namespace breadth
