// Options in results: the values of option rows as JSON.
#include "cli/options/option_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/options/common_options.hpp"

namespace breadth::cli {
namespace {

using Json = nlohmann::ordered_json;

TEST(OptionJson, HasDefaults) {
  const Json json = bfs_json({}, {}, 1);
  EXPECT_EQ(json["device"], "cpu");
  EXPECT_EQ(json["partition"], "1d");
  EXPECT_EQ(json["adjacency"], "rows");
  EXPECT_EQ(json["columns"], GraphLayout{}.columns);
  EXPECT_EQ(json["hubs"], "none");
  EXPECT_EQ(json["direction"], "auto");
  EXPECT_EQ(json["alpha"], 20);
  EXPECT_EQ(json["leaves"], "last");
  EXPECT_EQ(json["summary"], "none");
  EXPECT_EQ(json["replicate"], "allgather");
  EXPECT_EQ(json["shared_bits"], "auto");
  EXPECT_EQ(json["push_ranges"], true);
  EXPECT_EQ(json["ending"], "auto");
  EXPECT_EQ(json["route"], "direct");
  EXPECT_EQ(json["unique"], false);
  for (const char* name : {"groups", "topology", "light_parents", "hub_to_hub"}) EXPECT_FALSE(json.contains(name));
}

TEST(OptionJson, HasValues) {
  BfsOptions bfs{.direction = {.alpha = 2.5},
                 .summary = 256,
                 .replication = {Replication::shared_in, 3, SharedBits::unvisited},
                 .messages = {.ending = Termination::counts,
                              .route = {.policy = RoutePolicy::local, .group_size = 2, .groups_file = "groups.txt"}},
                 .mixed_levels = false};
  bfs.messages.route.network_file = "network.txt";
  GraphLayout layout{.grid = GridShape{2, 3}};
  layout.hubs = {.rule = HubRule::degree, .degree = 64};
  const Json json = bfs_json(layout, bfs, 6);
  EXPECT_EQ(json["partition"], "2x3");
  EXPECT_EQ(json["hubs"], 64);
  EXPECT_EQ(json["alpha"], 2.5);
  EXPECT_EQ(json["summary"], 256);
  EXPECT_EQ(json["replicate"], "shared-in");
  EXPECT_EQ(json["ranks_per_node"], 3);
  EXPECT_EQ(json["shared_bits"], "unvisited");
  EXPECT_EQ(json["ending"], "counts");
  EXPECT_EQ(json["route"], "local");
  EXPECT_EQ(json["group_size"], 2);
  EXPECT_EQ(json["groups"], "groups.txt");
  EXPECT_EQ(json["topology"], "network.txt");
  EXPECT_EQ(json["mixed_levels"], false);
}

TEST(OptionJson, HasEveryOptionOfTheEngine) {
  BfsOptions bfs;
  bfs.subgraphs.policy = SubgraphPolicy::apart;
  bfs.messages.route.groups_file = "groups.txt";
  const Json json = bfs_json({}, bfs, 3);
  OptionSet options;
  add_engine_options(options, bfs);
  ASSERT_GT(options.options().size(), 20U);
  for (const Option& option : options.options()) {
    std::string name = option.name;
    std::replace(name.begin(), name.end(), '-', '_');
    EXPECT_TRUE(json.contains(name)) << name;
  }
  EXPECT_EQ(json["hub_to_hub"], Json({{"pull", 0.5}, {"push", 0.005}}));
  EXPECT_EQ(json["light_parents"], "with");
}

TEST(OptionJson, SaysWhetherLeavesAreVisitedLast) {
  GraphLayout by_label{.order = VertexOrder::label};
  EXPECT_EQ(bfs_json(by_label, {}, 1)["leaves"], "levels");
  EXPECT_EQ(bfs_json({}, {.device = {.kind = Device::simulated}}, 1)["leaves"], "last");
  EXPECT_EQ(bfs_json({}, {.device = {.kind = Device::simulated}}, 2)["leaves"], "levels");
  EXPECT_EQ(bfs_json({}, {.leaves_last = false}, 1)["leaves"], "levels");
}

TEST(OptionJson, HasThoseOfShortestPaths) {
  SsspOptions sssp;
  EXPECT_EQ(sssp_json({}, sssp, 2)["delta"], "auto");
  EXPECT_EQ(sssp_json({}, sssp, 2)["replicate"], "auto");
  sssp.delta = 0.5F;
  sssp.sweeps = false;
  sssp.replicate = Replication::leader;
  const Json json = sssp_json({.columns = 5}, sssp, 2);
  EXPECT_EQ(json["delta"], 0.5);
  EXPECT_EQ(json["sweeps"], false);
  EXPECT_EQ(json["replicate"], "leader");
  EXPECT_EQ(json["weighted_columns"], 5);
  EXPECT_EQ(json["ball"], sssp.ball_divisor);
  EXPECT_EQ(json["coalescing"], 256);
}

TEST(OptionJson, HasThoseOfABenchmark) {
  BenchmarkOptions options{.keys = 2};
  EXPECT_EQ(benchmark_json(options, 1)["kernels"], "bfs");
  EXPECT_FALSE(benchmark_json(options, 1).contains("delta"));
  options.kernels = {KernelKind::bfs, KernelKind::sssp};
  options.bfs.replication.how = Replication::shared;
  options.sssp.messages.packets = PacketFormat::compressed;
  const Json json = benchmark_json(options, 1);
  EXPECT_EQ(json["keys"], 2);
  EXPECT_EQ(json["kernels"], "bfs,sssp");
  EXPECT_EQ(json["delta"], "auto");
  EXPECT_EQ(json["replicate"], "shared");
  EXPECT_EQ(json["sssp_replicate"], "auto");
  EXPECT_EQ(json["sssp_packets"], "compressed");
  for (const char* name : {"edge_folder", "input"}) EXPECT_FALSE(json.contains(name)) << name;
  options.input = "5";  // a text, although it is a number too
  EXPECT_EQ(benchmark_json(options, 1)["input"], "5");
}

TEST(OptionJson, HasNothingOfKernelsThatDoNotRun) {
  BenchmarkOptions options{.kernels = KernelKind::sssp};
  options.layout.hubs = {.rule = HubRule::automatic};
  options.bfs.subgraphs.policy = SubgraphPolicy::apart;  // as a preset has it
  options.bfs.messages.route.policy = RoutePolicy::local;
  options.bfs.leaves_last = false;
  const Json json = benchmark_json(options, 3);
  for (const char* name : {"alpha", "direction", "pull", "summary", "leaves", "push_ranges", "subgraphs", "hub_to_hub",
                           "light_parents", "adjacency", "columns", "hub_masks"}) {
    EXPECT_FALSE(json.contains(name)) << name;
  }
  EXPECT_EQ(json["route"], "local");
  EXPECT_EQ(json["hubs"], "auto");
  EXPECT_EQ(json["order"], "degree");
  EXPECT_EQ(json["delta"], "auto");
  for (const char* name : {"exchange", "coalescing", "weighted_columns", "sssp_packets", "device", "partition"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  options.kernels = {KernelKind::bfs, KernelKind::sssp};
  const Json both = benchmark_json(options, 3);
  for (const char* name : {"alpha", "leaves", "hub_to_hub", "columns", "delta"}) EXPECT_TRUE(both.contains(name));
}

}  // namespace
}  // namespace breadth::cli
