// Right results are accepted and wrong ones rejected, however the edges are distributed over the ranks.
#include "validate/report.hpp"
#include "validate/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "broken_rules.hpp"
#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "results.hpp"
#include "support/rounds.hpp"

namespace breadth {
namespace {

using test::breaks;
using test::NamedEdges;
using test::Oracle;
using test::Result;
using test::right_result;
using test::Settings;
using test::validate;
using test::world;

std::vector<SearchResult> one_result(Label root, const LabelArray& parents) { return {{root, parents}}; }

void expect_accepted(const NamedEdges& list, std::int64_t root, const Settings& settings) {
  SCOPED_TRACE(list.name + " from " + std::to_string(root));
  const Oracle oracle(list, settings.directedness);
  const Result result = right_result(oracle, root);
  const ValidationReport report = validate(list, result, settings);
  EXPECT_TRUE(report.valid()) << report.text();
  std::uint64_t traversed = 0;
  for (const Edge& edge : list.edges) {
    if (result.parents[edge.source.index()] >= 0 && result.parents[edge.target.index()] >= 0) ++traversed;
  }
  EXPECT_EQ(report.traversed_edges, traversed);
  EXPECT_EQ(report.reached, result.parents.size() -
                                static_cast<std::size_t>(std::count(result.parents.begin(), result.parents.end(), -1)));
  EXPECT_EQ(report.depth, static_cast<std::uint64_t>(*std::max_element(result.levels.begin(), result.levels.end())));

  const BlockDistribution distribution(result.parents.size(), world().size());
  LabelArray parents(distribution.count(world().rank()), result.parents.size());
  for (std::size_t i = 0; i < parents.size(); ++i) {
    parents.set(i, Label{result.parents[distribution.label(world().rank(), i).index()]});
  }
  ThreadTeam threads(settings.threads);
  EXPECT_EQ(
      count_traversed_edges(test::part_of(list), one_result(Label{root}, parents), distribution, {world(), threads}),
      std::vector{traversed});
}

TEST(ValidateBfs, AcceptsRightTrees) {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::path(100000));
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    graphs.push_back(test::random_edges(200, 100 * seed + 50, seed));
    graphs.push_back(test::skewed_edges(500, 200 * seed + 10, seed));
  }
  for (const NamedEdges& list : graphs) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      expect_accepted(list, list.edges.front().source.value, {directedness, false, 2});
      expect_accepted(list, list.edges.back().target.value, {directedness, true, 1});
    }
  }
}

/// Whether a result is right: it reaches exactly the reachable vertices, each by an edge from a vertex of the level
/// before.
bool is_right(const Result& result, const Oracle& oracle) {
  const std::vector<std::int64_t> levels = oracle.levels(Label{result.root}, INT64_MAX);
  const auto size = static_cast<std::int64_t>(levels.size());
  for (std::int64_t v = 0; v < size; ++v) {
    const std::int64_t parent = result.parents[static_cast<std::size_t>(v)];
    const std::int64_t level = levels[static_cast<std::size_t>(v)];
    bool right = parent == -1;
    if (v == result.root) {
      right = parent == v;
    } else if (level >= 0) {
      right = parent >= 0 && parent < size && levels[static_cast<std::size_t>(parent)] == level - 1 &&
              oracle.has_edge(Label{parent}, Label{v});
    }
    if (!right) return false;
  }
  return true;
}

// On small graphs a random change often gives another right result. Right results must be accepted and wrong ones
// rejected.
TEST(ValidateBfs, TellsRightFromWrong) {
  const int rounds = world().size() == 1 ? test::rounds(500, 3000) : test::rounds(50, 150);
  int right = 0;
  for (int round = 0; round < rounds; ++round) {
    std::mt19937_64 random(static_cast<std::uint64_t>(round) + 5000);
    const std::int64_t n = 2 + static_cast<std::int64_t>(random() % 8) * (round % 4 == 0 ? 30 : 1);
    const NamedEdges list = test::random_edges(n, 1 + random() % static_cast<std::uint64_t>(4 * n), random());
    const Settings settings{directed_if(random() % 2 == 0), true, static_cast<int>(1 + random() % 2)};
    const Oracle oracle(list, settings.directedness);
    Result result = right_result(oracle, list.edges[random() % list.edges.size()].source.value);
    result.levels.clear();
    const auto size = static_cast<std::int64_t>(result.parents.size());
    for (std::uint64_t changes = random() % 3; changes > 0; --changes) {
      result.parents[random() % result.parents.size()] =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size + 3)) - 2;
    }
    const bool expected = is_right(result, oracle);
    const ValidationReport report = validate(list, result, settings);
    ASSERT_EQ(report.valid(), expected) << list.name << ", round " << round << "\n" << report.text();
    right += expected ? 1 : 0;
  }
  EXPECT_GT(right, rounds / 5);
  EXPECT_LT(right, rounds * 4 / 5);
}

// From one end of a path, levels need more than a byte; from its middle they do not. Both kinds are in one batch, with
// lengths around the limit, and then with an additional tuple that joins distant levels.
TEST(ValidateBfs, TakesDeepAndShallowTreesTogether) {
  for (const std::int64_t length : {252, 253, 254, 255, 256, 600}) {
    NamedEdges list = test::path(length);
    const Oracle oracle(list, Directedness::undirected);
    std::vector<Result> results;
    for (std::int64_t s = 0; s < 30; ++s) results.push_back(right_result(oracle, s * (length - 1) / 29));
    results[7].parents[static_cast<std::size_t>(length - 1)] = -1;
    results[7].levels[static_cast<std::size_t>(length - 1)] = -1;
    for (const std::size_t per_pass : searches_per_pass) {
      const std::vector<ValidationReport> reports = validate(list, results, {}, per_pass);
      for (std::size_t s = 0; s < results.size(); ++s) {
        EXPECT_EQ(reports[s].valid(), s != 7) << length << " " << s << "\n" << reports[s].text();
        const std::int64_t deepest = *std::max_element(results[s].levels.begin(), results[s].levels.end());
        EXPECT_EQ(reports[s].depth, static_cast<std::uint64_t>(deepest));
      }
      EXPECT_TRUE(breaks(reports[7], Rule::spanning));
    }
    list.edges.push_back(test::edge(0, length - 1));
    for (const ValidationReport& report : validate(list, {results[0], results[1]}, {})) {
      EXPECT_TRUE(breaks(report, Rule::edge_span));
    }
  }
}

// Many searches, on a graph with more edges than a byte can count.
TEST(ValidateBfs, CountsTheEdgesOfEverySearchOfABatch) {
  const NamedEdges list = test::skewed_edges(2000, 3000, 5);
  const Oracle oracle(list, Directedness::undirected);
  std::vector<Result> results;
  for (std::size_t s = 0; s < 29; ++s) results.push_back(right_result(oracle, list.edges[97 * s].source.value));
  const BlockDistribution distribution(results[0].parents.size(), world().size());
  std::vector<LabelArray> parents;
  std::vector<SearchResult> own;
  std::vector<std::uint64_t> expected;
  for (const Result& result : results) {
    LabelArray& part = parents.emplace_back(distribution.count(world().rank()), result.parents.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      part.set(i, Label{result.parents[distribution.label(world().rank(), i).index()]});
    }
    expected.push_back(
        static_cast<std::uint64_t>(std::count_if(list.edges.begin(), list.edges.end(), [&](const Edge& edge) {
          return result.parents[edge.source.index()] >= 0 && result.parents[edge.target.index()] >= 0;
        })));
  }
  for (std::size_t s = 0; s < results.size(); ++s) own.push_back({Label{results[s].root}, parents[s]});
  ThreadTeam threads(2);
  const Context context{world(), threads};
  for (const std::size_t per_pass : searches_per_pass) {
    EXPECT_EQ(count_traversed_edges(test::part_of(list), own, distribution, context, per_pass), expected);
    const auto reports =
        validate_bfs(test::part_of(list), Directedness::undirected, own, distribution, context, per_pass);
    for (std::size_t s = 0; s < own.size(); ++s) {
      EXPECT_TRUE(reports[s].valid()) << reports[s].text();
      EXPECT_EQ(reports[s].traversed_edges, expected[s]);
    }
  }
}

// Data that a pass leaves in pooled memory must not affect the next user of the memory.
TEST(ValidateBfs, PassesLeaveTheirMemoryToEachOther) {
  const NamedEdges list = test::skewed_edges(4000, 20000, 3);
  const Oracle oracle(list, Directedness::undirected);
  std::vector<Result> results;
  for (std::size_t s = 0; s < 30; ++s) results.push_back(right_result(oracle, list.edges[97 * s].source.value));
  const Result& broken = results[4];
  NamedEdges without = list;  // the list without the edges between a vertex and its parent
  const auto vertex =
      static_cast<std::int64_t>(std::find(broken.levels.begin(), broken.levels.end(), 2) - broken.levels.begin());
  const std::int64_t parent = broken.parents[static_cast<std::size_t>(vertex)];
  std::erase_if(without.edges, [&](const Edge& edge) {
    return std::minmax(edge.source.value, edge.target.value) == std::minmax(vertex, parent);
  });
  for (const bool wide : {false, true}) {
    BufferPool pool;
    const Settings settings{.wide = wide, .threads = 2, .pool = &pool};
    std::vector<std::size_t> bytes;
    for (int round = 0; round < 4; ++round) {
      for (const ValidationReport& report : validate(list, results, settings)) ASSERT_TRUE(report.valid());
      bytes.push_back(pool.bytes());
      EXPECT_TRUE(breaks(validate(without, results, settings)[4], Rule::tree_edge));
    }
    EXPECT_GT(bytes.front(), 0U);
    EXPECT_EQ(bytes[2], bytes[3]);
    if (world().size() == 1) {
      EXPECT_LE(bytes.back(), validation_bytes_per_label(max_searches_per_pass, wide ? 8 : 4) * oracle.size());
    }
  }
}

// More tuples than fit into a round, all on one rank, and most of them at one vertex.
TEST(ValidateBfs, TakesSeveralRounds) {
  NamedEdges list = test::skewed_edges(3000, 300000, 8);
  for (Edge& edge : list.edges) {
    if (edge.source.value % 3 == 0) edge.target = Label{1234};
  }
  const Oracle oracle(list, Directedness::undirected);
  Result result = right_result(oracle, 1234);
  const BlockDistribution distribution(result.parents.size(), world().size());
  const bool last = world().rank() == world().size() - 1;
  const MemoryEdgeList part(last ? std::span<const Edge>(list.edges) : std::span<const Edge>());
  ThreadTeam threads(2);
  const auto check = [&] {
    LabelArray parents(distribution.count(world().rank()), result.parents.size());
    for (std::size_t i = 0; i < parents.size(); ++i) {
      parents.set(i, Label{result.parents[distribution.label(world().rank(), i).index()]});
    }
    return validate_bfs(part, Directedness::undirected, {Label{1234}, parents}, distribution, {world(), threads});
  };
  const ValidationReport right = check();
  EXPECT_TRUE(right.valid()) << right.text();
  std::uint64_t traversed = 0;
  for (const Edge& edge : list.edges) traversed += result.parents[edge.source.index()] >= 0 ? 1U : 0U;
  EXPECT_EQ(right.traversed_edges, traversed);

  // Removes the source of the last tuple, which comes in the last round, from the tree.
  const std::size_t lost = list.edges.back().source.index();
  ASSERT_NE(lost, 1234U);
  result.parents[lost] = -1;
  std::uint64_t leaving = 0;
  for (const Edge& edge : list.edges) {
    leaving += (edge.source.index() == lost) != (edge.target.index() == lost) ? 1U : 0U;
  }
  const ValidationReport wrong = check();
  ASSERT_TRUE(breaks(wrong, Rule::spanning));
  for (const BrokenRule& broken : wrong.broken) {
    if (broken.rule == Rule::spanning &&
        std::count(result.parents.begin(), result.parents.end(), static_cast<std::int64_t>(lost)) == 0) {
      EXPECT_EQ(broken.count, leaving);
    }
  }
}

TEST(ValidateBfs, TheResultMustFitItsBlock) {
  const BlockDistribution distribution(1000, world().size());
  const std::size_t count = distribution.count(world().rank());
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const MemoryEdgeList edges;
  const auto undirected = Directedness::undirected;
  // Wrong on the first rank only, but all ranks must throw.
  const std::size_t wrong = count + (world().rank() == 0 ? 1 : 0);
  const LabelArray long_parents(wrong, 1000);
  EXPECT_THROW(validate_bfs(edges, undirected, {Label{0}, long_parents}, distribution, context), AgreedError);
  EXPECT_THROW((void)count_traversed_edges(edges, one_result(Label{0}, long_parents), distribution, context),
               AgreedError);
  const LabelArray parents(count, 1000);
  const std::vector<std::int32_t> long_levels(wrong);
  EXPECT_THROW(validate_bfs(edges, undirected, {Label{0}, parents, long_levels}, distribution, context), AgreedError);
}

/// A part of an edge list that cannot be read.
class BrokenEdgeList final : public EdgeList {
 public:
  [[nodiscard]] std::uint64_t size() const override { return 10000; }
  [[nodiscard]] bool weighted() const override { return false; }
  void read(std::uint64_t, std::span<Edge>, std::span<float>) const override { throw Error("the disk is gone"); }
};

TEST(ValidateBfs, AListThatCannotBeReadEndsItOnAllRanks) {
  const BlockDistribution distribution(100, world().size());
  const LabelArray parents(distribution.count(world().rank()), 100);
  ThreadTeam threads(2);
  const MemoryEdgeList whole;
  const BrokenEdgeList broken;
  const bool here = world().rank() == world().size() - 1;
  const EdgeList& part = here ? static_cast<const EdgeList&>(broken) : whole;
  EXPECT_THROW(validate_bfs(part, Directedness::undirected, {Label{0}, parents}, distribution, {world(), threads}),
               AgreedError);
}

/// A part of an edge list that has changed when a pass over it ends.
class ChangedEdgeList final : public EdgeList {
 public:
  explicit ChangedEdgeList(const EdgeList& now) : now_(now) {}
  [[nodiscard]] std::uint64_t size() const override { return now_.size(); }
  [[nodiscard]] bool weighted() const override { return false; }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    now_.read(first, edges, weights);
  }
  [[nodiscard]] bool may_change() const override { return true; }
  void check_unchanged() const override { throw Error("'graph' changed while it was read"); }

 private:
  const EdgeList& now_;
};

/// The changed tuples, among them labels beyond the graph's, must not count against a search.
TEST(ValidateBfs, AListThatChangedBreaksNoRule) {
  const NamedEdges list = test::path(1000);
  const BlockDistribution distribution(100, world().size());
  const LabelArray parents(distribution.count(world().rank()), 100);
  ThreadTeam threads(2);
  const MemoryEdgeList part = test::part_of(list);
  const ChangedEdgeList changed(part);
  const bool here = world().rank() == world().size() - 1;
  const EdgeList& edges = here ? static_cast<const EdgeList&>(changed) : part;
  const auto expect_refusal = [](const auto& step) {
    try {
      step();
      FAIL() << "no error";
    } catch (const AgreedError& error) {
      EXPECT_NE(std::string(error.what()).find("'graph' changed"), std::string::npos) << error.what();
    }
  };
  const Context context{world(), threads};
  expect_refusal([&] {
    (void)validate_bfs(edges, Directedness::undirected, {Label{0}, parents}, distribution, context);
  });
  expect_refusal([&] { (void)count_traversed_edges(edges, one_result(Label{0}, parents), distribution, context); });
}

TEST(ValidateBfs, NamesTheFirstCasesAndCountsAll) {
  const NamedEdges list = test::star(100);
  const Oracle oracle(list, Directedness::undirected);
  Result result = right_result(oracle, 0);
  for (std::size_t v = 10; v < 30; ++v) result.parents[v] = 5;
  result.levels.clear();
  const ValidationReport report = validate(list, result, {});
  ASSERT_TRUE(breaks(report, Rule::tree_edge));
  for (const BrokenRule& broken : report.broken) {
    if (broken.rule != Rule::tree_edge) continue;
    EXPECT_EQ(broken.count, 20U);
    ASSERT_EQ(broken.examples.size(), BrokenRules::max_examples);
    EXPECT_EQ(broken.examples[0], "vertex 10 has parent 5, which is not its neighbour");
  }
  EXPECT_NE(report.text().find("broken 20 times: every edge of the tree is an input edge"), std::string::npos);
}

TEST(ValidateBfs, TheResultMustCoverTheEdgeList) {
  NamedEdges list = test::path(10);
  const Result result = right_result(Oracle(list, Directedness::undirected), 0);
  list.edges.push_back(test::edge(3, 10));
  EXPECT_TRUE(breaks(validate(list, result, {}), Rule::covers_edge_list));
}

}  // namespace
}  // namespace breadth
