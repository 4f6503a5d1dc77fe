// Right trees of shortest paths are accepted, in several rounds and in several passes.
#include "validate/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "broken_rules.hpp"
#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "sssp_results.hpp"

namespace breadth {
namespace {

using test::breaks;
using test::infinity;
using test::NamedEdges;
using test::shortest_paths;
using test::ShortestPaths;
using test::SsspSettings;
using test::validate;
using test::world;

void expect_valid(const NamedEdges& list, Directedness directedness) {
  std::set<std::int64_t> sources{0};
  for (std::size_t i = 0; i < 3; ++i) sources.insert(list.edges[i * 7919 % list.edges.size()].source.value);
  std::vector<ShortestPaths> results;
  for (const std::int64_t source : sources) results.push_back(shortest_paths(list, directedness, source));
  for (const bool wide : {false, true}) {
    const std::vector<ValidationReport> reports = validate(list, results, {directedness, wide, wide ? 2 : 1});
    for (std::size_t s = 0; s < results.size(); ++s) {
      SCOPED_TRACE(list.name + " from " + std::to_string(results[s].root));
      const std::vector<float>& distances = results[s].distances;
      EXPECT_TRUE(reports[s].valid()) << reports[s].text();
      EXPECT_EQ(reports[s].reached, static_cast<std::uint64_t>(std::count_if(
                                        distances.begin(), distances.end(), [](float d) { return std::isfinite(d); })));
      EXPECT_EQ(reports[s].traversed_edges,
                static_cast<std::uint64_t>(std::count_if(list.edges.begin(), list.edges.end(), [&](const Edge& edge) {
                  return distances[edge.source.index()] < infinity && distances[edge.target.index()] < infinity;
                })));
    }
  }
}

TEST(ValidateSssp, AcceptsWhatIsRight) {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::random_edges(400, 700, 1));
  graphs.push_back(test::skewed_edges(900, 4000, 2));
  for (const NamedEdges& graph : graphs) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      expect_valid(test::with_coarse_weights(graph, 11), directedness);
      expect_valid(test::with_wild_weights(graph, 12), directedness);
      NamedEdges weightless = graph;
      weightless.weights.assign(graph.edges.size(), 0.0F);
      expect_valid(weightless, directedness);
    }
  }
}

// More labels and tuples than fit into a round, all tuples on one rank, and a tree deeper than a byte can count.
TEST(ValidateSssp, TakesSeveralRounds) {
  NamedEdges list = test::path(300000);
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(static_cast<float>(i % 5) / 4);
  ShortestPaths result = shortest_paths(list, Directedness::undirected, 0);
  const BlockDistribution distribution(result.parents.size(), world().size());
  const bool last = world().rank() == world().size() - 1;
  const MemoryEdgeList part(last ? std::span<const Edge>(list.edges) : std::span<const Edge>(),
                            last ? std::span<const float>(list.weights) : std::span<const float>());
  ThreadTeam threads(2);
  const auto check = [&] {
    LabelArray parents(distribution.count(world().rank()), result.parents.size());
    std::vector<float> distances(parents.size());
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const std::size_t label = distribution.label(world().rank(), i).index();
      parents.set(i, Label{result.parents[label]});
      distances[i] = result.distances[label];
    }
    return validate_sssp(part, Directedness::undirected, {Label{0}, parents, distances}, distribution,
                         {world(), threads});
  };
  const ValidationReport right = check();
  EXPECT_TRUE(right.valid()) << right.text();
  EXPECT_EQ(right.depth, list.edges.size());
  result.distances[299999] += 0.25F;
  EXPECT_TRUE(breaks(check(), Rule::distance));
}

TEST(ValidateSssp, TheResultMustFitItsBlockAndTheListHaveWeights) {
  const BlockDistribution distribution(1000, world().size());
  const std::size_t count = distribution.count(world().rank());
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const LabelArray parents(count, 1000);
  const std::vector<float> distances(count);
  // Wrong on the first rank only, but all ranks must throw.
  const std::vector<float> more(count + (world().rank() == 0 ? 1 : 0));
  const MemoryEdgeList nothing;
  EXPECT_THROW(validate_sssp(nothing, Directedness::undirected, {Label{0}, parents, more}, distribution, context),
               AgreedError);
  const NamedEdges path = test::path(1000);
  const MemoryEdgeList bare = test::part_of(path);
  EXPECT_THROW(validate_sssp(bare, Directedness::undirected, {Label{0}, parents, distances}, distribution, context),
               AgreedError);
}

TEST(ValidateSssp, TakesAsMuchMemoryAsItSays) {
  EXPECT_EQ(sssp_validation_bytes_per_label(4, 4), 4U + 52);
  EXPECT_EQ(sssp_validation_bytes_per_label(1, 4), 1U + 16);
  EXPECT_LT(sssp_validation_bytes_per_label(4, 4), sssp_validation_bytes_per_label(4, 8));
}

}  // namespace
}  // namespace breadth
