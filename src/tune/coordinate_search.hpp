// Finding the best values of some options by trying them, one option at a time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace breadth {

/// An option that may be set, and what to try for it.
struct Tunable {
  std::string option;               ///< its name
  std::vector<std::string> values;  ///< as they would stand on the command line; the default need not be among them
  bool refined = false;             ///< whether the values are numbers above 0, and others between them may be better
  bool only_between_ranks = false;  ///< whether it changes nothing on a single rank
  bool of_graph = false;            ///< whether it is an option of kernel 1: each value takes a graph of its own
};

/// One value for each tunable, in their order.
using Setting = std::vector<std::string>;

/// What something costs in each of several samples: a search from each of several keys.
using Costs = std::vector<double>;

/// What each setting costs, all measured side by side in the same samples, at least one; nothing where there is no time
/// for it, or someone interrupts. A setting may occur more than once: what its costs differ by is noise.
using Measure = std::function<std::optional<std::vector<Costs>>(std::span<const Setting> settings)>;

/// How far apart the sums of the same setting's costs lie from each other, relative.
class Noise {
 public:
  /// One more such difference; returns it.
  double add(const Costs& costs, const Costs& costs_again);
  /// The standard deviation of all of them, robust against a few that were disturbed: 1.48 times the median.
  [[nodiscard]] double typical() const;

 private:
  std::vector<double> differences_;
};

/// Two settings beside each other, each measured twice.
struct Duel {
  double speedup = 1;  ///< all costs of the incumbent over all of the challenger
  double noise = 0;    ///< the typical one, or what was seen in this duel, whichever is more
  /// The standard error of the speedup over the samples: how much others would change it. 0 with one sample.
  double spread = 0;
  /// Whether the challenger is better by more than 1 %, more than twice the noise and more than twice the spread.
  bool convincing = false;
};

/// Measures both twice, side by side; what each differs from itself goes into `noise`. Once more where that is more
/// than 5 % and four times the typical noise: something else must have had the machine.
std::optional<Duel> fight(const Setting& incumbent, const Setting& challenger, const Measure& measure, Noise& noise);

/// What became of one attempt to better an option.
struct Trial {
  std::string option;
  std::string incumbent;   ///< its value before
  std::string challenger;  ///< the best of the others
  Duel duel;               ///< as measured last; without a spread if there was no duel
  bool kept = false;       ///< whether the challenger is the incumbent from now on
};

struct CoordinateSearchResult {
  Setting best;
  Noise noise;
  /// Whose values were tried, in the order of the tunables.
  std::vector<bool> tried;
  /// What measuring ended too early for: "beta", "finer values of alpha", "alpha again". Empty where the search ended
  /// by itself.
  std::vector<std::string> not_tried;
};

/// Coordinate search: in turn each option gets the best of its values while the others stay, until none changes any
/// more, or three rounds are over. Values are screened side by side; the best of them then has to win a duel, measured
/// anew, so that picking the luckiest of many proves nothing. Ties keep what was there before. Then, where a tunable is
/// `refined`, the geometric means of the best value and the next that were tried, above and below, challenge it; twice.
///
/// Calls nothing but `measure` and `observe`, and is a function of what `measure` returns: equal costs on all ranks
/// make it take the same way on all. `start` has a value for each tunable.
CoordinateSearchResult coordinate_search(std::span<const Tunable> tunables, const Setting& start,
                                         const Measure& measure, const std::function<void(const Trial&)>& observe);

}  // namespace breadth
