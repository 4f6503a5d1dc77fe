// Right and wrong results of searches, and their validation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/label_array.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "validate/validate.hpp"

namespace breadth::test {

/// The result of a search for the whole graph, the same on every rank.
struct Result {
  std::int64_t root;
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> levels;  ///< the claimed levels, or empty
};

inline Result right_result(const Oracle& oracle, std::int64_t root) {
  return {root, oracle.parents(Label{root}), oracle.levels(Label{root}, INT64_MAX)};
}

struct Settings {
  Directedness directedness = Directedness::undirected;
  bool wide = false;
  int threads = 1;
  BufferPool* pool = nullptr;
};

/// Validates several results of one graph, `per_pass` of them at a time.
inline std::vector<ValidationReport> validate(const NamedEdges& list, const std::vector<Result>& results,
                                              const Settings& settings, std::size_t per_pass = max_searches_per_pass) {
  const std::size_t size = results.front().parents.size();
  const BlockDistribution distribution(size, world().size());
  const int rank = world().rank();
  std::vector<LabelArray> parents;
  std::vector<std::vector<std::int32_t>> levels(results.size());
  std::vector<SearchResult> own;
  for (const Result& result : results) {
    LabelArray& of_result =
        parents.emplace_back(distribution.count(rank), settings.wide ? std::uint64_t{1} << 40 : size);
    for (std::size_t i = 0; i < of_result.size(); ++i) {
      const std::size_t label = distribution.label(rank, i).index();
      of_result.set(i, Label{result.parents[label]});
      if (!result.levels.empty()) levels[parents.size() - 1].push_back(static_cast<std::int32_t>(result.levels[label]));
    }
  }
  for (std::size_t s = 0; s < results.size(); ++s) own.push_back({Label{results[s].root}, parents[s], levels[s]});
  ThreadTeam threads(settings.threads);
  return validate_bfs(part_of(list, false, list.edges.size()), settings.directedness, own, distribution,
                      {world(), threads, settings.pool}, per_pass);
}

inline ValidationReport validate(const NamedEdges& list, const Result& result, const Settings& settings) {
  return validate(list, std::vector<Result>{result}, settings).front();
}

}  // namespace breadth::test
