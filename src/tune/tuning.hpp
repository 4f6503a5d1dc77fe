// Tuning the options of a search for one graph on this machine, by the time of searches that run side by side on the
// graphs that settings want.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

// The graphs that settings are searched on.

/// Most options are those of a search; some are kernel 1's, and change the graph. A graph for each value of one option,
/// built when it is first wanted, and kept: what is measured side by side lies side by side. All members are
/// collective.
class GraphVariants {
 public:
  /// The value of that option; the same for settings that share a graph.
  using ValueOf = std::function<std::string(const Setting& setting)>;
  /// Kernel 1 with a value.
  using Build = std::function<Graph(const std::string& value)>;

  GraphVariants(ValueOf value_of, Build build, Communicator ranks)
      : value_of_(std::move(value_of)), build_(std::move(build)), ranks_(std::move(ranks)) {}
  /// The one graph, which outlives it, of settings that none changes.
  GraphVariants(const Graph& graph, Communicator ranks)
      : value_of_([](const Setting&) { return std::string(); }),
        ranks_(std::move(ranks)),
        graphs_{{"", std::shared_ptr<const Graph>(std::shared_ptr<void>(), &graph)}} {}

  /// The graph of a setting; it stays.
  const Graph& graph_of(const Setting& setting) { return with(value_of_(setting)); }
  /// How long it is expected to take until all these settings have a graph: as long as the slowest so far, each.
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

// How long tuning may take.

/// So many seconds from its construction on.
class TimeBudget {
 public:
  explicit TimeBudget(double seconds) : seconds_(seconds) {}

  /// Since the start, as the rank says that started first. Collective; the same on every rank.
  [[nodiscard]] double spent(const Communicator& ranks) const {
    return ranks.all_reduce(since_start_.seconds(), Reduction::maximum);
  }
  /// What remains; negative once there is none. Collective; the same on every rank.
  [[nodiscard]] double left(const Communicator& ranks) const { return seconds_ - spent(ranks); }

 private:
  Stopwatch since_start_;
  double seconds_;
};

/// What timing has to know beside the graphs.
struct TimingRules {
  /// The options that a setting stands for.
  std::function<BfsOptions(const Setting&)> options_of;
  TimeBudget budget;
  /// Asked on every rank before each search: whether to stop. One rank's yes stops all.
  std::function<bool()> stop;
};

// Tuning.

/// Where the searches of tuning start.
struct TuningKeys {
  std::vector<Label> search;   ///< to find the best values with
  std::vector<Label> judging;  ///< others, to find out what these are worth
};

/// Twice `count` different vertices with an edge to another vertex, drawn as the benchmark draws its keys, without the
/// `timed` ones that it would time on this graph with this seed; fewer where the graph has fewer, of both sorts nearly
/// as many. Throws AgreedError where that leaves one of them without any. Collective; the same on every rank.
TuningKeys draw_tuning_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t timed, std::uint64_t count,
                            const Communicator& ranks);

/// What there is to choose from.
struct TuningTask {
  std::vector<Tunable> tunables;
  Setting defaults;
};

/// What became of it.
struct TuningResult {
  Setting best;             ///< the defaults, where nothing is better than they
  std::vector<bool> tried;  ///< whose values were tried; where none was, there was no time for anything
  std::vector<std::string> not_tried;
  Duel judged;       ///< of `best` against the defaults, from the keys for judging; 1, 0, 0 for the defaults themselves
  double noise = 0;  ///< how far apart the same setting typically lay from itself, relative
  bool interrupted = false;
};

/// Is called as things happen, on every rank.
struct TuningObserver {
  std::function<void(const Trial&)> trial = [](const Trial&) {};
  /// The values that won are judged on keys of their own: `convincing` or not, in which case the defaults stay.
  std::function<void(const Duel&)> judged = [](const Duel&) {};
};

/// Searches for the best setting (tune/coordinate_search.hpp) by timing, and judges it beside the
/// defaults on keys that had no part in finding it. Ends with the budget, or when asked to stop. Collective; the
/// same on every rank.
TuningResult tune(GraphVariants& graphs, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context);
/// The same of tunables that are all options of a search.
TuningResult tune(const Graph& graph, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context);

}  // namespace breadth
