#include "tune/tuning.hpp"

#include <fmt/format.h>

#include <limits>
#include <unordered_set>

#include "comm/agreement.hpp"
#include "graph500/report/report.hpp"

namespace breadth {

TuningKeys draw_tuning_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t timed, std::uint64_t count,
                            const Communicator& ranks) {
  const std::vector<Label> keys = draw_search_keys(graph, seed, timed, {}, ranks);
  const std::vector<Label> drawn =
      draw_search_keys(graph, seed, 2 * count, std::unordered_set<Label>(keys.begin(), keys.end()), ranks);
  if (drawn.size() < 2) {
    throw AgreedError(fmt::format(
        "too small a graph to tune on: {} vertices with edges, {} of which are keys that the benchmark times",
        graph.connected_vertices(), keys.size()));
  }
  const auto middle = drawn.begin() + static_cast<std::ptrdiff_t>((drawn.size() + 1) / 2);
  return {.search = {drawn.begin(), middle}, .judging = {middle, drawn.end()}};
}

TuningResult tune(TimedGraphs& graphs, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context) {
  TimedSearches searches(graphs, rules, context);
  searches.warm_up(task.defaults, keys.search);
  constexpr std::size_t settings_in_duel = 4;
  const double for_judging = searches.expected_seconds(settings_in_duel, keys.judging.size());
  CoordinateSearchResult found =
      coordinate_search(task.tunables, task.defaults, searches.measure_on(keys.search, for_judging), observer.trial);
  TuningResult result{.best = task.defaults, .tried = found.tried, .not_tried = found.not_tried};
  if (found.best != task.defaults) {
    constexpr double whatever_it_takes = -std::numeric_limits<double>::infinity();
    const Measure measure = searches.measure_on(keys.judging, whatever_it_takes);
    if (const auto duel = fight(task.defaults, found.best, measure, found.noise)) {
      observer.judged(*duel);
      if (duel->convincing) {
        result.best = found.best;
        result.judged = *duel;
      }
    }
  }
  result.noise = found.noise.typical();
  result.interrupted = searches.interrupted();
  return result;
}

TuningResult tune(const Graph& graph, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context) {
  OneGraph one(graph);
  return tune(one, keys, task, rules, observer, context);
}

}  // namespace breadth
