// Results of searches for shortest paths, and their validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "support/ranks.hpp"
#include "support/shortest_paths.hpp"
#include "validate/validate.hpp"

namespace breadth::test {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct SsspSettings {
  Directedness directedness = Directedness::undirected;
  bool wide = false;
  int threads = 1;
};

/// Validates several results of one graph, `per_pass` of them at a time.
inline std::vector<ValidationReport> validate(const NamedEdges& list, const std::vector<ShortestPaths>& results,
                                              const SsspSettings& settings, std::size_t per_pass = 4) {
  const std::size_t size = results.front().parents.size();
  const BlockDistribution distribution(size, world().size());
  const int rank = world().rank();
  std::vector<LabelArray> parents;
  std::vector<std::vector<float>> distances(results.size());
  std::vector<ShortestPathResult> own;
  for (std::size_t s = 0; s < results.size(); ++s) {
    LabelArray& part = parents.emplace_back(distribution.count(rank), settings.wide ? std::uint64_t{1} << 40 : size);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::size_t label = distribution.label(rank, i).index();
      part.set(i, Label{results[s].parents[label]});
      distances[s].push_back(results[s].distances[label]);
    }
  }
  for (std::size_t s = 0; s < results.size(); ++s) own.push_back({Label{results[s].root}, parents[s], distances[s]});
  ThreadTeam threads(settings.threads);
  return validate_sssp(part_of(list, false, list.edges.size()), settings.directedness, own, distribution,
                       {world(), threads}, per_pass);
}

inline ValidationReport validate(const NamedEdges& list, const ShortestPaths& result, const SsspSettings& settings) {
  return validate(list, std::vector<ShortestPaths>{result}, settings).front();
}

}  // namespace breadth::test
