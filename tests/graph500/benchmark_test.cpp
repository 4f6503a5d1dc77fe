// Whole runs of the benchmark on small graphs, and the loop over the keys with made-up searches.
#include "graph500/benchmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/report/report.hpp"
#include "graph500/run_prediction.hpp"
#include "graph500/searches.hpp"
#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"
#include "support/ranks.hpp"
#include "traverse/replication/replicated_frontier.hpp"

namespace breadth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

BenchmarkReport run(
    const BenchmarkOptions& options, std::function<bool()> stop = [] { return false; }, Calibrate calibrate = nullptr) {
  ThreadTeam threads(2);
  RunObserver observer;
  return run_benchmark(options, {.context = {test::world(), threads},
                                 .observer = observer,
                                 .stop = std::move(stop),
                                 .calibrate = std::move(calibrate)});
}

std::vector<std::int64_t> keys_of(const KernelReport& kernel) {
  std::vector<std::int64_t> keys;
  for (const SearchRecord& search : kernel.searches) keys.push_back(search.key.value);
  return keys;
}

TEST(Benchmark, SearchesFromTheKeysOfTheReference) {
  const BenchmarkReport report = run({.scale = 10});
  ASSERT_EQ(report.kernels.size(), 1U);
  const KernelReport& bfs = report.kernels[0];
  EXPECT_EQ(bfs.name, "bfs");
  EXPECT_EQ(bfs.keys, 64U);
  std::vector<std::int64_t> keys = keys_of(bfs);
  ASSERT_EQ(keys.size(), 64U);
  EXPECT_EQ((std::set<std::int64_t>(keys.begin(), keys.end()).size()), 64U);
  keys.resize(8);
  EXPECT_THAT(keys, ElementsAre(458, 214, 220, 966, 395, 9, 848, 777));
  std::set<std::uint64_t> edges;
  for (const SearchRecord& search : bfs.searches) {
    EXPECT_EQ(search.verification.verdict, Verdict::valid);
    EXPECT_GT(search.seconds, 0);
    EXPECT_FALSE(search.levels.empty());
    edges.insert(search.verification.edges);
  }
  EXPECT_EQ(*edges.rbegin(), 16383U);  // all tuples except one, a separate component
  EXPECT_TRUE(report.complete());
  EXPECT_TRUE(report.valid());
  EXPECT_THAT(report.rules_broken, IsEmpty());
  EXPECT_EQ(report.ranks, test::world().size());
  EXPECT_EQ(report.threads, 2);
  EXPECT_GT(report.construction.seconds, 0);
  EXPECT_GT(report.construction.peak_bytes, 0U);
}

TEST(Benchmark, SearchesAsCalibrationChose) {
  int calls = 0;
  const BenchmarkReport report = run(
      {.scale = 9, .keys = 3}, [] { return false; },
      [&calls](const Graph& graph, const SearchKeySeed& seed, BenchmarkOptions& options) {
        ++calls;
        EXPECT_GT(graph.edge_count(), 0U);
        EXPECT_EQ(seed.scale, 9);
        options.bfs.direction.policy = DirectionPolicy::push;
        return std::optional(CalibrationReport{.keys = 5, .speedup = 1.5});
      });
  EXPECT_EQ(calls, 1);
  ASSERT_TRUE(report.calibration);
  EXPECT_EQ(report.calibration->keys, 5U);
  EXPECT_EQ(report.options.bfs.direction.policy, DirectionPolicy::push);
  for (const SearchRecord& search : report.kernels.at(0).searches) {
    for (const LevelStatistics& level : search.levels) EXPECT_EQ(level.direction, Direction::push);
  }
}

TEST(Benchmark, TakesAsManyBytesMoreThanRowsAsIsPlanned) {
  const auto measured = [](AdjacencyForm form) {
    const BenchmarkReport report = run({.scale = 14, .keys = 2, .layout = {.adjacency = form}});
    EXPECT_TRUE(report.complete() && report.valid());
    return static_cast<double>(report.construction.graph_bytes);
  };
  const auto planned = [](AdjacencyForm form) {
    GraphSize size = expected_kronecker_size(14, 16, false);
    size.layout.adjacency = form;
    return static_cast<double>(predict_run(size, KernelKind::bfs, test::world().size(), 2, true).graph_bytes);
  };
  const double rows = measured(AdjacencyForm::rows);
  for (const AdjacencyForm form :
       {AdjacencyForm::compressed, AdjacencyForm::full_scan, AdjacencyForm::skip_list, AdjacencyForm::coarse_index}) {
    EXPECT_NEAR(measured(form) - rows, planned(form) - planned(AdjacencyForm::rows), 0.005 * rows) << name_of(form);
  }
}

/// The additional bytes that frontiers take with `options` on all ranks together, compared with plain frontiers (all
/// bits shared, without a summary): measured and planned.
struct MoreBytes {
  double measured;
  double planned;
};
MoreBytes more_than_plain(int scale, const Graph& graph, const FrontierOptions& options, const Context& context) {
  const FrontierOptions plain{.replication = {.bits = SharedBits::all}};
  const auto measured = [&](const FrontierOptions& with) {
    const auto frontier = make_replicated_frontier(graph.partition(), no_local_vertex.value, with, context);
    return static_cast<double>(test::world().all_reduce(frontier->bytes(), Reduction::sum));
  };
  const auto planned = [scale](const FrontierOptions& with) {
    GraphSize size = expected_kronecker_size(scale, 16, false);
    size.frontier.bits = with.replication.bits;
    size.frontier.granularity = with.granularity;
    return static_cast<double>(predict_run(size, KernelKind::bfs, test::world().size(), 2, true).search_bytes);
  };
  return {measured(options) - measured(plain), planned(options) - planned(plain)};
}

TEST(Benchmark, SummariesAndPackedBitsTakeAsManyBytesAsIsPlanned) {
  constexpr int scale = 18;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const BenchmarkInput input = prepare_input(
      {.scale = scale}, [](const GraphSize&) {}, context);
  const Graph graph = build_graph(*input.edges, {}, context);
  const double whole_words = 128.0 * test::world().size();
  for (const std::size_t summary : {std::size_t{64}, std::size_t{256}, std::size_t{4096}}) {
    const FrontierOptions options{.granularity = summary, .replication = {.bits = SharedBits::all}};
    const MoreBytes more = more_than_plain(scale, graph, options, context);
    EXPECT_GT(more.measured, 0);
    EXPECT_NEAR(more.measured, more.planned, 0.05 * more.measured + whole_words) << summary;
  }
  const FrontierOptions packs{.replication = {.bits = SharedBits::unvisited}};
  const MoreBytes more = more_than_plain(scale, graph, packs, context);
  EXPECT_EQ(more.measured > 0, test::world().size() > 1);
  EXPECT_NEAR(more.measured, more.planned, 0.05 * more.measured + whole_words);
}

TEST(Benchmark, SearchesForShortestPathsFromTheSameKeys) {
  const BenchmarkReport bfs = run({.scale = 10});
  const BenchmarkReport sssp = run({.scale = 10, .kernels = KernelKind::sssp});
  const BenchmarkReport both = run({.scale = 10, .kernels = {KernelKind::bfs, KernelKind::sssp}});
  ASSERT_EQ(sssp.kernels.size(), 1U);
  ASSERT_EQ(both.kernels.size(), 2U);
  EXPECT_EQ(sssp.kernels[0].name, "sssp");
  EXPECT_EQ(both.kernels[0].name, "bfs");
  EXPECT_EQ(both.kernels[1].name, "sssp");
  for (const KernelReport* kernel : {&sssp.kernels[0], &both.kernels[0], &both.kernels[1]}) {
    EXPECT_EQ(keys_of(*kernel), keys_of(bfs.kernels[0]));
    for (std::size_t i = 0; i < kernel->searches.size(); ++i) {
      const SearchRecord& search = kernel->searches[i];
      EXPECT_EQ(search.verification.verdict, Verdict::valid);
      EXPECT_EQ(search.verification.edges, bfs.kernels[0].searches[i].verification.edges);
      EXPECT_FALSE(search.levels.empty());
    }
  }
  EXPECT_THAT(sssp.rules_broken, IsEmpty());
  EXPECT_THAT(both.rules_broken, IsEmpty());
  EXPECT_GT(sssp.construction.graph_bytes, bfs.construction.graph_bytes);  // its edges have weights
  EXPECT_EQ(both.construction.graph_bytes, bfs.construction.graph_bytes + sssp.construction.graph_bytes);
}

TEST(Benchmark, CountsTheEdgesOfShortestPathsWithoutValidation) {
  const BenchmarkReport validated = run({.scale = 8, .kernels = KernelKind::sssp});
  const BenchmarkReport none = run({.scale = 8,
                                    .edge_list = EdgeListPlace::regenerate,
                                    .validation = ValidationPolicy::none,
                                    .kernels = KernelKind::sssp});
  for (std::size_t i = 0; i < validated.kernels[0].searches.size(); ++i) {
    EXPECT_EQ(none.kernels[0].searches[i].verification.edges, validated.kernels[0].searches[i].verification.edges);
    EXPECT_EQ(none.kernels[0].searches[i].verification.verdict, Verdict::unchecked);
  }
  EXPECT_THAT(none.rules_broken,
              ElementsAre(HasSubstr("generated again"), HasSubstr("64 of 64 sssp searches were not")));
}

TEST(Benchmark, StopsKernel3WhereKernel2WasStopped) {
  int asked = 0;
  const BenchmarkReport report =
      run({.scale = 8, .kernels = {KernelKind::bfs, KernelKind::sssp}}, [&] { return ++asked > 5; });
  ASSERT_EQ(report.kernels.size(), 2U);
  EXPECT_EQ(report.kernels[0].searches.size(), 5U);
  EXPECT_EQ(report.kernels[1].searches.size(), 0U);
  EXPECT_FALSE(report.complete());
}

TEST(Benchmark, TakesAsManyBytesMoreForShortestPathsAsIsPlanned) {
  const auto measured = [](Kernels kernels) {
    return static_cast<double>(run({.scale = 14, .keys = 2, .kernels = kernels}).construction.graph_bytes);
  };
  const auto planned = [](Kernels kernels) {
    const GraphSize size = expected_kronecker_size(14, 16, have_weights(kernels));
    return static_cast<double>(predict_run(size, kernels, test::world().size(), 2, true).graph_bytes);
  };
  const double bfs = measured(KernelKind::bfs);
  EXPECT_NEAR(measured(KernelKind::sssp) - bfs, planned(KernelKind::sssp) - planned(KernelKind::bfs), 0.01 * bfs);
}

TEST(Benchmark, CountsTheSameEdgesWithAndWithoutValidation) {
  const BenchmarkReport validated = run({.scale = 8});
  const BenchmarkReport first = run({.scale = 8, .validation = ValidationPolicy::first});
  const BenchmarkReport none = run({.scale = 8, .validation = ValidationPolicy::none});
  const BenchmarkReport regenerated = run({.scale = 8, .edge_list = EdgeListPlace::regenerate});
  for (std::size_t i = 0; i < validated.kernels[0].searches.size(); ++i) {
    const SearchRecord& expected = validated.kernels[0].searches[i];
    for (const BenchmarkReport* other : {&first, &none, &regenerated}) {
      EXPECT_EQ(other->kernels[0].searches[i].key, expected.key);
      EXPECT_EQ(other->kernels[0].searches[i].verification.edges, expected.verification.edges);
    }
  }
  EXPECT_EQ(first.kernels[0].searches[0].verification.verdict, Verdict::valid);
  EXPECT_EQ(first.kernels[0].searches[1].verification.verdict, Verdict::unchecked);
  EXPECT_THAT(first.rules_broken, ElementsAre(HasSubstr("63 of 64 bfs searches were not validated")));
  EXPECT_THAT(none.rules_broken, ElementsAre(HasSubstr("64 of 64")));
  EXPECT_THAT(regenerated.rules_broken, ElementsAre(HasSubstr("generated again")));
}

TEST(Benchmark, RunsFewerSearchesOnATinyGraph) {
  const BenchmarkReport report = run({.scale = 2, .edgefactor = 16});
  EXPECT_LE(report.kernels[0].keys, 4U);
  EXPECT_TRUE(report.complete());
  EXPECT_TRUE(report.valid());
  EXPECT_THAT(report.rules_broken, IsEmpty());
}

TEST(Benchmark, StopsBetweenTwoSearchesWhenOneRankAsks) {
  int asked = 0;
  const bool asks = test::world().rank() == test::world().size() - 1;
  const BenchmarkReport report = run({.scale = 8}, [&] { return ++asked > 5 && asks; });
  EXPECT_EQ(report.kernels[0].searches.size(), 5U);
  EXPECT_EQ(report.kernels[0].keys, 64U);
  EXPECT_FALSE(report.complete());
  EXPECT_TRUE(report.valid());
  EXPECT_THAT(report.rules_broken, ElementsAre(HasSubstr("cut short after 5 of 64")));
}

/// Made-up searches: a search from key k takes k seconds.
struct FakeResult {
  double seconds;
  std::vector<LevelStatistics> levels;
  LeafPass leaves;
};

TEST(Searches, RecordWhatTheSearchAndItsVerificationSay) {
  const std::vector<Label> keys = {Label{3}, Label{5}, Label{2}};
  RunObserver observer;
  const std::function<bool()> stop = [] { return false; };
  for (const std::size_t batch : {1U, 2U, 3U}) {
    std::vector<std::size_t> order;  // searched keys, and verified keys plus 100
    std::vector<Label> results(batch, no_label);
    const KernelReport report = run_searches(
        "made_up", keys, batch, {test::world(), observer, stop},
        [&](Label key, std::size_t place) {
          order.push_back(key.index());
          results.at(place) = key;
          return FakeResult{static_cast<double>(key.value), std::vector<LevelStatistics>(key.index()), {}};
        },
        [&](std::size_t first, std::span<const Label> searched) {
          std::vector<Verification> verified;
          for (std::size_t i = 0; i < searched.size(); ++i) {
            EXPECT_EQ(results.at(i), searched[i]);
            order.push_back(100 + searched[i].index());
            verified.push_back({.verdict = first + i == 0 ? Verdict::valid : Verdict::invalid,
                                .edges = 10 * searched[i].index(),
                                .violations = {"wrong"}});
          }
          return verified;
        });
    EXPECT_EQ(report.name, "made_up");
    ASSERT_EQ(report.searches.size(), 3U);
    EXPECT_EQ(report.searches[1].seconds, 5);
    EXPECT_EQ(report.searches[1].levels.size(), 5U);
    EXPECT_EQ(report.searches[1].verification.edges, 50U);
    EXPECT_TRUE(report.complete());
    EXPECT_FALSE(report.valid());
    const std::vector<std::vector<std::size_t>> orders = {
        {3, 103, 5, 105, 2, 102}, {3, 5, 103, 105, 2, 102}, {3, 5, 2, 103, 105, 102}};
    EXPECT_EQ(order, orders[batch - 1]);
  }
}

TEST(Searches, ThatWereRunAreVerifiedWhenAskedToStop) {
  const std::vector<Label> keys(9, Label{1});
  RunObserver observer;
  int searched = 0;
  const KernelReport report = run_searches(
      "made_up", keys, 4, {test::world(), observer, [&searched] { return searched == 6; }},
      [&searched](Label, std::size_t) {
        return FakeResult{static_cast<double>(++searched), {}, {}};
      },
      [](std::size_t, std::span<const Label> batch) {
        return std::vector<Verification>(batch.size(), Verification{.verdict = Verdict::valid});
      });
  ASSERT_EQ(report.searches.size(), 6U);
  for (const SearchRecord& record : report.searches) EXPECT_EQ(record.verification.verdict, Verdict::valid);
  EXPECT_FALSE(report.complete());
}

TEST(Rules, AreAllNamed) {
  BenchmarkReport report;
  report.options = {.scale = 5, .keys = 2, .edge_list = EdgeListPlace::file, .input = "a.g500"};
  report.edgefactor = 8;
  report.from_generator = false;
  report.kernels.push_back({.name = "bfs", .keys = 2, .searches = {SearchRecord{}}});
  report.kernels[0].searches[0].verification.verdict = Verdict::invalid;
  EXPECT_THAT(rules_broken(report),
              ElementsAre(HasSubstr("a.g500"), HasSubstr("edge factor is 8"), HasSubstr("2 search keys"),
                          HasSubstr("cut short"), HasSubstr("failed validation")));
}

TEST(Rules, HaveAnEdgeListMadeOnce) {
  const auto broken = [](Device device, std::optional<EdgeResidence> residence, Kernels kernels, int ranks) {
    BenchmarkReport report;
    report.options = {.scale = 5,
                      .edge_list = EdgeListPlace::regenerate,
                      .device_edges = residence,
                      .kernels = kernels,
                      .bfs = {.device = {.kind = device}}};
    report.edgefactor = 16;
    report.ranks = ranks;
    return rules_broken(report);
  };
  const auto anew =
      ElementsAre("the edge list is generated again for each reading, so kernel 1 uses more than the list");
  const Device device = Device::simulated;
  EXPECT_THAT(broken(device, EdgeResidence::resident, KernelKind::bfs, 1), IsEmpty());
  EXPECT_THAT(broken(device, EdgeResidence::streamed, KernelKind::bfs, 1), anew);
  EXPECT_THAT(broken(device, std::nullopt, KernelKind::bfs, 1), anew);
  EXPECT_THAT(broken(device, EdgeResidence::resident, {KernelKind::bfs, KernelKind::sssp}, 1),
              anew);  // processors build these graphs
  EXPECT_THAT(broken(device, EdgeResidence::resident, KernelKind::sssp, 1), anew);
  EXPECT_THAT(broken(device, std::nullopt, KernelKind::bfs, 2), anew);
  EXPECT_THAT(broken(Device::cpu, std::nullopt, KernelKind::bfs, 1), anew);
}

}  // namespace
}  // namespace breadth
