// Compares searches for shortest paths with Dijkstra's algorithm on the edge list: distances bit by bit, and whether
// parents are possible ones.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "generate/generators.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/ranks.hpp"
#include "support/routes.hpp"
#include "support/serial_searches.hpp"
#include "traverse/sssp.hpp"

namespace breadth::test {

inline constexpr float infinity = std::numeric_limits<float>::infinity();

struct Variant {
  Directedness directedness = Directedness::undirected;
  NeighbourWidth width = NeighbourWidth::automatic;
  VertexOrder order = VertexOrder::degree;
  std::size_t columns = 2;
  HubChoice hubs = {};
  SsspOptions options = {};
  int threads = 1;
  bool evenly = true;

  [[nodiscard]] std::string text() const {
    return fmt::format(
        "{}, {}-bit, {} order, {} columns, hubs by rule {} above {}, delta {}, sweeps {}, ball {}, hubs first {}, "
        "fuse {}, bucket batch {}, small batch {}, known distances {}, "
        "coalescing {}, exchange {} ending by {}, packets {}, "
        "{}, replicate {}, max distance {}, {} threads",
        directedness == Directedness::directed ? "directed" : "undirected",
        width == NeighbourWidth::bits64 ? "64" : "auto", order == VertexOrder::degree ? "degree" : "label", columns,
        static_cast<int>(hubs.rule), hubs.degree, options.delta, options.sweeps, options.ball_divisor,
        options.hubs_first, options.fuse, options.bucket_batch, options.small_batch, options.known_distances,
        options.messages.coalescing, static_cast<int>(options.messages.exchange),
        options.messages.ending ? static_cast<int>(*options.messages.ending) : -1,
        static_cast<int>(options.messages.packets), text_of(options.messages.route),
        options.replicate ? static_cast<int>(*options.replicate) : -1, options.max_distance, threads);
  }
};

/// The expected result of a search, computed from the edge list.
class SsspOracle {
 public:
  SsspOracle(const NamedEdges& list, Directedness directedness) : list_(list), directedness_(directedness) {
    for (const auto& [source, target] : list.edges) {
      size_ = std::max({size_, source.index() + 1, target.index() + 1});
    }
    lightest_.resize(size_);
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const auto [source, target] = list.edges[i];
      lightest_[source.index()].emplace_back(target.value, list.weights[i]);
      if (directedness == Directedness::undirected) {
        lightest_[target.index()].emplace_back(source.value, list.weights[i]);
      }
    }
    for (Row& row : lightest_) std::sort(row.begin(), row.end());  // the lightest of parallel edges first
  }
  [[nodiscard]] bool is_of(const NamedEdges& list, Directedness directedness) const {
    return directedness_ == directedness && list_.edges == list.edges && list_.weights == list.weights;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] ShortestPathTree tree(Label source, float max_distance) const {
    return test::serial_sssp(MemoryEdgeList(list_.edges, list_.weights), directedness_, size_, source, max_distance);
  }
  /// The weight of the lightest edge; +infinity without an edge.
  [[nodiscard]] float weight(Label source, Label target) const {
    const Row& row = lightest_[source.index()];
    const auto found = std::lower_bound(row.begin(), row.end(), std::pair(target.value, -infinity));
    return found == row.end() || found->first != target.value ? infinity : found->second;
  }

 private:
  using Row = std::vector<std::pair<std::int64_t, float>>;
  NamedEdges list_;
  Directedness directedness_;
  std::size_t size_ = 0;
  std::vector<Row> lightest_;
};

/// The parents of all ranks, by label.
inline std::vector<std::int64_t> all_parents(const LabelArray& parents) {
  std::vector<std::int64_t> mine(parents.size());
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = parents[i].value;
  return world().all_gather_varying(std::span<const std::int64_t>(mine));
}

/// Checks that every chain of parents ends at the source.
inline void expect_no_cycle(const std::vector<std::int64_t>& parents, Label source) {
  enum class Mark : char { unknown, on_the_way, ends_at_source };
  std::vector<Mark> marks(parents.size(), Mark::unknown);
  marks[source.index()] = Mark::ends_at_source;
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] < 0) continue;
    chain.clear();
    std::size_t vertex = i;
    for (; marks[vertex] == Mark::unknown; vertex = static_cast<std::size_t>(parents[vertex])) {
      marks[vertex] = Mark::on_the_way;
      chain.push_back(vertex);
      ASSERT_GE(parents[vertex], 0) << "vertex " << vertex << " is a parent but has none itself";
    }
    ASSERT_NE(marks[vertex], Mark::on_the_way) << "the parents of vertex " << i << " form a cycle";
    for (const std::size_t member : chain) marks[member] = Mark::ends_at_source;
  }
}

inline void expect_tree(const SsspOracle& oracle, const Graph& graph, const SsspResult& result, Label source,
                        const SsspOptions& options) {
  const ShortestPathTree expected = oracle.tree(source, options.max_distance);
  const int rank = world().rank();
  const ShortestPathTree& tree = result.tree;
  ASSERT_EQ(tree.parents.size(), graph.distribution().count(rank));
  ASSERT_EQ(tree.distances.size(), graph.distribution().count(rank));
  for (std::size_t i = 0; i < tree.parents.size(); ++i) {
    const Label label = graph.distribution().label(rank, i);
    ASSERT_EQ(tree.distances[i], expected.distances[label.index()])
        << "vertex " << label.value << " from " << source.value;
    const Label parent = tree.parents[i];
    if (label == source) {
      ASSERT_EQ(parent, source);
    } else if (std::isinf(tree.distances[i])) {
      ASSERT_EQ(parent, no_label);
    } else {
      ASSERT_TRUE(parent.value >= 0 && parent.index() < oracle.size()) << "vertex " << label.value;
      ASSERT_EQ(expected.distances[parent.index()] + oracle.weight(parent, label), tree.distances[i])
          << parent.value << " -> " << label.value << " from " << source.value;
    }
  }
  expect_no_cycle(all_parents(tree.parents), source);
  const auto reached = static_cast<std::uint64_t>(std::count_if(expected.distances.begin(), expected.distances.end(),
                                                                [](float distance) { return !std::isinf(distance); }));
  EXPECT_EQ(result.reached, reached);
}

/// Searches from several sources with one ShortestPathSearch, so that state left over from a run would show.
inline void expect_searches(const NamedEdges& list, const Variant& setup, std::uint64_t seed, int searches = 3) {
  SCOPED_TRACE(list.name + ": " + setup.text());
  ThreadTeam threads(setup.threads);
  const Context context{world(), threads};
  const GraphLayout layout{
      .order = setup.order, .neighbours = NeighbourOrder::weights, .columns = setup.columns, .hubs = setup.hubs};
  const Graph graph =
      build_graph(part_of(list, setup.evenly, seed), {setup.directedness, setup.width, layout}, context);
  const SsspOracle& oracle = oracle_of<SsspOracle>(list, setup.directedness);
  ASSERT_EQ(oracle.size(), graph.vertex_count());
  ShortestPathSearch search(graph, setup.options, context);
  std::mt19937_64 random(seed);
  for (int i = 0; i < searches && !failed_anywhere(); ++i) {
    const Label source{static_cast<std::int64_t>(random() % oracle.size())};
    expect_tree(oracle, graph, search.run(source), source, setup.options);
  }
}

/// A named way to draw weights.
struct Weights {
  const char* name;
  std::function<float(std::mt19937_64&)> draw;
};
inline float even_draw(std::mt19937_64& random) { return std::uniform_real_distribution<float>(0, 1)(random); }

inline const std::vector<Weights>& every_kind_of_weights() {
  static const std::vector<Weights> kinds{
      {"even", even_draw},
      {"zero", [](auto&) { return 0.0F; }},
      {"equal", [](auto&) { return 0.1F; }},
      {"zero or one", [](auto& random) { return static_cast<float>(random() % 2); }},
      {"integer", [](auto& random) { return static_cast<float>(1 + random() % 255); }},
      {"from 1e-20 to 1e20", [](auto& random) { return std::pow(10.0F, 40 * even_draw(random) - 20); }},
      {"vanishing", [](auto& random) { return random() % 3 == 0 ? 1.0F : 1e-9F; }},
      {"even or zero", [](auto& random) { return random() % 2 == 0 ? 0.0F : even_draw(random); }},
      {"negative zero", [](auto& random) { return random() % 2 == 0 ? -0.0F : 1.0F; }},
      {"subnormal", [](auto& random) { return std::ldexp(even_draw(random), -130); }},
      {"that overflow", [](auto& random) { return random() % 4 == 0 ? 2e38F : 1e38F; }},
      {"infinite or one", [](auto& random) { return random() % 2 == 0 ? infinity : 1.0F; }}};
  return kinds;
}

inline NamedEdges weighed(NamedEdges list, const Weights& weights, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  list.name += fmt::format(", weights {}", weights.name);
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(weights.draw(random));
  return list;
}

/// A random way to replicate distances, or none, so that the search chooses.
inline std::optional<Replication> random_replication(std::mt19937_64& random) {
  constexpr std::optional<Replication> ways[] = {std::nullopt, Replication::allgather, Replication::leader,
                                                 Replication::shared, Replication::subgroups};
  return ways[random() % std::size(ways)];
}

inline NamedEdges kronecker(int scale) {
  const Kronecker generator({.scale = scale});
  NamedEdges list{.name = fmt::format("Kronecker of scale {}", scale)};
  list.edges.resize(generator.edge_count(), Edge{no_label, no_label});
  list.weights.resize(generator.edge_count());
  generator.generate(0, list.edges, list.weights);
  return list;
}

/// Random edges, and a vertex with `rays` more. With the default number the search sweeps the graph.
inline NamedEdges star_like(const std::function<float(std::mt19937_64&)>& draw, std::int64_t rays = 2700) {
  NamedEdges list = random_edges(3000, 7000, 5);
  for (std::int64_t i = 1; i <= rays; ++i) list.edges.push_back(edge(17, i * 7 % 3000));
  list.name = "like a star";
  return weighed(std::move(list), {"drawn", draw}, 6);
}

}  // namespace breadth::test
