// Tuning the options of a search for one graph on this machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "comm/context.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "graph500/search_keys.hpp"
#include "tune/coordinate_search.hpp"
#include "tune/timed_searches.hpp"

namespace breadth {

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

/// Told of what happens, on every rank.
struct TuningObserver {
  std::function<void(const Trial&)> trial = [](const Trial&) {};
  /// The values that won are judged on keys of their own: `convincing` or not, in which case the defaults stay.
  std::function<void(const Duel&)> judged = [](const Duel&) {};
};

/// Searches for the best setting (tune/coordinate_search.hpp) by timing (tune/timed_searches.hpp), and judges it beside
/// the defaults on keys that had no part in finding it. Ends with the budget, or when asked to stop. Collective; the
/// same on every rank.
TuningResult tune(TimedGraphs& graphs, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context);
/// The same of tunables that are all options of a search.
TuningResult tune(const Graph& graph, const TuningKeys& keys, const TuningTask& task, const TimingRules& rules,
                  const TuningObserver& observer, const Context& context);

}  // namespace breadth
