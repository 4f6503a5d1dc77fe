// Checks that wrong results are rejected: for every rule, corruptions that break it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "broken_rules.hpp"
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

/// A change that makes a right result wrong. corrupt() returns false if the result has no place for the change. The
/// changed result must break `rule`.
struct Corruption {
  std::string name;
  Rule rule;
  std::function<bool(Result&, const Oracle&, std::mt19937_64&)> corrupt;
};

/// A random label for which the condition holds.
template <class Condition>
std::optional<std::int64_t> pick(const Result& result, std::mt19937_64& random, Condition&& condition) {
  std::vector<std::int64_t> candidates;
  for (std::int64_t v = 0; v < static_cast<std::int64_t>(result.parents.size()); ++v) {
    if (condition(v)) candidates.push_back(v);
  }
  if (candidates.empty()) return std::nullopt;
  return candidates[random() % candidates.size()];
}

std::vector<Corruption> corruptions() {
  const auto at = [](auto& values, std::int64_t v) -> auto& { return values[static_cast<std::size_t>(v)]; };
  const auto in_tree = [at](const Result& r) {
    return [&r, at](std::int64_t v) { return at(r.parents, v) >= 0 && v != r.root; };
  };
  const auto change = [at, in_tree](auto&& new_parent) {
    return [=](Result& r, const Oracle& oracle, std::mt19937_64& random) {
      const auto vertex = pick(r, random, in_tree(r));
      if (!vertex) return false;
      const std::optional<std::int64_t> parent = new_parent(r, oracle, random, *vertex);
      if (!parent) return false;
      at(r.parents, *vertex) = *parent;
      r.levels.clear();
      return true;
    };
  };
  using Random = std::mt19937_64;
  std::vector<Corruption> all;
  all.push_back(
      {"a cycle of a vertex and its child", Rule::leads_to_root, [=](Result& r, const Oracle&, Random& random) {
         const auto child =
             pick(r, random, [&](std::int64_t v) { return in_tree(r)(v) && at(r.parents, v) != r.root; });
         if (!child) return false;
         at(r.parents, at(r.parents, *child)) = *child;
         r.levels.clear();
         return true;
       }});
  all.push_back({"a long cycle", Rule::leads_to_root, [=](Result& r, const Oracle&, Random& random) {
                   const auto leaf =
                       pick(r, random, [&](std::int64_t v) { return in_tree(r)(v) && at(r.levels, v) >= 3; });
                   if (!leaf) return false;
                   std::int64_t top = *leaf;
                   while (at(r.levels, top) > 1) top = at(r.parents, top);
                   at(r.parents, top) = *leaf;
                   r.levels.clear();
                   return true;
                 }});
  all.push_back({"a parent on the same level, though there is one above", Rule::edge_span,
                 [=](Result& r, const Oracle& oracle, Random& random) {
                   const auto same_level = [&](std::int64_t v, std::int64_t u) {
                     return u != v && at(r.parents, u) >= 0 && at(r.levels, u) == at(r.levels, v) &&
                            oracle.has_edge(Label{u}, Label{v});
                   };
                   const auto size = static_cast<std::int64_t>(r.parents.size());
                   const auto vertex = pick(r, random, [&](std::int64_t v) {
                     for (std::int64_t u = 0; u < size; ++u) {
                       if (in_tree(r)(v) && same_level(v, u)) return true;
                     }
                     return false;
                   });
                   if (!vertex) return false;
                   const auto parent = pick(r, random, [&](std::int64_t u) { return same_level(*vertex, u); });
                   at(r.parents, *vertex) = *parent;
                   r.levels.clear();
                   return true;
                 }});
  const auto on_the_same_level = all.back().corrupt;
  all.push_back({"a parent on the same level, with the levels of the right tree", Rule::level,
                 [=](Result& r, const Oracle& oracle, Random& random) {
                   const std::vector<std::int64_t> levels = r.levels;
                   const bool changed = on_the_same_level(r, oracle, random);
                   r.levels = levels;
                   return changed;
                 }});
  all.push_back({"a wrong level", Rule::level, [=](Result& r, const Oracle&, Random& random) {
                   const auto vertex = pick(r, random, [](std::int64_t) { return true; });
                   at(r.levels, *vertex) += random() % 2 == 0 ? 1 : -1;
                   return true;
                 }});
  all.push_back({"a missing vertex", Rule::spanning, [=](Result& r, const Oracle&, Random& random) {
                   const auto leaf = pick(r, random, [&](std::int64_t v) {
                     return in_tree(r)(v) && std::count(r.parents.begin(), r.parents.end(), v) == 0;
                   });
                   if (!leaf) return false;
                   at(r.parents, *leaf) = -1;
                   at(r.levels, *leaf) = -1;
                   return true;
                 }});
  all.push_back({"a missing subtree", Rule::spanning, [=](Result& r, const Oracle&, Random& random) {
                   const auto top = pick(r, random, in_tree(r));
                   if (!top) return false;
                   std::set<std::int64_t> gone{*top};
                   for (bool grew = true; grew;) {
                     grew = false;
                     for (std::int64_t v = 0; v < static_cast<std::int64_t>(r.parents.size()); ++v) {
                       if (v != r.root && gone.count(at(r.parents, v)) != 0) grew = gone.insert(v).second || grew;
                     }
                   }
                   for (const std::int64_t v : gone) at(r.parents, v) = at(r.levels, v) = -1;
                   return true;
                 }});
  all.push_back({"an edge that does not exist", Rule::tree_edge,
                 change([=](Result& r, const Oracle& oracle, Random& random, std::int64_t v) {
                   return pick(r, random, [&](std::int64_t u) {
                     return at(r.parents, u) >= 0 && at(r.levels, u) == at(r.levels, v) - 1 &&
                            !oracle.has_edge(Label{u}, Label{v});
                   });
                 })});
  all.push_back({"a parent beyond the labels", Rule::parent_range,
                 change([=](Result& r, const Oracle&, Random& random, std::int64_t) {
                   return std::optional<std::int64_t>(static_cast<std::int64_t>(r.parents.size() + random() % 1000));
                 })});
  all.push_back(
      {"a negative parent", Rule::parent_range, change([=](Result&, const Oracle&, Random& random, std::int64_t) {
         return std::optional<std::int64_t>(-2 - static_cast<std::int64_t>(random() % 1000));
       })});
  all.push_back({"a parent in another component", Rule::tree_edge, [=](Result& r, const Oracle&, Random& random) {
                   const auto vertex = pick(r, random, in_tree(r));
                   const auto outside = pick(r, random, [&](std::int64_t v) { return at(r.parents, v) < 0; });
                   if (!vertex || !outside) return false;
                   at(r.parents, *vertex) = *outside;
                   at(r.parents, *outside) = r.root;  // so that the vertex still leads to the root
                   r.levels.clear();
                   return true;
                 }});
  all.push_back({"a parent outside the tree", Rule::leads_to_root,
                 change([=](Result& r, const Oracle&, Random& random, std::int64_t) {
                   return pick(r, random, [&](std::int64_t u) { return at(r.parents, u) < 0; });
                 })});
  all.push_back({"a root that is not its own parent", Rule::root, [=](Result& r, const Oracle&, Random& random) {
                   const auto child = pick(r, random, in_tree(r));
                   at(r.parents, r.root) = child && random() % 2 == 0 ? *child : -1;
                   r.levels.clear();
                   return true;
                 }});
  all.push_back(
      {"a second vertex that is its own parent", Rule::root,
       change([=](Result&, const Oracle&, Random&, std::int64_t v) { return std::optional<std::int64_t>(v); })});
  all.push_back(
      {"a vertex that cannot be reached in the tree", Rule::tree_edge, [=](Result& r, const Oracle&, Random& random) {
         const auto outside = pick(r, random, [&](std::int64_t v) { return at(r.parents, v) < 0; });
         if (!outside) return false;
         at(r.parents, *outside) = r.root;
         r.levels.clear();
         return true;
       }});
  all.push_back(
      {"another component hung onto the root", Rule::tree_edge, [=](Result& r, const Oracle& oracle, Random& random) {
         const auto top = pick(r, random, [&](std::int64_t v) { return at(r.parents, v) < 0; });
         if (!top) return false;
         const Result other = right_result(oracle, *top);
         for (std::size_t v = 0; v < r.parents.size(); ++v) {
           if (r.parents[v] >= 0 || other.parents[v] < 0) continue;
           r.parents[v] = other.parents[v];
           r.levels[v] = other.levels[v] + 1;
         }
         at(r.parents, *top) = r.root;
         return true;
       }});
  all.push_back({"nothing reached at all", Rule::root, [](Result& r, const Oracle&, Random&) {
                   std::fill(r.parents.begin(), r.parents.end(), -1);
                   std::fill(r.levels.begin(), r.levels.end(), -1);
                   return true;
                 }});
  all.push_back(
      {"nothing reached, from a root that is no label", Rule::root, [](Result& r, const Oracle&, Random& random) {
         std::fill(r.parents.begin(), r.parents.end(), -1);
         r.levels.clear();
         r.root = random() % 2 == 0 ? -1 : static_cast<std::int64_t>(r.parents.size() + random() % 3);
         return true;
       }});
  return all;
}

TEST(ValidateBfs, RejectsEveryCorruption) {
  const int rounds = world().size() == 1 ? test::rounds(12, 40) : test::rounds(6, 12);
  for (const Corruption& corruption : corruptions()) {
    SCOPED_TRACE(corruption.name);
    int rejected = 0;
    for (int round = 0; round < rounds; ++round) {
      std::mt19937_64 random(static_cast<std::uint64_t>(round) + 100);
      const NamedEdges list =
          round % 2 == 0 ? test::random_edges(120, 160, random()) : test::skewed_edges(150, 400, random());
      const Settings settings{directed_if(random() % 3 == 0), true, static_cast<int>(1 + random() % 2)};
      const Oracle oracle(list, settings.directedness);
      Result result = right_result(oracle, list.edges[random() % list.edges.size()].source.value);
      ASSERT_TRUE(validate(list, result, settings).valid());
      if (!corruption.corrupt(result, oracle, random)) continue;
      const ValidationReport report = validate(list, result, settings);
      EXPECT_TRUE(breaks(report, corruption.rule)) << list.name << "\n" << report.text();
      ++rejected;
    }
    EXPECT_GE(rejected, rounds / 4) << "too few results could be corrupted";
  }
}

/// The broken rules with their counts. Examples are left out, because threads find them in any order.
std::vector<std::pair<Rule, std::uint64_t>> broken_rules(const ValidationReport& report) {
  std::vector<std::pair<Rule, std::uint64_t>> rules;
  for (const BrokenRule& broken : report.broken) rules.emplace_back(broken.rule, broken.count);
  return rules;
}

void expect_same(const ValidationReport& found, const ValidationReport& expected) {
  EXPECT_EQ(broken_rules(found), broken_rules(expected));
  EXPECT_EQ(found.reached, expected.reached);
  EXPECT_EQ(found.depth, expected.depth);
  EXPECT_EQ(found.traversed_edges, expected.traversed_edges);
}

// A batch with one or two wrong results among right ones. Each report must be the one that the result gets when it is
// validated alone.
TEST(ValidateBfs, FindsTheCorruptedSearchesOfABatch) {
  const std::vector<Corruption> all = corruptions();
  for (std::size_t c = 0; c < all.size(); ++c) {
    SCOPED_TRACE(all[c].name);
    int rejected = 0;
    for (std::uint64_t round = 0; round < 8; ++round) {
      std::mt19937_64 random(1000 * c + round);
      const NamedEdges list =
          round % 2 == 0 ? test::random_edges(120, 160, random()) : test::skewed_edges(150, 400, random());
      const Settings settings{directed_if(round % 3 == 0), true, static_cast<int>(1 + random() % 2)};
      const Oracle oracle(list, settings.directedness);
      std::vector<Result> results;
      for (std::size_t s = 2 + random() % 25; s > 0; --s) {
        results.push_back(right_result(oracle, list.edges[random() % list.edges.size()].source.value));
      }
      std::vector<bool> wrong(results.size());
      for (const std::size_t s : {random() % results.size(), random() % results.size()}) {
        wrong[s] = wrong[s] || all[c].corrupt(results[s], oracle, random);
      }
      const std::size_t per_pass = searches_per_pass[random() % searches_per_pass.size()];
      const std::vector<ValidationReport> reports = validate(list, results, settings, per_pass);
      ASSERT_EQ(reports.size(), results.size());
      for (std::size_t s = 0; s < results.size(); ++s) {
        SCOPED_TRACE(list.name + ", search " + std::to_string(s) + " of " + std::to_string(results.size()) + " by " +
                     std::to_string(per_pass));
        EXPECT_EQ(breaks(reports[s], all[c].rule), wrong[s]) << reports[s].text();
        EXPECT_EQ(reports[s].valid(), !wrong[s]) << reports[s].text();
        if (wrong[s] || s == 0) expect_same(reports[s], validate(list, results[s], settings));
        rejected += wrong[s] ? 1 : 0;
      }
    }
    EXPECT_GE(rejected, 2) << "too few results could be corrupted";
  }
}

}  // namespace
}  // namespace breadth
