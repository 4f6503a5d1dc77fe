// The plainest breadth-first search, to compare with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "core/directedness.hpp"
#include "support/edge_lists.hpp"

namespace breadth::test {

/// Neighbours by label, of the whole graph, on every rank; levels by a queue.
class Oracle {
 public:
  Oracle(const NamedEdges& list, Directedness directedness) {
    std::int64_t largest = 0;
    for (const Edge& edge : list.edges) largest = std::max({largest, edge.source.value, edge.target.value});
    neighbours_.resize(static_cast<std::size_t>(largest) + 1);
    for (const Edge& edge : list.edges) {
      neighbours_[edge.source.index()].insert(edge.target.value);
      if (directedness == Directedness::undirected) neighbours_[edge.target.index()].insert(edge.source.value);
    }
  }
  [[nodiscard]] std::size_t size() const { return neighbours_.size(); }
  [[nodiscard]] bool has_edge(Label source, Label target) const {
    return neighbours_[source.index()].count(target.value) != 0;
  }
  /// Hops from the source, -1 where there is no way or more than max_depth of them.
  [[nodiscard]] std::vector<std::int64_t> levels(Label source, std::int64_t max_depth) const {
    std::vector<std::int64_t> levels(size(), -1);
    std::deque<std::size_t> queue{source.index()};
    levels[source.index()] = 0;
    while (!queue.empty()) {
      const std::size_t vertex = queue.front();
      queue.pop_front();
      if (levels[vertex] == max_depth) continue;
      for (const std::int64_t neighbour : neighbours_[vertex]) {
        const auto next = static_cast<std::size_t>(neighbour);
        if (levels[next] >= 0) continue;
        levels[next] = levels[vertex] + 1;
        queue.push_back(next);
      }
    }
    return levels;
  }
  /// Parents of such a search by label, the source's its own, -1 where there is no way.
  [[nodiscard]] std::vector<std::int64_t> parents(Label source) const {
    const std::vector<std::int64_t> level = levels(source, INT64_MAX);
    std::vector<std::int64_t> parents(size(), -1);
    for (std::size_t vertex = 0; vertex < size(); ++vertex) {
      if (level[vertex] < 0) continue;
      for (const std::int64_t neighbour : neighbours_[vertex]) {
        const auto next = static_cast<std::size_t>(neighbour);
        if (level[next] == level[vertex] + 1) parents[next] = static_cast<std::int64_t>(vertex);
      }
    }
    parents[source.index()] = source.value;
    return parents;
  }

 private:
  std::vector<std::set<std::int64_t>> neighbours_;
};

}  // namespace breadth::test
