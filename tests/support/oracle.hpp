// The simplest breadth-first search, as a reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/data/edge_list.hpp"
#include "support/edge_lists.hpp"

namespace breadth::test {

/// The whole graph's neighbours by label, on every rank. A queue computes the levels.
class Oracle {
 public:
  Oracle(const NamedEdges& list, Directedness directedness) : edges_(list.edges), directedness_(directedness) {
    std::int64_t largest = 0;
    for (const Edge& edge : list.edges) largest = std::max({largest, edge.source.value, edge.target.value});
    neighbours_.resize(static_cast<std::size_t>(largest) + 1);
    for (const Edge& edge : list.edges) {
      neighbours_[edge.source.index()].push_back(edge.target.value);
      if (directedness == Directedness::undirected) neighbours_[edge.target.index()].push_back(edge.source.value);
    }
    for (std::vector<std::int64_t>& row : neighbours_) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
    }
  }
  [[nodiscard]] bool is_of(const NamedEdges& list, Directedness directedness) const {
    return directedness_ == directedness && edges_ == list.edges;
  }
  [[nodiscard]] std::size_t size() const { return neighbours_.size(); }
  [[nodiscard]] bool has_edge(Label source, Label target) const {
    const std::vector<std::int64_t>& row = neighbours_[source.index()];
    return std::binary_search(row.begin(), row.end(), target.value);
  }
  /// Hops from the source; -1 for a vertex that is unreachable or more than max_depth hops away.
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
  /// The parents of a search, by label. The source is its own parent; unreachable vertices have -1.
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
  std::vector<Edge> edges_;
  Directedness directedness_;
  std::vector<std::vector<std::int64_t>> neighbours_;  ///< each row sorted, without duplicates
};

/// The oracle of a list, of either kernel. It is kept until another one is needed, because most tests search one graph
/// in many ways.
template <class AnyOracle>
const AnyOracle& oracle_of(const NamedEdges& list, Directedness directedness) {
  thread_local std::optional<AnyOracle> oracle;  // a rank may be a thread
  if (!oracle || !oracle->is_of(list, directedness)) oracle.emplace(list, directedness);
  return *oracle;
}

}  // namespace breadth::test
