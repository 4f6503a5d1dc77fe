#include "tune/tuning.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "graph500/report/statistics.hpp"

namespace breadth {

// The graphs on which settings are measured.

const Graph& GraphVariants::with(const std::string& value) {
  if (const auto there = graphs_.find(value); there != graphs_.end()) return *there->second;
  const Stopwatch stopwatch;
  const Graph& graph = *graphs_.emplace(value, std::make_shared<const Graph>(build_(value))).first->second;
  slowest_seconds_ = std::max(slowest_seconds_, ranks_.all_reduce(stopwatch.seconds(), Reduction::maximum));
  return graph;
}

double GraphVariants::build_seconds(std::span<const Setting> settings) const {
  std::set<std::string> missing;
  for (const Setting& setting : settings) {
    const std::string value = value_of_(setting);
    if (!graphs_.contains(value)) missing.insert(value);
  }
  return static_cast<double>(missing.size()) * slowest_seconds_;
}

// The costs of settings.

namespace {
constexpr std::size_t rounds = 5;
constexpr double warm_up_seconds = 0.5;

/// For each key, the median over the rounds.
Costs medians(std::span<const std::vector<double>> seconds_of_rounds) {
  Costs costs(seconds_of_rounds.front().size());
  for (std::size_t key = 0; key < costs.size(); ++key) {
    std::vector<double> seconds;
    for (const std::vector<double>& of_round : seconds_of_rounds) seconds.push_back(of_round[key]);
    costs[key] = summarize(seconds).median;
  }
  return costs;
}

/// Times searches of one edge list under different settings. A block is the searches of one setting from all keys, one
/// after the other as in the benchmark, after one that does not count. All settings take turns, block by block, five
/// times over the same keys, forwards and backwards, so that a machine that slows down affects all of them. The cost of
/// a setting and a key is the median of its five times in seconds, each of the slowest rank. Only one search's working
/// memory is held at a time.
///
/// All members except interrupted() are collective, and return the same on every rank.
class TimedSearches {
 public:
  /// The arguments must outlive this object.
  TimedSearches(GraphVariants& graphs, const TimingRules& rules, const Context& context)
      : graphs_(graphs), rules_(rules), context_(context) {}

  /// Runs blocks that do not count, for half a second or at least one block, so that the processors reach their full
  /// speed. The blocks also give the expected duration of a search.
  void warm_up(const Setting& setting, std::span<const Label> keys) {
    do {
      run_block(setting, keys);
    } while (!interrupted_ && total_seconds_ < warm_up_seconds && rules_.budget.left(context_.ranks) > 0);
  }

  /// Returns a Measure for coordinate_search. It returns nothing if the settings, and the graphs that they still need,
  /// would take longer than the budget less `reserved_seconds`, or once interrupted. The keys must outlive it. Throws
  /// AgreedError if two searches from one key reach different numbers of vertices.
  Measure measure_on(std::span<const Label> keys, double reserved_seconds) {
    return [this, keys, reserved_seconds](std::span<const Setting> settings) {
      return measure(settings, keys, reserved_seconds);
    };
  }

  /// The expected seconds for `settings` settings with `keys` keys.
  [[nodiscard]] double expected_seconds(std::size_t settings, std::size_t keys) const {
    if (total_searches_ == 0) return 0;
    const auto searches = static_cast<double>(settings * rounds * (keys + 1));
    return searches * total_seconds_ / static_cast<double>(total_searches_);
  }
  [[nodiscard]] bool interrupted() const noexcept { return interrupted_; }
  /// The expected seconds of the shortest measurement that did not fit into the budget; infinity if all fitted.
  [[nodiscard]] double left_out_seconds() const noexcept { return left_out_seconds_; }

 private:
  std::optional<std::vector<Costs>> measure(std::span<const Setting> settings, std::span<const Label> keys,
                                            double reserved_seconds) {
    const double expected = expected_seconds(settings.size(), keys.size()) + graphs_.build_seconds(settings);
    if (interrupted_) return std::nullopt;
    if (expected + reserved_seconds > rules_.budget.left(context_.ranks)) {
      left_out_seconds_ = std::min(left_out_seconds_, expected + reserved_seconds);
      return std::nullopt;
    }
    for (const Setting& setting : settings) graphs_.graph_of(setting);  // built before the clock runs
    std::vector<std::vector<std::vector<double>>> seconds(settings.size());
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t turn = 0; turn < settings.size(); ++turn) {
        const std::size_t place = round % 2 == 0 ? turn : settings.size() - 1 - turn;
        seconds[place].push_back(run_block(settings[place], keys));
        if (interrupted_) return std::nullopt;
      }
    }
    std::vector<Costs> costs(settings.size());
    std::ranges::transform(seconds, costs.begin(), [](const auto& of_setting) { return medians(of_setting); });
    return costs;
  }

  /// The seconds of each key; empty once interrupted.
  std::vector<double> run_block(const Setting& setting, std::span<const Label> keys) {
    const Graph& graph = graphs_.graph_of(setting);
    context_.ranks.barrier();
    const Stopwatch stopwatch;
    std::vector<double> seconds;
    std::vector<std::uint64_t> reached;
    {
      BreadthFirstSearch search(graph, rules_.options_of(setting), context_);
      search.run(keys.back());  // the first to touch its memory
      for (const Label key : keys) {
        if (stop_requested()) return {};
        const BfsResult result = search.run(key);
        seconds.push_back(result.seconds);
        reached.push_back(result.reached);
      }
    }
    total_seconds_ += context_.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
    total_searches_ += keys.size() + 1;
    // Checked only now, because an exception while the search exists would leave the search's communicators to MPI.
    for (std::size_t i = 0; i < keys.size(); ++i) require_same_reach(keys[i], reached[i]);
    return seconds;
  }

  bool stop_requested() {
    interrupted_ = context_.ranks.any(rules_.stop());
    return interrupted_;
  }

  void require_same_reach(Label key, std::uint64_t reached) {
    const std::uint64_t before = reached_.try_emplace(key, reached).first->second;
    if (before == reached) return;
    fail<AgreedError>("a search from label {} reached {} vertices, but {} with other options", key.value, before,
                      reached);
  }

  GraphVariants& graphs_;
  const TimingRules& rules_;
  const Context& context_;
  bool interrupted_ = false;
  double left_out_seconds_ = std::numeric_limits<double>::infinity();
  double total_seconds_ = 0;  ///< of all blocks, including the time around their searches
  std::uint64_t total_searches_ = 0;
  std::unordered_map<Label, std::uint64_t> reached_;
};
}  // namespace

// Tuning.

TuningKeys draw_tuning_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t timed, std::uint64_t count,
                            const Communicator& ranks) {
  const std::vector<Label> keys = draw_search_keys(graph, seed, timed, {}, ranks);
  const std::vector<Label> drawn =
      draw_search_keys(graph, seed, 2 * count, std::unordered_set<Label>(keys.begin(), keys.end()), ranks);
  if (drawn.size() < 2) {
    fail<AgreedError>(
        "the graph is too small to tune on: it has {} vertices with edges, and {} of them are keys that the benchmark "
        "times",
        graph.connected_vertices(), keys.size());
  }
  const auto middle = drawn.begin() + static_cast<std::ptrdiff_t>((drawn.size() + 1) / 2);
  return {.search = {drawn.begin(), middle}, .judging = {middle, drawn.end()}};
}

TuningResult tune(GraphVariants& graphs, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context) {
  TimedSearches searches(graphs, rules, context);
  searches.warm_up(task.defaults, keys.search);
  constexpr std::size_t settings_in_comparison = 4;
  const double for_judging = searches.expected_seconds(settings_in_comparison, keys.judging.size());
  CoordinateSearchResult found =
      coordinate_search(task.tunables, task.defaults, searches.measure_on(keys.search, for_judging), observer.trial);
  TuningResult result{.best = task.defaults, .tried = found.tried, .not_tried = found.not_tried};
  if (found.best != task.defaults) {
    constexpr double whatever_it_takes = -std::numeric_limits<double>::infinity();
    const Measure measure = searches.measure_on(keys.judging, whatever_it_takes);
    if (const auto comparison = compare_settings(task.defaults, found.best, measure, found.noise)) {
      observer.judged(*comparison);
      if (comparison->convincing) {
        result.best = found.best;
        result.judged = *comparison;
      }
    }
  }
  result.noise = found.noise.typical();
  result.interrupted = searches.interrupted();
  result.left_out_seconds = searches.left_out_seconds();
  return result;
}

TuningResult tune(const Graph& graph, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context) {
  GraphVariants one(graph, context.ranks);
  return tune(one, keys, task, rules, observer, context);
}

}  // namespace breadth
