// Results of searches, right and wrong, and what validation says of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth::test {

/// A search's result of the whole graph, the same on every rank.
struct Result {
  std::int64_t root;
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> levels;  ///< empty, or claimed
};

inline Result right_result(const Oracle& oracle, std::int64_t root) {
  return {root, oracle.parents(Label{root}), oracle.levels(Label{root}, INT64_MAX)};
}

struct Settings {
  Directedness directedness = Directedness::undirected;
  bool wide = false;
  int threads = 1;
};

inline ValidationReport validate(const NamedEdges& list, const Result& result, const Settings& settings) {
  const BlockDistribution distribution(result.parents.size(), world().size());
  const int rank = world().rank();
  LabelArray parents(distribution.count(rank), settings.wide ? std::uint64_t{1} << 40 : result.parents.size());
  std::vector<std::int32_t> levels;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::size_t label = distribution.label(rank, i).index();
    parents.set(i, Label{result.parents[label]});
    if (!result.levels.empty()) levels.push_back(static_cast<std::int32_t>(result.levels[label]));
  }
  ThreadTeam threads(settings.threads);
  return validate_bfs(part_of(list, false, list.edges.size()), settings.directedness, Label{result.root}, parents,
                      distribution, {world(), threads}, levels);
}

inline bool breaks(const ValidationReport& report, Rule rule) {
  return std::any_of(report.broken.begin(), report.broken.end(),
                     [&](const BrokenRule& broken) { return broken.rule == rule && broken.count > 0; });
}

}  // namespace breadth::test
