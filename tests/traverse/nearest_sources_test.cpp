// Searches from several sources at once: levels, trees, and which source is the first of the nearest ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "each_graph.hpp"
#include "graph/graph.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/rounds.hpp"
#include "support/routes.hpp"
#include "traverse/bfs.hpp"
#include "traverse/one_rank.hpp"
#include "validate/tree_levels.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::Oracle;
using test::world;

/// For each label the level from the nearest source, and the first of the sources at that level; -1 if there is none.
struct Nearest {
  std::vector<std::int64_t> levels;
  std::vector<std::int64_t> sources;
};

/// Computed by a separate search from each source.
Nearest nearest_by_oracle(const Oracle& oracle, const std::vector<Label>& sources, std::int64_t max_depth) {
  Nearest nearest{std::vector<std::int64_t>(oracle.size(), -1), std::vector<std::int64_t>(oracle.size(), -1)};
  for (const Label source : sources) {
    const auto from_one = oracle.levels(source, max_depth);
    for (std::size_t label = 0; label < oracle.size(); ++label) {
      const std::int64_t before = nearest.levels[label];
      if (from_one[label] < 0 || (before >= 0 && before <= from_one[label])) continue;
      nearest.levels[label] = from_one[label];
      nearest.sources[label] = source.value;
    }
  }
  return nearest;
}

/// The parent, level and root of each label in the trees of all ranks; -1 if the label is in none.
struct Forest {
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> levels;
  std::vector<std::int64_t> roots;
};

Forest forest_of(const LabelArray& parents, const BlockDistribution& distribution, const Context& context) {
  Forest own{std::vector<std::int64_t>(parents.size()), std::vector<std::int64_t>(parents.size()),
             std::vector<std::int64_t>(parents.size())};
  for (std::size_t i = 0; i < parents.size(); ++i) own.parents[i] = parents[i].value;
  if (world().size() == 1) {
    write_tree_depths(parents, own.levels, context.threads);
    write_tree_roots(parents, own.roots, context.threads);
    return own;
  }
  const TreeRoots found = tree_roots(parents, distribution, context);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    own.levels[i] = found.levels[i] == no_level ? -1 : static_cast<std::int64_t>(found.levels[i]);
    own.roots[i] = found.roots[i].value;
  }
  const auto of_all = [](const std::vector<std::int64_t>& values) {
    return world().all_gather_varying(std::span<const std::int64_t>(values));
  };
  return {of_all(own.parents), of_all(own.levels), of_all(own.roots)};
}

void expect_nearest(const Oracle& oracle, const Graph& graph, BreadthFirstSearch& search,
                    const std::vector<Label>& sources, std::int64_t max_depth, const Context& context) {
  const Nearest expected = nearest_by_oracle(oracle, sources, max_depth);
  for (const NearestSource nearest : {NearestSource::any, NearestSource::first}) {
    if (nearest == NearestSource::first && world().size() > 1) continue;
    SCOPED_TRACE(nearest == NearestSource::any ? "any" : "first");
    const BfsResult found = search.run_from(sources, nearest);
    const auto [parents, levels, roots] = forest_of(found.parents, graph.distribution(), context);
    ASSERT_EQ(levels, expected.levels);
    if (nearest == NearestSource::first) {
      ASSERT_EQ(roots, expected.sources);
    }
    std::uint64_t reached = 0;
    for (std::size_t label = 0; label < levels.size(); ++label) {
      const Label parent{parents[label]};
      ASSERT_EQ(parent == no_label, levels[label] < 0);
      if (parent == no_label) continue;
      ++reached;
      ASSERT_EQ(roots[label], roots[parent.index()]);
      if (levels[label] == 0) {
        ASSERT_EQ(parent.index(), label);
      } else {
        ASSERT_TRUE(oracle.has_edge(parent, Label{static_cast<std::int64_t>(label)}));
        ASSERT_EQ(levels[parent.index()], levels[label] - 1);
      }
    }
    ASSERT_EQ(found.reached, reached);
  }
}

TEST(NearestSources, OfDegenerateGraphs) {
  for (const int size : {1, 3}) {
    ThreadTeam threads(size);
    const Context context{world(), threads};
    for (const NamedEdges& list : test::degenerate_graphs()) {
      SCOPED_TRACE(list.name);
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        const Oracle oracle(list, directedness);
        const Graph graph = build_graph(test::part_of(list), {.directedness = directedness}, context);
        BreadthFirstSearch search(graph, {}, context);
        std::vector<Label> sources;
        expect_nearest(oracle, graph, search, sources, INT64_MAX, context);
        // Labels from the last to the first, each of them twice.
        for (std::size_t left = oracle.size(); left > 0; left -= std::min(left, 1 + oracle.size() / 20)) {
          sources.insert(sources.end(), 2, Label{static_cast<std::int64_t>(left - 1)});
        }
        expect_nearest(oracle, graph, search, {sources.begin(), sources.begin() + 2}, INT64_MAX, context);
        expect_nearest(oracle, graph, search, sources, INT64_MAX, context);
      }
    }
  }
}

NamedEdges random_graph(std::mt19937_64& random) {
  const auto n = static_cast<std::int64_t>(2 + random() % 2000);
  const std::size_t m = 1 + random() % (random() % 2 == 0 ? 1000 : 12000);
  switch (random() % 7) {
    case 0: return test::path(2 + n / 4);
    case 1: return test::grid(1 + n / 50, 40);
    case 2: return test::star(n);
    case 3: return test::near_edges(n, m, 9, random());
    case 4: return test::random_edges(n, m, random());
    default: return test::skewed_edges(n, m, random());
  }
}

BfsOptions random_options(std::mt19937_64& random) {
  BfsOptions options;
  options.direction.policy = static_cast<DirectionPolicy>(random() % 3);
  options.push_ranges = random() % 4 != 0;
  options.mixed_levels = random() % 4 != 0;
  options.fuse_levels = random() % 4 != 0;
  options.adaptive_levels = random() % 4 != 0;
  options.leaves_last = random() % 4 != 0;
  if (random() % 3 == 0) options.small_level = random() % 4;
  if (random() % 3 == 0) options.max_depth = static_cast<std::int64_t>(random() % 8);
  if (random() % 3 == 0) options.messages.exchange = ExchangePolicy::bulk;
  if (random() % 3 == 0) options.pull = PullPolicy::messages;
  options.messages.coalescing = 1 + random() % 300;
  options.messages.route = test::random_route(random);
  options.replication.ranks_per_node = static_cast<int>(random() % 3);
  options.messages.route.ranks_per_node = options.replication.ranks_per_node;
  return options;
}

GraphOptions random_layout(std::mt19937_64& random, NamedEdges& list) {
  GraphOptions options{.directedness = random() % 2 == 0 ? Directedness::undirected : Directedness::directed};
  if (random() % 3 == 0) options.neighbour_width = NeighbourWidth::bits64;
  if (random() % 4 == 0) options.layout.order = VertexOrder::label;
  switch (random() % 5) {
    case 0: options.layout.adjacency = AdjacencyForm::compressed; break;
    case 1: options.layout.neighbours = NeighbourOrder::labels; break;
    case 2:
      options.layout.neighbours = NeighbourOrder::weights;
      for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(static_cast<float>(random() % 9));
      break;
    case 3:
      if (world().size() > 1) options.layout.hubs = {HubRule::degree, static_cast<std::uint32_t>(random() % 30)};
      break;
    default: break;
  }
  return options;
}

TEST(NearestSources, OfRandomGraphsOnRandomOptions) {
  std::mt19937_64 random(31);
  const int rounds = world().size() > 1 ? test::rounds(40, 400) : test::rounds(test::sized(250, 60), 2500);
  for (int round = 0; round < rounds && !testing::Test::HasFatalFailure(); ++round) {
    ThreadTeam threads(static_cast<int>(1 + random() % 4));
    const Context context{world(), threads};
    NamedEdges list = random_graph(random);
    const GraphOptions layout = random_layout(random, list);
    SCOPED_TRACE("round " + std::to_string(round) + ", " + list.name);
    const Oracle oracle(list, layout.directedness);
    const Graph graph = build_graph(test::part_of(list), layout, context);
    const BfsOptions options = random_options(random);
    BreadthFirstSearch search(graph, options, context);
    for (int i = 0; i < 3 && !testing::Test::HasFatalFailure(); ++i) {
      std::vector<Label> sources(random() % (random() % 2 == 0 ? 4 : 60));
      for (Label& source : sources) source = Label{static_cast<std::int64_t>(random() % oracle.size())};
      if (sources.size() > 2) sources.back() = sources.front();
      expect_nearest(oracle, graph, search, sources, options.max_depth, context);
    }
    // The search must leave no state behind.
    const Forest forest = forest_of(search.run(Label{0}).parents, graph.distribution(), context);
    ASSERT_EQ(forest.levels, oracle.levels(Label{0}, options.max_depth));
  }
}

/// Pushes divide rows between threads edge by edge, and pulls have rows of several pieces.
TEST(NearestSources, OfLargerGraphs) {
  ThreadTeam threads(4);
  const Context context{world(), threads};
  const std::int64_t n = test::sized(40000, 8000);
  for (const NamedEdges& list :
       {test::skewed_edges(n, static_cast<std::size_t>(20 * n), 5), test::with_hubs(n, 3000, 6)}) {
    test::for_each_graph_of(list, context, [&](const Oracle& oracle, const Graph& graph) {
      BreadthFirstSearch search(graph, {}, context);
      std::vector<Label> sources;
      for (std::size_t i = 0; i < 12; ++i) sources.push_back(list.edges[list.edges.size() / 12 * (11 - i)].target);
      expect_nearest(oracle, graph, search, sources, INT64_MAX, context);
    });
  }
}

TEST(NearestSources, AreLabelsOfTheGraphInRows) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::path(9);
  const Graph graph = build_graph(test::part_of(list), {}, context);
  BreadthFirstSearch search(graph, {}, context);
  const std::vector<Label> sources{Label{1}, Label{9}};
  EXPECT_THROW((void)search.run_from(sources, NearestSource::any), Error);
  if (world().size() > 1) {
    EXPECT_THROW((void)search.run_from(std::span(sources).first(1), NearestSource::first), Error);
  }
  const Graph scanned = build_graph(test::part_of(list), {.layout = {.adjacency = AdjacencyForm::skip_list}}, context);
  BreadthFirstSearch other(scanned, {}, context);
  const std::vector<Label> two{Label{1}, Label{2}};
  EXPECT_THROW((void)other.run_from(two, NearestSource::any), Error);
  EXPECT_THROW((void)other.run_from(std::span(two).first(1), NearestSource::first), Error);
}

}  // namespace
}  // namespace breadth
