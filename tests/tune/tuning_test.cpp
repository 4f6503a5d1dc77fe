// Tuning on small graphs: which keys it uses, that all ranks do the same, and that it can be stopped. The values that
// it finds depend on the clock and are not checked.
#include "tune/tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph_contents.hpp"
#include "graph500/benchmark.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double plenty = 1e6;  // seconds

Graph build(const test::NamedEdges& list, Directedness directedness, const Context& context) {
  return build_graph(test::part_of(list), {.directedness = directedness}, context);
}

std::set<std::int64_t> values(std::span<const Label> labels) {
  std::set<std::int64_t> values;
  for (const Label label : labels) values.insert(label.value);
  return values;
}

/// All keys of a TuningKeys object.
std::set<std::int64_t> all_of(const TuningKeys& keys) {
  std::set<std::int64_t> all = values(keys.search);
  all.merge(values(keys.judging));
  EXPECT_EQ(all.size(), keys.search.size() + keys.judging.size());
  return all;
}

/// The keys of the benchmark itself, from a run of it.
std::set<std::int64_t> timed_keys(const BenchmarkOptions& options, const Context& context) {
  RunObserver observer;
  const BenchmarkReport report =
      run_benchmark(options, {.context = context, .observer = observer, .stop = [] { return false; }});
  std::set<std::int64_t> keys;
  for (const SearchRecord& search : report.kernels.front().searches) keys.insert(search.key.value);
  return keys;
}

TEST(TuningKeys, AreNoneThatTheBenchmarkTimes) {
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  for (const std::array<std::uint64_t, 2> seed : {std::array<std::uint64_t, 2>{2, 3}, {11, 12}}) {
    const BenchmarkOptions options{.scale = 8, .seed = seed, .validation = ValidationPolicy::none};
    const BenchmarkInput input = prepare_input(
        options, [](const GraphSize&) {}, context);
    const Graph graph = build_graph(*input.edges, {}, context);
    const std::set<std::int64_t> timed = timed_keys(options, context);
    ASSERT_EQ(timed.size(), 64U);
    for (const std::uint64_t count : {1U, 20U, 4096U}) {
      const TuningKeys keys = draw_tuning_keys(graph, {.scale = 8, .seed = seed}, 64, count, test::world());
      const std::set<std::int64_t> all = all_of(keys);
      for (const std::int64_t key : all) EXPECT_FALSE(timed.contains(key)) << key;
      EXPECT_EQ(all.size(), std::min<std::uint64_t>(2 * count, graph.connected_vertices() - 64));
      EXPECT_LE(keys.search.size() - keys.judging.size(), 1U);
    }
  }
}

TEST(TuningKeys, AreTheSameOnAllRanksAndHaveEdges) {
  ThreadTeam threads(1);
  const Context context{test::world(), threads};
  std::vector<test::NamedEdges> lists = {test::random_edges(500, 600, 3), test::skewed_edges(2000, 3000, 4),
                                         test::path(300), test::star(700)};
  for (const test::NamedEdges& list : lists) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      const Graph graph = build(list, directedness, context);
      const test::Oracle oracle(list, Directedness::undirected);
      const TuningKeys keys =
          draw_tuning_keys(graph, {.scale = min_scale(graph.vertex_count())}, 64, 10, test::world());
      const std::set<std::int64_t> all = all_of(keys);
      EXPECT_EQ(all.size(), 20U);
      for (const std::int64_t key : all) {
        bool has_edge = false;
        for (std::size_t other = 0; other < oracle.size(); ++other) {
          const Label label{static_cast<std::int64_t>(other)};
          has_edge |= label.value != key && oracle.has_edge(Label{key}, label);
        }
        EXPECT_TRUE(has_edge) << list.name << " " << key;
      }
      const std::string text = fmt::format("{}", fmt::join(all, " "));
      EXPECT_EQ(text, test::world().broadcast(text, 0));
    }
  }
}

TEST(TuningKeys, AreMissedWhereTheBenchmarkTakesAll) {
  ThreadTeam threads(1);
  const Context context{test::world(), threads};
  for (const std::int64_t vertices : {2, 64, 65}) {
    const Graph graph = build(test::path(vertices), Directedness::undirected, context);
    try {
      draw_tuning_keys(graph, {.scale = 7}, 64, 10, test::world());
      FAIL() << vertices;
    } catch (const AgreedError& error) {
      EXPECT_THAT(error.what(), HasSubstr("the graph is too small"));
    }
  }
  const Graph graph = build(test::path(66), Directedness::undirected, context);
  const TuningKeys keys = draw_tuning_keys(graph, {.scale = 7}, 64, 10, test::world());
  EXPECT_EQ(keys.search.size(), 1U);
  EXPECT_EQ(keys.judging.size(), 1U);
}

/// The values that these tests try, as options of a setting.
const TuningTask task{.tunables = {{.option = "alpha", .values = {"1", "20"}, .refined = true},
                                   {.option = "coalescing", .values = {"1", "256"}}},
                      .defaults = {"20", "256"}};

BfsOptions options_of(const Setting& setting) {
  return {.direction = {.alpha = std::stod(setting[0])}, .messages = {.coalescing = std::stoul(setting[1])}};
}

struct TuningRun : testing::Test {
  TuningResult run(
      double seconds, std::function<bool()> stop = [] { return false; }) {
    const Graph graph = build(test::skewed_edges(600, 3000, 5), Directedness::undirected, context);
    const TuningKeys keys = draw_tuning_keys(graph, {.scale = 10}, 64, 3, test::world());
    return tune(graph, keys, task, {.options_of = options_of, .budget = TimeBudget(seconds), .stop = std::move(stop)},
                {.trial = [this](const Trial& trial) { trials.push_back(trial); }}, context);
  }

  ThreadTeam threads{2};
  Context context{test::world(), threads};
  std::vector<Trial> trials;
};

TEST_F(TuningRun, TriesEverythingInEnoughTimeAlikeOnAllRanks) {
  const TuningResult result = run(plenty);
  EXPECT_FALSE(result.interrupted);
  EXPECT_THAT(result.tried, Each(true));
  EXPECT_GE(result.judged.speedup, 1);
  EXPECT_GE(result.judged.spread, 0);
  EXPECT_GE(result.noise, 0);
  ASSERT_EQ(result.best.size(), 2U);
  EXPECT_FALSE(trials.empty());
  EXPECT_EQ(result.judged.speedup == 1, result.best == task.defaults);

  std::string all = result.best[0] + " " + result.best[1] + fmt::format(" {} {}", result.judged.speedup, result.noise);
  for (const Trial& trial : trials)
    all += trial.challenger + fmt::format(" {} {}", trial.comparison.speedup, trial.kept);
  EXPECT_EQ(all, test::world().broadcast(all, 0));
}

/// Vertices with more edges than the value are hubs, so each value needs a graph of its own.
TEST_F(TuningRun, BuildsAGraphForEachValueOfAnOptionOfKernel1) {
  const test::NamedEdges list = test::skewed_edges(600, 3000, 5);
  std::vector<std::string> built;
  const auto build_with = [&](const std::string& degree) {
    built.push_back(degree);
    const GraphLayout layout{.hubs = {.rule = HubRule::degree, .degree = std::stoull(degree)}};
    return build_graph(test::part_of(list), {.layout = layout}, context);
  };
  const TuningTask hubs{.tunables = {{.option = "hubs", .values = {"0", "20", "1000"}, .of_graph = true},
                                     {.option = "alpha", .values = {"1", "20"}}},
                        .defaults = {"1000", "20"}};
  GraphVariants graphs([](const Setting& setting) { return setting[0]; }, build_with, test::world());
  const Graph& first = graphs.graph_of(hubs.defaults);
  EXPECT_EQ(graphs.build_seconds({}), 0);
  const Setting known[] = {{"1000", "1"}, {"1000", "20"}};
  EXPECT_EQ(graphs.build_seconds(known), 0);
  const Setting unknown[] = {{"0", "1"}, {"20", "1"}, {"20", "20"}};
  EXPECT_GT(graphs.build_seconds(unknown), 0);

  const TuningKeys keys = draw_tuning_keys(first, {.scale = 10}, 64, 3, test::world());
  const auto tuned_in = [&](double seconds) {
    const auto alpha = [](const Setting& setting) { return BfsOptions{.direction = {.alpha = std::stod(setting[1])}}; };
    return tune(graphs, keys, hubs, {.options_of = alpha, .budget = TimeBudget(seconds), .stop = [] { return false; }},
                {}, context);
  };
  EXPECT_THAT(tuned_in(0).not_tried, ElementsAre("hubs", "alpha"));
  EXPECT_THAT(built, ElementsAre("1000"));
  const TuningResult result = tuned_in(plenty);
  EXPECT_THAT(result.tried, Each(true));
  EXPECT_THAT(built, testing::UnorderedElementsAre("1000", "0", "20"));
  EXPECT_EQ(graphs.count(), 3U);
  if (test::world().size() > 1) {
    EXPECT_GT(graphs.with("0").partition().hubs().count(), graphs.with("20").partition().hubs().count());
    EXPECT_EQ(graphs.with("1000").partition().hubs().count(), 0U);
  }
}

TEST_F(TuningRun, TriesNothingWithoutTime) {
  const TuningResult result = run(0);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.best, task.defaults);
  EXPECT_THAT(result.tried, Each(false));
  EXPECT_THAT(result.not_tried, ElementsAre("alpha", "coalescing"));
  EXPECT_THAT(trials, IsEmpty());
}

TEST_F(TuningRun, StopsOnAllRanksWhenOneAsks) {
  const bool asks = test::world().rank() == test::world().size() - 1;
  for (const int searches : {0, 5, 40}) {
    int asked = 0;
    const TuningResult result = run(plenty, [&] { return asked++ >= searches && asks; });
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(asked, searches + 1);
  }
}

TEST_F(TuningRun, RefusesOptionsThatChangeTheResult) {
  const Graph graph = build(test::path(300), Directedness::undirected, context);
  const TuningKeys keys = draw_tuning_keys(graph, {.scale = 9}, 64, 2, test::world());
  const TuningTask depth{.tunables = {{.option = "max-depth", .values = {"1", "2"}}}, .defaults = {"1"}};
  const TimingRules rules{
      .options_of = [](const Setting& setting) { return BfsOptions{.max_depth = std::stol(setting[0])}; },
      .budget = TimeBudget(plenty),
      .stop = [] { return false; }};
  try {
    tune(graph, keys, depth, rules, {}, context);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("with other options"));
  }
}

}  // namespace
}  // namespace breadth
