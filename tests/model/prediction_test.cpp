#include <gtest/gtest.h>

#include <cmath>

#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/partition.hpp"
#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"
#include "model/traffic_prediction.hpp"
#include "validate/label_messages.hpp"

namespace breadth {
namespace {

/// The memory of breadth-first searches with their graph, or of searches for shortest paths if rows are sorted by
/// weight.
MemoryPrediction predict(const GraphSize& size, int ranks, int threads, bool edge_list_in_memory) {
  const bool by_weight = size.layout.neighbours == NeighbourOrder::weights;
  const std::uint64_t validation_bytes = size.labels * (1 + 4 * label_bytes(size)) +
                                         message_bytes_for(size.tuples, by_weight ? 16 : 12, 4, ranks, threads);
  const SearchCosts costs{
      .search_bytes = by_weight ? sssp_search_bytes(size, ranks) : bfs_search_bytes(size, ranks, threads),
      .result_bytes = result_bytes(size),
      .passes = {{1, validation_bytes}}};
  return predict_memory(size, costs, ranks, threads, edge_list_in_memory);
}

TEST(MemoryPrediction, HasNeighboursAsWideAsKernel1HasThem) {
  // Global ids of 2^31 labels fit 31 bits on two ranks; on three, each rank's block is rounded up to 2^30 of them.
  GraphSize size = expected_kronecker_size(31, 16, false);
  size.layout.columns = 0;
  const auto graph_bytes = [&](int ranks) { return predict(size, ranks, 1, false).graph_bytes; };
  EXPECT_TRUE(neighbours_fit_32_bits(BlockDistribution(size.labels, 2)));
  EXPECT_FALSE(neighbours_fit_32_bits(BlockDistribution(size.labels, 3)));
  EXPECT_GT(graph_bytes(3), graph_bytes(2) + 4 * 2 * size.edges * 9 / 10);
}

TEST(TrafficPrediction, GivesThePapersOwnExample) {
  // Fuentes et al.: scale 25, edge factor 16, 128 processes, coalescing 256: about 2^15 messages per process.
  const PushTraffic traffic = predict_push_traffic(std::uint64_t{16} << 25, 128, 256);
  EXPECT_DOUBLE_EQ(traffic.messages_per_rank, std::ldexp(16.0, 26) / 256 * 127 / (128.0 * 128));
  EXPECT_NEAR(traffic.messages_per_rank, std::ldexp(1.0, 15), 300);
  EXPECT_NEAR(traffic.messages_per_rank, 32512, 1);
  EXPECT_DOUBLE_EQ(traffic.bytes, std::ldexp(16.0, 30) * 127 / 128);
  EXPECT_DOUBLE_EQ(predict_push_traffic(std::uint64_t{16} << 25, 128, 256, 8).bytes, std::ldexp(16.0, 29) * 127 / 128);
}

TEST(TrafficPrediction, OfAllgatherIsTheBitmapToEveryOtherRank) {
  // Cui et al.: m (np - 1), with m = 512 MiB at scale 32.
  const double bitmap = std::ldexp(1.0, 29);
  const PullTraffic alone = predict_pull(bitmap, 128, {});
  EXPECT_DOUBLE_EQ(alone.bytes, bitmap * 127);
  EXPECT_DOUBLE_EQ(alone.bytes_between_nodes, bitmap * 127);
  const PullTraffic together = predict_pull(bitmap, 128, {.nodes = 16});
  EXPECT_DOUBLE_EQ(together.bytes, bitmap * 127);
  EXPECT_DOUBLE_EQ(together.bytes_between_nodes, bitmap * 120);
}

TEST(TrafficPrediction, OfSharedQueuesIsTheBitmapToEveryOtherNode) {
  // Cui et al., equation 2: 8 (m / 8) (np / 8 - 1); 128 ranks on 16 nodes.
  const double bitmap = std::ldexp(1.0, 29);
  for (const Replication how :
       {Replication::leader, Replication::shared_in, Replication::shared, Replication::subgroups}) {
    EXPECT_DOUBLE_EQ(predict_pull(bitmap, 128, {how, 16}).bytes_between_nodes, 8 * (bitmap / 8) * (128 / 8 - 1));
  }
  EXPECT_DOUBLE_EQ(predict_pull(bitmap, 128, {Replication::subgroups, 16}).bytes, bitmap * 15);
  EXPECT_DOUBLE_EQ(predict_pull(bitmap, 128, {Replication::shared_in, 16}).bytes, bitmap * (15 + 7.0 / 8));
  EXPECT_DOUBLE_EQ(predict_pull(bitmap, 128, {Replication::leader, 16}).bytes, bitmap * (15 + 7.0 / 8 + 16 * 7));
}

TEST(MemoryPrediction, KnowsHowTheFrontierIsKept) {
  GraphSize size = expected_kronecker_size(20, 16, false);
  size.frontier.bits = SharedBits::all;
  const std::uint64_t private_copies = predict(size, 8, 1, true).search_bytes;
  size.frontier.how = Replication::shared;
  size.frontier.nodes = 2;
  const std::uint64_t shared = predict(size, 8, 1, true).search_bytes;
  EXPECT_EQ(private_copies - shared, (8 - 2) * (std::uint64_t{1} << 20) / 8) << "a bit for each label's global id";
}

TEST(MemoryPrediction, CountsWhereHubsEndInEachRow) {
  GraphSize size = expected_kronecker_size(20, 16, false);
  size.hubs = 6400;
  size.frontier.holding = FrontierHolding::asked;
  const std::uint64_t asked = predict(size, 3, 1, true).search_bytes;
  size.frontier.holding = FrontierHolding::per_subgraph;
  const std::uint64_t apart = predict(size, 3, 1, true).search_bytes;
  const std::uint64_t vertices = size.connected_vertices + 2 * 6400;  // hubs on three ranks
  const std::uint64_t global_ids = 3 * (std::uint64_t{1} << 18);      // for a rank's vertices, rounded up
  EXPECT_NEAR(static_cast<double>(apart - asked), static_cast<double>(4 * vertices + global_ids / 8 - vertices / 8),
              16);
}

TEST(MemoryPrediction, KnowsWhereBucketsHaveOthersDistances) {
  GraphSize size = expected_kronecker_size(20, 16, true);
  size.layout.neighbours = NeighbourOrder::weights;
  size.layout.order = VertexOrder::label;
  size.distances = {.how = Replication::allgather, .nodes = 2};
  const auto bytes = [&] { return predict(size, 8, 1, true).search_bytes; };
  const std::uint64_t known = bytes();
  const std::uint64_t others = (8 - 1) * 4 * ((size.connected_vertices + 7) / 8 * 8);
  size.distances.known_in_buckets = false;  // although sweeps are possible with the other order
  EXPECT_EQ(known - bytes(), others);
  size.distances.known_in_buckets = true;
  size.edges = 2 * size.connected_vertices - 1;  // each vertex has less than two edges from each node
  EXPECT_EQ(known - bytes(), others);
}

TEST(MemoryPrediction, CountsRelaxationsOnTheirWayInsideNodes) {
  GraphSize size = expected_kronecker_size(20, 16, true);
  size.layout.neighbours = NeighbourOrder::weights;
  size.layout.order = VertexOrder::label;  // no sweeps
  size.distances.how = Replication::allgather;
  const auto on_nodes = [&](int nodes) {
    size.distances.nodes = static_cast<std::uint64_t>(nodes);
    return predict(size, 8, 1, true).search_bytes;
  };
  constexpr std::uint64_t of_another_rank = std::uint64_t{384} << 10;
  EXPECT_EQ(on_nodes(1) - on_nodes(2), 8 * (7 - 3) * of_another_rank);
  EXPECT_EQ(on_nodes(2) - on_nodes(8), 8 * 3 * of_another_rank);
  size.layout.order = VertexOrder::degree;
  EXPECT_EQ(on_nodes(1), on_nodes(2));
}

TEST(MemoryPrediction, CountsQueriesOnTheirWayWhereSearchesOnlyPush) {
  GraphSize size = expected_kronecker_size(20, 16, false);
  const auto with_pushes = [&](std::uint64_t nodes) {
    size.frontier = {.nodes = nodes, .only_pushes = true};
    const std::uint64_t pushed = predict(size, 8, 1, true).search_bytes;
    size.frontier.only_pushes = false;
    return pushed - predict(size, 8, 1, true).search_bytes;
  };
  constexpr std::uint64_t of_another_rank = std::uint64_t{384} << 10;
  EXPECT_EQ(with_pushes(8), 0U);
  EXPECT_EQ(with_pushes(2), 8 * 3 * of_another_rank);
  EXPECT_EQ(with_pushes(1), 8 * 7 * of_another_rank);
}

TEST(TrafficPrediction, OfAGridIsNothingAlongRowsOrColumnsOfOne) {
  const GridTraffic traffic = predict_grid_traffic(8000, {2, 3}, 8);
  EXPECT_EQ(traffic.expand_bytes_per_level, 1000);
  EXPECT_EQ(traffic.fold_bytes, 8000 * 2 * 8);
  EXPECT_EQ(traffic.messages_per_rank_and_level, 3);
  EXPECT_EQ(predict_grid_traffic(8000, {1, 6}, 8).expand_bytes_per_level, 0);
  EXPECT_EQ(predict_grid_traffic(8000, {6, 1}, 8).fold_bytes, 0);
}

TEST(TrafficPrediction, OfHubsIsTheirMasksThereAndBack) {
  // Pan et al., section V-A: 2 d p / 8, here without the part that a rank would send to itself.
  EXPECT_DOUBLE_EQ(predict_mask_bytes(64000, 16), 2 * 64000.0 * 16 / 8 * 15 / 16);
  EXPECT_EQ(predict_mask_bytes(64000, 1), 0);
  EXPECT_EQ(predict_mask_bytes(0, 16), 0);
}

/// Measured traffic of searches without hubs, in KiB (benchmarks/results/ranks.md): at scales 16 to 22 on 2, 4 and 8
/// ranks, each on a node of its own, sharing all bits or only those of unvisited vertices.
TEST(TrafficPrediction, OfSearchesThatChooseDirectionsIsWhatWasCounted) {
  constexpr double whole[4][3] = {{39.7, 89.4, 179.9}, {170.2, 392.5, 752}, {506.2, 1226, 2509}, {2368, 5178, 10574}};
  constexpr double unvisited[4][3] = {
      {29.2, 57.8, 101.6}, {129.5, 244, 402.9}, {322.3, 670.8, 1220}, {1741, 3288, 5418}};
  for (int i = 0; i < 4; ++i) {
    const GraphSize size = expected_kronecker_size(16 + 2 * i, 16, false);
    for (int j = 0; j < 3; ++j) {
      const int ranks = 2 << j;
      const double pull = static_cast<double>(size.connected_vertices) / 8 * (ranks - 1);
      EXPECT_NEAR(predict_search_traffic(size.edges, ranks, pull, false) / 1024 / whole[i][j], 1, 0.25);
      EXPECT_NEAR(predict_search_traffic(size.edges, ranks, pull, true) / 1024 / unvisited[i][j], 1, 0.25);
    }
  }
  EXPECT_EQ(predict_search_traffic(1000, 1, 0, true), 0);
}

/// Measured savings by hubs, in KiB (benchmarks/results/ranks.md): at scales 16 to 22 on 2, 4 and 8 nodes.
TEST(TrafficPrediction, OfHubsSavingsIsWhatWasCounted) {
  constexpr double counted[4][3] = {{16, 22.19, 21.18}, {84.73, 119, 120.9}, {170.5, 225.7, 187.6}, {1183, 1662, 1681}};
  constexpr std::uint64_t hubs[] = {359, 1349, 5007, 18554};
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t edges = expected_kronecker_size(16 + 2 * i, 16, false).edges;
    for (int j = 0; j < 3; ++j) {
      const double none = predict_search_traffic(edges, 2 << j, 0, false) / 1024;
      EXPECT_NEAR(predict_hub_savings(edges, hubs[i], std::uint64_t{2} << j) / 1024, counted[i][j], 0.4 * none);
    }
  }
  EXPECT_LT(predict_hub_savings(std::uint64_t{1} << 30, std::uint64_t{1} << 18, 64), 0) << "hubs can cost bytes";
  EXPECT_EQ(predict_hub_savings(1000, 10, 1), 0);
}

TEST(MemoryPrediction, CountsAReplicaOfEachHubOnEachRank) {
  GraphSize size = expected_kronecker_size(20, 16, false);
  size.layout.columns = 0;
  const MemoryPrediction none = predict(size, 3, 1, true);
  size.hubs = 6400;
  const MemoryPrediction hubs = predict(size, 3, 1, true);
  // Each rank keeps a local id, a row and a name of each hub. One rank had them before, and every rank knew all labels.
  constexpr double replicas = 3 * 6400 - 6400;
  constexpr double labels = 4 * 3 * (6400 - 3 * 6400);
  EXPECT_NEAR(static_cast<double>(hubs.graph_bytes - none.graph_bytes), replicas * (4 + 8) + 3 * 6400 * 16 + labels,
              64);
  EXPECT_GT(hubs.search_bytes, none.search_bytes + 3 * 6400 * 8);
}

TEST(TrafficPrediction, CountsBeyondThirtyTwoBits) {
  const PushTraffic traffic = predict_push_traffic(std::uint64_t{16} << 42, 1 << 14, 1);
  EXPECT_GT(traffic.messages_per_rank, std::ldexp(1.0, 32));
  EXPECT_NEAR(traffic.bytes / std::ldexp(1.0, 51), 1, 0.001);
}

TEST(TrafficPrediction, OfOneRankIsNothing) {
  const PushTraffic traffic = predict_push_traffic(std::uint64_t{16} << 20, 1, 256);
  EXPECT_EQ(traffic.messages_per_rank, 0);
  EXPECT_EQ(traffic.bytes, 0);
  EXPECT_EQ(predict_pull(1 << 20, 1, {}).bytes, 0);
}

TEST(MemoryPrediction, CountsTheEdgeListOnlyWhereItIsHeld) {
  const GraphSize size = expected_kronecker_size(20, 16, false);
  const MemoryPrediction held = predict(size, 1, 1, true);
  const MemoryPrediction not_held = predict(size, 1, 1, false);
  EXPECT_EQ(held.edge_list_bytes, (std::uint64_t{16} << 20) * 12);
  EXPECT_EQ(not_held.edge_list_bytes, 0U);
  EXPECT_EQ(held.peak_bytes - not_held.peak_bytes, held.edge_list_bytes);
  GraphSize weighted = size;
  weighted.weighted = true;
  EXPECT_EQ(predict(weighted, 1, 1, true).edge_list_bytes, (std::uint64_t{16} << 20) * 16);
  EXPECT_EQ(predict(weighted, 1, 1, true).graph_bytes - held.graph_bytes, 8 * size.edges);
}

// 64 ranks in groups of 8, 1000 edges: of their 2000 ends, 7/64 are on other ranks of the group and 56/64 in other
// groups.
TEST(TrafficPrediction, CountsHopsOnRoutes) {
  const double across = 2000.0 * 56 / 64;
  const double inside = 2000.0 * 7 / 64;
  for (const int hops : {0, 1, 2}) {
    const RoutedTraffic traffic = predict_routed_traffic(1000, 64, 8, hops, 10, 16);
    EXPECT_DOUBLE_EQ(traffic.bytes_between, 16 * across);
    EXPECT_DOUBLE_EQ(traffic.bytes_inside, 16 * (inside + hops * across * 7 / 8));
    EXPECT_DOUBLE_EQ(traffic.messages_per_rank, (inside + across + hops * across * 7 / 8) / 10 / 64);
  }
  EXPECT_DOUBLE_EQ(predict_routed_traffic(1000, 64, 8, 0, 10, 16).messages_per_rank,
                   predict_push_traffic(1000, 64, 10).messages_per_rank);
  EXPECT_EQ(predict_routed_traffic(1000, 7, 1, 2, 10, 16).bytes_inside, 0);
  EXPECT_EQ(predict_routed_traffic(1000, 7, 7, 2, 10, 16).bytes_between, 0);
}

TEST(MemoryPrediction, CountsTheAdjacencyByItsParts) {
  const GraphSize rows = expected_kronecker_size(20, 16, false);
  const auto bytes = [&rows](AdjacencyForm form) {
    GraphSize size = rows;
    size.layout.adjacency = form;
    return predict(size, 1, 1, true).graph_bytes;
  };
  const std::uint64_t skip_list = bytes(AdjacencyForm::skip_list);
  EXPECT_EQ(bytes(AdjacencyForm::rows) - skip_list, (8 + 16 - 8 - 4) * rows.connected_vertices);
  EXPECT_EQ(bytes(AdjacencyForm::full_scan) - skip_list, 4 * 2 * rows.edges - 8 * rows.connected_vertices);
  EXPECT_EQ(bytes(AdjacencyForm::coarse_index) - skip_list, rows.connected_vertices / 64 * 8);
}

TEST(MemoryPrediction, NeedsRoomForRowsWhateverIsMadeOfThem) {
  const GraphSize rows = expected_kronecker_size(20, 16, false);
  for (const AdjacencyForm form : {AdjacencyForm::full_scan, AdjacencyForm::skip_list, AdjacencyForm::coarse_index}) {
    GraphSize size = rows;
    size.layout.adjacency = form;
    const MemoryPrediction of_rows = predict(rows, 1, 1, true);
    EXPECT_GE(predict(size, 1, 1, true).peak_bytes,
              of_rows.edge_list_bytes + of_rows.program_bytes + of_rows.graph_bytes);
  }
}

/// Each additional thread counts edges in an array of one byte per label, as long as these arrays are no larger than
/// the other scratch memory would be.
TEST(MemoryPrediction, HasAByteOfEachLabelForEachThread) {
  const GraphSize size = expected_kronecker_size(20, 16, false);
  const auto scratch = [&size](int ranks, int threads) { return predict(size, ranks, threads, true).scratch_bytes; };
  EXPECT_EQ(scratch(1, 9) - scratch(1, 1), 8 * size.labels);
  EXPECT_EQ(scratch(1, 65), scratch(1, 100)) << "kernel 1 takes the longer way";
  EXPECT_EQ(scratch(2, 9), scratch(2, 1));
}

/// Kernel 1 may always take a MiB, however few tuples there are.
TEST(MemoryPrediction, GoesTheShortWayOnSmallGraphs) {
  const GraphSize size{.labels = 1000, .tuples = 100, .connected_vertices = 180, .edges = 100};
  const auto scratch = [&size](int threads) { return predict(size, 1, threads, true).scratch_bytes; };
  EXPECT_EQ(scratch(3) - scratch(1), 2 * size.labels);
}

TEST(MemoryPrediction, NeedsNoMoreRoomToBuildCompressedRowsOnOneRank) {
  const GraphSize rows = expected_kronecker_size(20, 16, false);
  GraphSize compressed = rows;
  compressed.layout.adjacency = AdjacencyForm::compressed;
  const MemoryPrediction one = predict(compressed, 1, 1, false);
  EXPECT_LT(static_cast<double>(one.graph_bytes), 0.6 * static_cast<double>(predict(rows, 1, 1, false).graph_bytes));
  EXPECT_LT(static_cast<double>(one.peak_bytes), 1.01 * static_cast<double>(predict(rows, 1, 1, false).peak_bytes));
  EXPECT_EQ(predict(compressed, 2, 1, false).peak_bytes, predict(rows, 2, 1, false).peak_bytes);
}

TEST(MemoryPrediction, StaysUnderTheLimitOnTheBenchmarksGraphs) {
  for (int scale = 18; scale <= 36; ++scale) {
    const MemoryPrediction prediction = predict(expected_kronecker_size(scale, 16, false), 1, 1, true);
    const auto kept = static_cast<double>(prediction.edge_list_bytes + prediction.graph_bytes);
    EXPECT_LT(static_cast<double>(prediction.peak_bytes - prediction.program_bytes), 1.6 * kept) << scale;
    EXPECT_GT(static_cast<double>(prediction.peak_bytes), kept) << scale;
  }
}

}  // namespace
}  // namespace breadth
