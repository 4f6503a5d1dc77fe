// Searches compared with levels of the simplest search, on every combination of options, ranks and threads.
#include "traverse/bfs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/replications.hpp"
#include "support/rounds.hpp"
#include "support/routes.hpp"
#include "support/tree_checks.hpp"

namespace breadth {
namespace {

using test::every_replication;
using test::every_shared_bits;
using test::NamedEdges;
using test::Oracle;
using test::world;

constexpr AdjacencyForm other_forms[] = {AdjacencyForm::compressed, AdjacencyForm::full_scan, AdjacencyForm::skip_list,
                                         AdjacencyForm::coarse_index};

struct Variant {
  Directedness directedness = Directedness::undirected;
  NeighbourWidth width = NeighbourWidth::automatic;
  GraphLayout layout = {};
  BfsOptions options = {};
  int threads = 1;
  bool evenly = true;

  [[nodiscard]] std::string text() const {
    return fmt::format(
        "{}, {}-bit, adjacency {}, {} order, {} neighbours, {} columns, direction {}, pull {}, alpha {}, beta {}, "
        "summary {}, "
        "coalescing {}, exchange {} ending by {}, packets {}, leaves {}, push ranges {}, mixed levels {}, fused levels "
        "{}, adaptive levels {}, small level "
        "{}, max depth "
        "{}, replication "
        "{} of bits {} on nodes of {}, hubs by rule {} above {} with masks {}, subgraphs {}, {}, {} threads, {} shares",
        directedness == Directedness::directed ? "directed" : "undirected",
        width == NeighbourWidth::bits64 ? "64" : "auto", static_cast<int>(layout.adjacency),
        layout.order == VertexOrder::degree ? "degree" : "label",
        layout.neighbours == NeighbourOrder::vertices ? "sorted" : "unsorted", layout.columns,
        static_cast<int>(options.direction.policy), static_cast<int>(options.pull), options.direction.alpha,
        options.direction.beta, options.summary, options.messages.coalescing,
        static_cast<int>(options.messages.exchange),
        options.messages.ending ? static_cast<int>(*options.messages.ending) : -1,
        static_cast<int>(options.messages.packets), options.leaves_last ? "last" : "in levels",
        options.push_ranges ? "on" : "off", options.mixed_levels ? "on" : "off", options.fuse_levels ? "on" : "off",
        options.adaptive_levels ? "on" : "off", options.small_level, options.max_depth,
        static_cast<int>(options.replication.how), static_cast<int>(options.replication.bits),
        options.replication.ranks_per_node, static_cast<int>(layout.hubs.rule), layout.hubs.degree,
        static_cast<int>(options.hub_masks), options.subgraphs.policy == SubgraphPolicy::apart ? "apart" : "together",
        test::text_of(options.messages.route), threads, evenly ? "even" : "uneven");
  }
};

/// Searches from several sources with one BreadthFirstSearch, so that state left over from a run would show.
void expect_searches(const NamedEdges& list, const Variant& setup, std::uint64_t seed, int searches = 3) {
  SCOPED_TRACE(list.name + ": " + setup.text());
  ThreadTeam threads(setup.threads);
  const Context context{world(), threads};
  const Graph graph =
      build_graph(test::part_of(list, setup.evenly, seed), {setup.directedness, setup.width, setup.layout}, context);
  const Oracle& oracle = test::oracle_of<Oracle>(list, setup.directedness);
  ASSERT_EQ(oracle.size(), graph.vertex_count());
  BreadthFirstSearch search(graph, setup.options, context);
  std::mt19937_64 random(seed);
  for (int i = 0; i < searches && !test::failed_anywhere(); ++i) {
    const Label source{static_cast<std::int64_t>(random() % oracle.size())};
    test::expect_tree(oracle, graph, search.run(source), source, setup.options);
  }
}

TEST(BreadthFirstSearch, DegenerateGraphsWithEveryDirectionWidthAndThreadCount) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
        for (const DirectionPolicy direction :
             {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
          for (const bool leaves_last : {false, true}) {
            const BfsOptions options{
                .direction = {direction},
                .pull = width == NeighbourWidth::bits64 ? PullPolicy::messages : PullPolicy::replicated,
                .summary = leaves_last ? std::size_t{64} : 4096,
                .messages = {.coalescing = 3},
                .leaves_last = leaves_last};
            const int threads = direction == DirectionPolicy::push ? 2 : 1;
            expect_searches(list, {directedness, width, {}, options, threads}, 3);
          }
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, DegenerateGraphsInOtherFormsThanRows) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const AdjacencyForm adjacency : other_forms) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        for (const DirectionPolicy direction :
             {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
          const bool wide = direction == DirectionPolicy::pull;
          const std::size_t summary = wide ? 128 : 0;
          const BfsOptions options{
              .direction = {direction},
              .pull = directedness == Directedness::directed ? PullPolicy::messages : PullPolicy::replicated,
              .summary = summary,
              .messages = {.coalescing = 3},
              .leaves_last = wide};
          const NeighbourWidth width = wide ? NeighbourWidth::bits64 : NeighbourWidth::automatic;
          expect_searches(list, {directedness, width, {.adjacency = adjacency}, options, wide ? 1 : 2}, 3, 2);
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, ManyRanks) {
  for (const NamedEdges& list : {test::star(700), test::path(300), NamedEdges{"one edge", {test::edge(0, 1)}, {}},
                                 test::skewed_edges(3000, 9000, 1)}) {
    for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
      const std::size_t summary = direction == DirectionPolicy::pull ? 64 : 0;
      expect_searches(list, {.options = {.direction = {direction}, .summary = summary, .messages = {.coalescing = 16}}},
                      7, 1);
    }
  }
}

TEST(BreadthFirstSearch, RandomGraphsOnRandomOptions) {
  std::mt19937_64 random(20);
  const int rounds = world().size() == 1 ? test::rounds(200, 1500) : test::rounds(40, 150);
  for (int i = 0; i < rounds && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 400);
    const std::size_t m = 1 + random() % (random() % 2 == 0 ? 300 : 3000);
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    Variant setup;
    setup.directedness = directed_if(random() % 3 == 0);
    setup.width = random() % 3 == 0 ? NeighbourWidth::bits64 : NeighbourWidth::automatic;
    if (random() % 2 == 0) setup.layout.adjacency = other_forms[random() % std::size(other_forms)];
    setup.options.direction.policy = static_cast<DirectionPolicy>(random() % 3);
    setup.options.pull = random() % 3 == 0 ? PullPolicy::messages : PullPolicy::replicated;
    setup.options.direction.alpha = 1 + static_cast<double>(random() % 50);
    setup.options.direction.beta = 1 + static_cast<double>(random() % 50);
    setup.options.messages.coalescing = 1 + random() % 40;
    setup.options.messages.exchange = random() % 4 == 0 ? ExchangePolicy::bulk : ExchangePolicy::asynchronous;
    if (random() % 2 == 0) setup.options.messages.ending = static_cast<Termination>(random() % 3);
    setup.options.messages.packets = static_cast<PacketFormat>(random() % 3);
    if (random() % 2 == 0) setup.options.summary = std::size_t{64} << (random() % 7);
    setup.options.replication = {every_replication[random() % std::size(every_replication)],
                                 static_cast<int>(random() % 4),
                                 every_shared_bits[random() % std::size(every_shared_bits)]};
    setup.options.messages.route = test::random_route(random);
    setup.options.leaves_last = random() % 2 == 0;
    setup.layout.order = random() % 3 == 0 ? VertexOrder::label : VertexOrder::degree;
    const bool by_label = random() % 3 == 0 && setup.layout.adjacency != AdjacencyForm::compressed;
    setup.layout.neighbours = by_label ? NeighbourOrder::labels : NeighbourOrder::vertices;
    setup.layout.columns = random() % (max_columns + 1);
    if (!by_label && random() % 2 == 0) setup.layout.hubs = {HubRule::degree, random() % 30};
    setup.options.hub_masks = static_cast<HubMaskPolicy>(random() % 3);
    if (setup.layout.hubs.rule != HubRule::none && setup.layout.adjacency == AdjacencyForm::rows && random() % 2 == 0) {
      const auto light_parents = static_cast<LightParents>(random() % 2);
      setup.options.subgraphs = {SubgraphPolicy::apart, {0.1, 0.05}, {0.01, 0.001}, {0.1, 0.01}, light_parents};
    }
    if (random() % 3 == 0) setup.options.hub_masks = HubMaskPolicy::two_phase_nonblocking;
    if (waits_with_messages_under_way(setup.options)) setup.options.messages.exchange = ExchangePolicy::bulk;
    setup.options.push_ranges = random() % 2 == 0;
    setup.options.mixed_levels = random() % 4 != 0;
    setup.options.fuse_levels = random() % 4 != 0;
    setup.options.adaptive_levels = random() % 4 != 0;
    setup.options.small_level = random() % 2 == 0 ? random() % 300 : BfsOptions().small_level;
    if (random() % 4 == 0) setup.options.max_depth = static_cast<std::int64_t>(random() % 4);
    setup.threads = static_cast<int>(1 + random() % 3);
    setup.evenly = random() % 2 == 0;
    expect_searches(list, setup, random());
  }
}

/// With thresholds from "all vertices are hubs" to "no vertex is a hub".
TEST(BreadthFirstSearch, DegenerateGraphsWithHubs) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const HubChoice& hubs : {HubChoice{HubRule::degree, 0}, HubChoice{HubRule::degree, 1},
                                  HubChoice{HubRule::degree, 100}, HubChoice{HubRule::automatic}}) {
      for (const DirectionPolicy direction :
           {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
        const bool pull = direction == DirectionPolicy::pull;
        const Variant setup{.directedness = directed_if(pull),
                            .width = pull ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                            .layout = {.hubs = hubs},
                            .options = {.direction = {direction}, .messages = {.coalescing = 3}, .leaves_last = !pull},
                            .threads = pull ? 1 : 2};
        expect_searches(list, setup, hubs.degree, 2);
      }
    }
  }
}

TEST(BreadthFirstSearch, LargerGraphsWithHubsInEveryForm) {
  const NamedEdges list = test::skewed_edges(1 << 11, 1 << 13, 9);
  for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::compressed, AdjacencyForm::full_scan,
                                        AdjacencyForm::skip_list, AdjacencyForm::coarse_index}) {
    for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        for (const std::uint64_t degree : {0U, 8U, 200U}) {
          const bool by_label = degree == 8;
          const Variant setup{.directedness = directedness,
                              .layout = {.adjacency = adjacency,
                                         .order = by_label ? VertexOrder::label : VertexOrder::degree,
                                         .hubs = {HubRule::degree, degree}},
                              .options = {.direction = {direction}, .summary = by_label ? std::size_t{64} : 0},
                              .threads = by_label ? 3 : 1};
          expect_searches(list, setup, 4, 1);
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, LargerGraphsWhereThreadsAndRanksMeet) {
  const NamedEdges list = test::skewed_edges(1 << 14, 1 << 17, 9);
  for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
    for (const std::size_t coalescing : {std::size_t{1}, std::size_t{256}}) {
      const BfsOptions options{.direction = {direction}, .messages = {.coalescing = coalescing}};
      expect_searches(list, {.options = options, .threads = 3}, 4, 2);
    }
  }
}

TEST(BreadthFirstSearch, LargerGraphsWithEveryExchangeAndPacket) {
  if (world().size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 15, 9);
  for (const ExchangePolicy exchange : {ExchangePolicy::asynchronous, ExchangePolicy::bulk}) {
    for (const PacketFormat packets : {PacketFormat::runs, PacketFormat::pairs, PacketFormat::compressed}) {
      for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push}) {
        for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
          for (const int threads : {1, 3}) {
            const GraphLayout layout{.neighbours = threads == 1 ? NeighbourOrder::labels : NeighbourOrder::vertices};
            const BfsOptions options{.direction = {direction}, .messages = {.exchange = exchange, .packets = packets}};
            expect_searches(list, {.width = width, .layout = layout, .options = options, .threads = threads}, 4, 2);
          }
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, LargerGraphsInOtherFormsThanRows) {
  const NamedEdges list = test::skewed_edges(1 << 14, 1 << 17, 9);
  for (const AdjacencyForm adjacency : other_forms) {
    for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        const Variant setup{.directedness = directedness,
                            .layout = {.adjacency = adjacency},
                            .options = {.direction = {direction}},
                            .threads = 3};
        expect_searches(list, setup, 4, 1);
      }
    }
  }
}

/// Layouts in which at most one technique is missing, and one in which all are missing.
std::vector<GraphLayout> layouts() {
  std::vector<GraphLayout> all = {{.order = VertexOrder::label},
                                  {.neighbours = NeighbourOrder::labels},
                                  {.order = VertexOrder::label, .neighbours = NeighbourOrder::labels, .columns = 0}};
  for (std::size_t columns = 0; columns <= max_columns; ++columns) all.push_back({.columns = columns});
  return all;
}

TEST(BreadthFirstSearch, DegenerateGraphsInEveryLayout) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const GraphLayout& layout : layouts()) {
      for (const DirectionPolicy direction :
           {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
        const bool pull = direction == DirectionPolicy::pull;
        expect_searches(list,
                        {.directedness = directed_if(pull),
                         .width = pull ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                         .layout = layout,
                         .options = {.direction = {direction}, .messages = {.coalescing = 3}},
                         .threads = 2},
                        3, 2);
      }
    }
  }
}

TEST(BreadthFirstSearch, EveryGranularityOfTheSummary) {
  const NamedEdges list = test::skewed_edges(1 << 14, 1 << 15, 5);
  for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::coarse_index}) {
    for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
      for (std::size_t summary = 64; summary <= 4096; summary *= 2) {
        const BfsOptions options{.direction = {DirectionPolicy::pull}, .summary = summary};
        expect_searches(list, {.width = width, .layout = {.adjacency = adjacency}, .options = options, .threads = 3},
                        summary, 1);
      }
    }
  }
}

TEST(BreadthFirstSearch, EveryReplicationOnEveryKindOfNodes) {
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 14, 7);
  for (const Replication how : test::different_replications()) {
    for (const int ranks_per_node : test::different_nodes()) {
      for (const std::size_t summary : {0U, 64U, 4096U}) {
        for (const int threads : {1, 3}) {
          const DirectionPolicy direction = threads == 1 ? DirectionPolicy::pull : DirectionPolicy::automatic;
          const BfsOptions options{.direction = {direction},
                                   .summary = summary,
                                   .replication = {how, ranks_per_node, every_shared_bits[threads % 3]},
                                   .leaves_last = summary > 0};
          expect_searches(list, {.options = options, .threads = threads}, summary + 1, 2);
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, LargerGraphsInEveryLayout) {
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 15, 9);
  for (const GraphLayout& layout : layouts()) {
    for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
      expect_searches(list, {.layout = layout, .options = {.direction = {direction}}, .threads = 3}, 4, 2);
    }
  }
}

/// Pushes by one thread, by threads in ranges of their own, and by threads that claim vertices atomically.
TEST(BreadthFirstSearch, LargerGraphsWithEveryPush) {
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 15, 9);
  for (const NeighbourOrder neighbours : {NeighbourOrder::vertices, NeighbourOrder::labels}) {
    for (const std::uint64_t small_level :
         {std::uint64_t{0}, BfsOptions().small_level, BfsOptions::small_levels.maximum}) {
      for (const bool push_ranges : {true, false}) {
        for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push}) {
          const BfsOptions options{.direction = {direction}, .push_ranges = push_ranges, .small_level = small_level};
          expect_searches(list, {.layout = {.neighbours = neighbours}, .options = options, .threads = 3}, 4, 2);
        }
      }
    }
  }
}

/// Queues of thousands of vertices whose rows are long, but none of which has a large part of all edges.
TEST(BreadthFirstSearch, LongQueuesThatThreadsShareByVertices) {
  const NamedEdges list = test::random_edges(6000, 330000, 5);
  for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
    const Variant setup{.width = width, .options = {.direction = {DirectionPolicy::push}}, .threads = 3};
    expect_searches(list, setup, 4, 1);
  }
}

TEST(BreadthFirstSearch, APathHasAsManyLevelsAsEdges) {
  const NamedEdges list = test::path(world().size() == 1 ? 100000 : 3000);
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {}, context);
  BreadthFirstSearch search(graph, {}, context);
  const BfsResult result = search.run(Label{0});
  EXPECT_EQ(result.reached, list.edges.size() + 1);
  EXPECT_EQ(result.levels.size() + result.leaves.claimed, list.edges.size() + 1);  // the last level claims nothing
  const int rank = world().rank();
  for (std::size_t i = 0; i < graph.distribution().count(rank); ++i) {
    const Label label = graph.distribution().label(rank, i);
    ASSERT_EQ(result.parents[i].value, std::max<std::int64_t>(0, label.value - 1));
  }
}

TEST(BreadthFirstSearch, RefusesArraysWithoutRoom) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(test::path(10)), {}, context);
  BreadthFirstSearch search(graph, {}, context);
  LabelArray longer(search.empty_result().size() + 1, graph.vertex_count());
  EXPECT_THROW((void)search.run(Label{0}, longer), Error);
  EXPECT_THROW((void)search.run_from(std::vector{Label{0}}, NearestSource::any, longer), Error);
  LabelArray wide(search.empty_result().size(), label_bound);
  EXPECT_NO_THROW((void)search.run(Label{0}, wide));
  std::vector<std::int64_t> depths(wide.size() + 1);
  EXPECT_THROW(search.write_depths(wide, depths), Error);
}

TEST(BreadthFirstSearch, RefusesSourcesAndOptionsOutOfRange) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(test::path(10)), {}, context);
  BreadthFirstSearch search(graph, {}, context);
  EXPECT_THROW((void)search.run(Label{-1}), Error);
  EXPECT_THROW((void)search.run(Label{10}), Error);
  for (const BfsOptions& bad :
       {BfsOptions{.direction = {.alpha = 0.5}}, BfsOptions{.direction = {.alpha = 2e9}},
        BfsOptions{.direction = {.beta = 0}}, BfsOptions{.messages = {.coalescing = 0}},
        BfsOptions{.small_level = BfsOptions::small_levels.maximum + 1}, BfsOptions{.max_depth = -1},
        BfsOptions{.replication = {.ranks_per_node = -1}}, BfsOptions{.summary = 32}, BfsOptions{.summary = 96},
        BfsOptions{.summary = 8192}, BfsOptions{.hub_masks = HubMaskPolicy::two_phase_nonblocking}}) {
    EXPECT_THROW(check(bad), Error);
  }
  EXPECT_NO_THROW(check(BfsOptions{}));
}

}  // namespace
}  // namespace breadth
