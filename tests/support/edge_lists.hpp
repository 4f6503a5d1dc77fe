// Edge lists to test with, and their distribution over ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/data/edge_list.hpp"
#include "support/ranks.hpp"

namespace breadth::test {

/// A whole edge list, the same on every rank.
struct NamedEdges {
  std::string name;
  std::vector<Edge> edges;
  std::vector<float> weights;  ///< empty, or one for each tuple
};

inline Edge edge(std::int64_t source, std::int64_t target) { return {Label{source}, Label{target}}; }

/// The range of this rank's edges: nearly equal shares if `evenly`, otherwise shares of random size, some of them
/// empty.
inline IndexRange own_part(const NamedEdges& list, bool evenly = true, std::uint64_t seed = 1) {
  const auto ranks = static_cast<std::size_t>(world().size());
  const auto rank = static_cast<std::size_t>(world().rank());
  std::vector<std::size_t> cuts{0};
  std::mt19937_64 random(seed);
  for (std::size_t r = 1; r < ranks; ++r) {
    cuts.push_back(evenly ? list.edges.size() * r / ranks : random() % (list.edges.size() + 1));
  }
  cuts.push_back(list.edges.size());
  std::sort(cuts.begin(), cuts.end());
  return {cuts[rank], cuts[rank + 1]};
}

/// The edges of own_part().
inline MemoryEdgeList part_of(const NamedEdges& list, bool evenly = true, std::uint64_t seed = 1) {
  const IndexRange own = own_part(list, evenly, seed);
  const std::span edges = std::span(list.edges).subspan(own.begin, own.size());
  const std::span weights =
      list.weights.empty() ? std::span<const float>() : std::span(list.weights).subspan(own.begin, own.size());
  return MemoryEdgeList(edges, weights);
}

/// n vertices and m uniformly random tuples, self-loops and duplicates among them.
inline NamedEdges random_edges(std::int64_t n, std::size_t m, std::uint64_t seed) {
  NamedEdges list{.name =
                      "random n=" + std::to_string(n) + " m=" + std::to_string(m) + " seed=" + std::to_string(seed)};
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> vertex(0, n - 1);
  for (std::size_t i = 0; i < m; ++i) {
    const std::int64_t source = vertex(random);
    list.edges.push_back(edge(source, vertex(random)));
  }
  return list;
}

/// n vertices and m tuples whose ends are powers of a uniform random number, so that few vertices have most edges.
inline NamedEdges skewed_edges(std::int64_t n, std::size_t m, std::uint64_t seed) {
  NamedEdges list{.name =
                      "skewed n=" + std::to_string(n) + " m=" + std::to_string(m) + " seed=" + std::to_string(seed)};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(0, 1);
  const auto vertex = [&] {
    const double x = draw(random);
    const auto rank = static_cast<std::int64_t>(x * x * x * x * static_cast<double>(n));
    return rank * 7919 % n;  // spread over the labels
  };
  for (std::size_t i = 0; i < m; ++i) {
    const std::int64_t source = vertex();
    list.edges.push_back(edge(source, vertex()));
  }
  return list;
}

inline NamedEdges path(std::int64_t n) {
  NamedEdges list{.name = "path of " + std::to_string(n)};
  for (std::int64_t i = 0; i + 1 < n; ++i) list.edges.push_back(edge(i, i + 1));
  return list;
}

/// A grid: each vertex has edges to its neighbours on the right and below.
inline NamedEdges grid(std::int64_t rows, std::int64_t columns) {
  NamedEdges list{.name = "grid of " + std::to_string(rows) + " by " + std::to_string(columns)};
  for (std::int64_t vertex = 0; vertex < rows * columns; ++vertex) {
    if ((vertex + 1) % columns != 0) list.edges.push_back(edge(vertex, vertex + 1));
    if (vertex + columns < rows * columns) list.edges.push_back(edge(vertex, vertex + columns));
  }
  return list;
}

/// A path and `m` more edges between vertices at most `reach` apart, except that one edge in 200 ends anywhere.
inline NamedEdges near_edges(std::int64_t n, std::size_t m, std::int64_t reach, std::uint64_t seed) {
  NamedEdges list = path(n);
  list.name = "near edges of " + std::to_string(n) + ", seed " + std::to_string(seed);
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  };
  for (std::size_t i = 0; i < m; ++i) {
    const std::int64_t source = below(n);
    list.edges.push_back(edge(source, i % 200 == 0 ? below(n) : std::min(n - 1, source + 1 + below(reach))));
  }
  return list;
}

inline NamedEdges star(std::int64_t n) {
  NamedEdges list{.name = "star of " + std::to_string(n)};
  for (std::int64_t i = 1; i < n; ++i) list.edges.push_back(i % 2 == 0 ? edge(0, i) : edge(i, 0));
  return list;
}

inline NamedEdges complete(std::int64_t n) {
  NamedEdges list{.name = "complete graph of " + std::to_string(n)};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) list.edges.push_back(edge(i, j));
  }
  return list;
}

/// Random edges, and some vertices with edges to many others.
inline NamedEdges with_hubs(std::int64_t n, std::size_t m, std::uint64_t seed) {
  NamedEdges list = random_edges(n, m, seed);
  list.name += " and hubs";
  std::mt19937_64 random(seed);
  for (const std::int64_t hub : {n / 3, n / 2}) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (random() % 2 == 0) list.edges.push_back(edge(hub, i));
    }
  }
  return list;
}

/// Small graphs of every unusual kind.
inline std::vector<NamedEdges> degenerate_graphs() {
  std::vector<NamedEdges> graphs;
  graphs.push_back({"one edge", {edge(0, 1)}, {}});
  graphs.push_back({"a single vertex", {edge(0, 0)}, {}});
  graphs.push_back({"only self-loops", {edge(0, 0), edge(5, 5), edge(5, 5), edge(200, 200)}, {}});
  graphs.push_back({"the same edge both ways, many times",
                    {edge(3, 70), edge(70, 3), edge(3, 70), edge(3, 3), edge(70, 3), edge(3, 70)},
                    {}});
  graphs.push_back({"two components", {edge(0, 1), edge(1, 2), edge(2, 0), edge(100, 101), edge(101, 102)}, {}});
  graphs.push_back({"far labels", {edge(0, 100000), edge(100000, 50000), edge(50000, 99999)}, {}});
  graphs.push_back(path(300));
  graphs.push_back(star(700));
  graphs.push_back(complete(40));
  return graphs;
}

}  // namespace breadth::test
