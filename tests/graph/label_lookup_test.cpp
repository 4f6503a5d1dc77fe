// Labels by global id on every rank, compared with those of the owners.
#include "graph/partition.hpp"

#include <gtest/gtest.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/plain_graph.hpp"

namespace breadth {
namespace {

using test::world;

Graph graph_of(const test::NamedEdges& list, const HubChoice& hubs, ThreadTeam& threads) {
  return build_graph(test::part_of(list), {.layout = {.hubs = hubs}}, {world(), threads});
}

/// Checks the labels that owners return for the vertices with these global ids, from an exchange of all labels.
template <class Neighbour>
void expect_looked_up(const Graph& graph, const std::unordered_map<std::uint64_t, std::int64_t>& labels,
                      ThreadTeam& threads) {
  std::vector<Neighbour> global_ids;
  // Each rank asks for different vertices, and for some of them twice.
  for (const auto& [global_id, label] : labels) {
    if (label % 3 != world().rank() % 3) global_ids.push_back(static_cast<Neighbour>(global_id));
    if (label % 7 == 0) global_ids.push_back(static_cast<Neighbour>(global_id));
  }
  std::vector<Neighbour> found(global_ids.size());
  graph.contents().labels.look_up(std::span<const Neighbour>(global_ids), std::span(found), graph.partition(),
                                  {world(), threads});
  for (std::size_t i = 0; i < global_ids.size(); ++i) {
    ASSERT_EQ(static_cast<std::int64_t>(found[i]), labels.at(global_ids[i])) << "global id " << global_ids[i];
  }
}

/// Checks the labels of all vertices. Returns whether this rank knows all of them without asking.
bool expect_labels(const Graph& graph) {
  ThreadTeam threads(2);
  const LabelLookup& lookup = graph.contents().labels;
  const Hubs& hubs = graph.partition().hubs();
  auto labels = test::labels_by_global_id(graph);
  std::erase_if(labels, [&](const auto& entry) {  // ids between hubs and other vertices are unused
    const LocalVertex local = graph.partition().code().local(entry.first);
    return local.index() < hubs.end() && !hubs.contains(local);
  });
  std::size_t unknown = 0;
  for (const auto& [global_id, label] : labels) {
    lookup.prefetch(global_id);
    if (lookup.contains(global_id)) {
      EXPECT_EQ(lookup.label(global_id).value, label);
    } else {
      ++unknown;
      EXPECT_GE(graph.partition().code().local(global_id).value, hubs.end());
    }
  }
  if (lookup.complete()) {
    EXPECT_EQ(unknown, 0U);
  }
  expect_looked_up<std::uint32_t>(graph, labels, threads);
  expect_looked_up<std::uint64_t>(graph, labels, threads);
  return unknown == 0;
}

TEST(LabelLookup, KnowsTheVerticesOfSmallGraphs) {
  ThreadTeam threads(2);
  for (const std::int64_t vertices : {2, 65, 1000}) {
    const Graph graph = graph_of(test::path(vertices), {}, threads);
    EXPECT_TRUE(expect_labels(graph)) << vertices;
    EXPECT_TRUE(graph.contents().labels.complete());
  }
}

TEST(LabelLookup, HoldsHubsOnce) {
  ThreadTeam threads(2);
  const Graph graph = graph_of(test::skewed_edges(2000, 20000, 3), {HubRule::degree, 50}, threads);
  const Hubs& hubs = graph.partition().hubs();
  if (world().size() > 1) {
    ASSERT_GT(hubs.count(), 0U);
  }
  const GlobalIdCode& code = graph.partition().code();
  for (std::uint32_t hub = 0; hub < hubs.count(); ++hub) {
    for (int rank = 0; rank < world().size(); ++rank) {  // every rank has a replica
      const std::uint64_t global_id = code.encode(rank, LocalVertex{hub});
      ASSERT_TRUE(graph.contents().labels.contains(global_id));
      EXPECT_EQ(graph.contents().labels.label(global_id), hubs[LocalVertex{hub}].label);
    }
  }
  const std::uint64_t others = (code.stride() - hubs.end()) * static_cast<std::uint64_t>(world().size());
  EXPECT_EQ(graph.contents().labels.bytes(), (hubs.end() + others) * sizeof(std::uint32_t));
  EXPECT_TRUE(expect_labels(graph));
}

/// A table for all labels of many ranks would be too large. Tables always have at least the first 1024 labels of each
/// rank.
TEST(LabelLookup, AsksManyRanksForWhatItDoesNotKnow) {
  ThreadTeam threads(2);
  const std::int64_t vertices = world().size() * 3000;
  const Graph graph = graph_of(test::path(vertices), {}, threads);
  EXPECT_EQ(expect_labels(graph), world().size() < 9);
  EXPECT_EQ(graph.contents().labels.complete(), world().size() < 9);
  EXPECT_TRUE(graph.contents().labels.contains(graph.partition().code().encode(world().size() - 1, LocalVertex{1023})));
}

}  // namespace
}  // namespace breadth
