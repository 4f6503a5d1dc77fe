// The simplest search for shortest paths, as a reference, and weights to test with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "support/edge_lists.hpp"

namespace breadth::test {

/// Distances and parents of a whole graph by label: infinity and -1 for unreachable vertices.
struct ShortestPaths {
  std::int64_t root = 0;
  std::vector<std::int64_t> parents;
  std::vector<float> distances;
};

/// Dijkstra's algorithm with 32-bit distances, from the tuples.
inline ShortestPaths shortest_paths(const NamedEdges& list, Directedness directedness, std::int64_t root) {
  struct Arc {
    std::size_t target;
    float weight;
  };
  std::vector<std::vector<Arc>> arcs;
  const auto add = [&](Label from, Label to, float weight) {
    if (arcs.size() <= std::max(from.index(), to.index())) arcs.resize(std::max(from.index(), to.index()) + 1);
    arcs[from.index()].push_back({to.index(), weight});
  };
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    add(list.edges[i].source, list.edges[i].target, list.weights[i]);
    if (directedness == Directedness::undirected) add(list.edges[i].target, list.edges[i].source, list.weights[i]);
  }
  ShortestPaths found{.root = root,
                      .parents = std::vector<std::int64_t>(arcs.size(), -1),
                      .distances = std::vector<float>(arcs.size(), std::numeric_limits<float>::infinity())};
  using Entry = std::pair<float, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<bool> settled(arcs.size());
  found.distances[static_cast<std::size_t>(root)] = 0;
  found.parents[static_cast<std::size_t>(root)] = root;
  queue.emplace(0.0F, static_cast<std::size_t>(root));
  while (!queue.empty()) {
    const std::size_t vertex = queue.top().second;
    queue.pop();
    if (settled[vertex]) continue;
    settled[vertex] = true;
    for (const Arc& arc : arcs[vertex]) {
      const float distance = found.distances[vertex] + arc.weight;
      if (!(distance < found.distances[arc.target])) continue;
      found.distances[arc.target] = distance;
      found.parents[arc.target] = static_cast<std::int64_t>(vertex);
      queue.emplace(distance, arc.target);
    }
  }
  return found;
}

/// Gives each tuple a weight that is a multiple of 1/16 from 0 to 1, both included, so that paths are often equally
/// long.
inline NamedEdges with_coarse_weights(NamedEdges list, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  list.weights.clear();
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    list.weights.push_back(static_cast<float>(random() % 17) / 16);
  }
  list.name += " with coarse weights";
  return list;
}

/// Weights from 0 to 1, and a few that are much larger, or so small that they vanish beside the others.
inline NamedEdges with_wild_weights(NamedEdges list, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> draw(0, 1);
  list.weights.clear();
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const float factor = random() % 8 == 0 ? (random() % 2 == 0 ? 1e6F : 1e-9F) : 1.0F;
    list.weights.push_back(draw(random) * factor);
  }
  list.name += " with wild weights";
  return list;
}

}  // namespace breadth::test
