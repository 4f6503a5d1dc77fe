// Tunes the options of a search for one graph on this machine, by timing searches with different settings side by side,
// on the graphs that the settings need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph500/search_keys.hpp"
#include "traverse/bfs.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth {

// The graphs on which settings are measured.

/// The graphs for the settings. Most tunable options belong to a search; some belong to kernel 1 and change the graph.
/// There is one graph for each value of one such option, built when it is first needed, and kept, so that settings can
/// be measured side by side. All members are collective.
class GraphVariants {
 public:
  /// Returns the value of the option of kernel 1; settings with the same value share a graph.
  using ValueOf = std::function<std::string(const Setting& setting)>;
  /// Runs kernel 1 with a value of the option.
  using Build = std::function<Graph(const std::string& value)>;

  GraphVariants(ValueOf value_of, Build build, Communicator ranks)
      : value_of_(std::move(value_of)), build_(std::move(build)), ranks_(std::move(ranks)) {}
  /// For settings that all use one graph, which must outlive this object.
  GraphVariants(const Graph& graph, Communicator ranks)
      : value_of_([](const Setting&) { return std::string(); }),
        ranks_(std::move(ranks)),
        graphs_{{"", std::shared_ptr<const Graph>(std::shared_ptr<void>(), &graph)}} {}

  /// The graph of a setting; it is kept.
  const Graph& graph_of(const Setting& setting) { return with(value_of_(setting)); }
  /// The expected seconds to build the graphs that these settings still need, as long for each as for the slowest so
  /// far.
  [[nodiscard]] double build_seconds(std::span<const Setting> settings) const;

  const Graph& with(const std::string& value);
  [[nodiscard]] std::size_t count() const noexcept { return graphs_.size(); }

 private:
  ValueOf value_of_;
  Build build_;
  Communicator ranks_;
  std::map<std::string, std::shared_ptr<const Graph>> graphs_;
  double slowest_seconds_ = 0;
};

// The time budget of tuning.

/// A budget of seconds that starts with its construction.
class TimeBudget {
 public:
  explicit TimeBudget(double seconds) : seconds_(seconds) {}

  /// The seconds since the start on the rank that started first. Collective; the same on every rank.
  [[nodiscard]] double spent(const Communicator& ranks) const {
    return ranks.all_reduce(since_start_.seconds(), Reduction::maximum);
  }
  /// The remaining seconds; negative once the budget is exceeded. Collective; the same on every rank.
  [[nodiscard]] double left(const Communicator& ranks) const { return seconds_ - spent(ranks); }

 private:
  Stopwatch since_start_;
  double seconds_;
};

/// The rules for timing searches.
struct TimingRules {
  /// The options that a setting stands for.
  std::function<BfsOptions(const Setting&)> options_of;
  TimeBudget budget;
  /// Returns whether to stop; called on every rank before each search. If one rank wants to stop, all do.
  std::function<bool()> stop;
};

// Tuning.

/// The keys (roots) of the searches of tuning.
struct TuningKeys {
  std::vector<Label> search;   ///< for finding the best values
  std::vector<Label> judging;  ///< different ones, for judging the best values
};

/// Draws 2 * `count` different vertices with an edge to another vertex, as the benchmark draws its keys, except the
/// `timed` ones that it would time on this graph with this seed. If the graph has fewer, both kinds of keys get nearly
/// the same number. Throws AgreedError if one of them would have none. Collective; the same on every rank.
TuningKeys draw_tuning_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t timed, std::uint64_t count,
                            const Communicator& ranks);

/// The options to tune and their defaults.
struct TuningTask {
  std::vector<Tunable> tunables;
  Setting defaults;
};

/// The result of tuning.
struct TuningResult {
  Setting best;             ///< the defaults if nothing is better
  std::vector<bool> tried;  ///< whether the values of each tunable were tried; none if there was no time
  std::vector<std::string> not_tried;
  Comparison judged;  ///< `best` against the defaults, on the keys for judging; 1, 0, 0 for the defaults themselves
  double noise = 0;   ///< typical relative difference between measurements of one setting
  bool interrupted = false;
  /// The expected seconds, with those kept for judging, of the shortest measurement that did not fit into the budget;
  /// infinity if all fitted.
  double left_out_seconds = std::numeric_limits<double>::infinity();
};

/// Callbacks during tuning, called on every rank.
struct TuningObserver {
  std::function<void(const Trial&)> trial = [](const Trial&) {};
  /// Called after the best values were judged on separate keys. If the comparison is not `convincing`, the defaults
  /// stay.
  std::function<void(const Comparison&)> judged = [](const Comparison&) {};
};

/// Finds the best setting by timing (tune/coordinate_search.hpp), and judges it against the defaults on keys that were
/// not used to find it. Ends when the budget is used up or a stop is requested. Collective; the same on every rank.
TuningResult tune(GraphVariants& graphs, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context);
/// The same for tunables that are all options of a search, so that one graph suffices.
TuningResult tune(const Graph& graph, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context);

}  // namespace breadth
