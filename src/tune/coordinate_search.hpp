// Finds the best values of some options by measuring them, one option at a time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace breadth {

/// An option to tune, and the values to try for it.
struct Tunable {
  std::string option;               ///< its name
  std::vector<std::string> values;  ///< as on the command line; the default need not be among them
  bool refined = false;             ///< whether the values are numbers above 0, between which others may be better
  bool only_between_ranks = false;  ///< whether it has no effect on one rank
  bool of_graph = false;            ///< whether it is an option of kernel 1, so that each value needs a graph of its
                                    ///< own
};

/// One value for each tunable, in their order.
using Setting = std::vector<std::string>;

/// The cost in each of several samples, for example of a search from each of several keys.
using Costs = std::vector<double>;

/// Measures the costs of settings. Takes at least one sample, and measures all settings in each sample. Returns nothing
/// if there is no time, or if it is interrupted. A setting may occur more than once: the difference between its
/// costs is noise.
using Measure = std::function<std::optional<std::vector<Costs>>(std::span<const Setting> settings)>;

/// The noise of measurements: the relative differences between sums of costs of the same setting.
class Noise {
 public:
  /// Adds the difference between two measurements of one setting, and returns it.
  double add(const Costs& costs, const Costs& costs_again);
  /// The standard deviation of all differences, estimated as 1.48 times the median so that a few disturbed measurements
  /// do not matter.
  [[nodiscard]] double typical() const;

 private:
  std::vector<double> differences_;
};

/// The result of a comparison of two settings, each measured twice, side by side.
struct Comparison {
  double speedup = 1;  ///< sum of the incumbent's costs divided by the sum of the challenger's
  double noise = 0;    ///< the typical noise or the noise of this comparison, whichever is more
  /// The standard error of the speedup over the samples: how much other samples would change it. 0 with one sample.
  double spread = 0;
  /// Whether the challenger is better by more than 1 %, more than twice the noise and more than twice the spread.
  bool convincing = false;
};

/// Measures both settings twice, side by side, and adds the difference of each from itself to `noise`. Repeats once if
/// this is more than 5 % and four times the typical noise, because other work must have disturbed the measurement.
/// Returns nothing if measuring ended early.
std::optional<Comparison> compare_settings(const Setting& incumbent, const Setting& challenger, const Measure& measure,
                                           Noise& noise);

/// The result of one attempt to improve an option.
struct Trial {
  std::string option;
  std::string incumbent;   ///< its value before
  std::string challenger;  ///< the best of the other values
  Comparison comparison;   ///< the last measurement; without a spread if there was only the screening
  bool kept = false;       ///< whether the challenger is the incumbent from now on
};

struct CoordinateSearchResult {
  Setting best;
  Noise noise;
  /// Whether the values of each tunable were tried.
  std::vector<bool> tried;
  /// The attempts that were left out because measuring ended early: "beta", "finer values of alpha", "alpha again".
  /// Empty if the search was completed.
  std::vector<std::string> not_tried;
};

/// Coordinate search: each option in turn gets the best of its values while the others stay, until none changes any
/// more, or for three rounds. Values are screened side by side; the best of them then has to win a second comparison,
/// measured anew, so that a value does not win by being the luckiest of many. A tie keeps the old value. For a
/// `refined` tunable the geometric means of the best value and its next tried values, above and below, then challenge
/// it, twice.
///
/// Calls only `measure` and `observe`, and depends only on the results of `measure`: with equal costs on all ranks, all
/// ranks take the same steps. `start` has a value for each tunable.
CoordinateSearchResult coordinate_search(std::span<const Tunable> tunables, const Setting& start,
                                         const Measure& measure, const std::function<void(const Trial&)>& observe);

}  // namespace breadth
