// Checks that wrong results for shortest paths are rejected: for every rule, corruptions that break it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "broken_rules.hpp"
#include "sssp_results.hpp"
#include "support/rounds.hpp"

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

/// A graph with its right result, for a corruption to change.
struct Case {
  NamedEdges list;
  Directedness directedness;
  ShortestPaths result;
  std::mt19937_64 random;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(result.parents.size()); }
  [[nodiscard]] std::int64_t& parent(std::int64_t v) { return result.parents[static_cast<std::size_t>(v)]; }
  [[nodiscard]] float& distance(std::int64_t v) { return result.distances[static_cast<std::size_t>(v)]; }
  [[nodiscard]] bool reached(std::int64_t v) { return parent(v) >= 0; }
  [[nodiscard]] bool has_children(std::int64_t v) {
    return std::count(result.parents.begin(), result.parents.end(), v) > 0;
  }

  /// A random label for which the condition holds.
  template <class Condition>
  std::optional<std::int64_t> pick(Condition&& condition) {
    std::vector<std::int64_t> candidates;
    for (std::int64_t v = 0; v < size(); ++v) {
      if (condition(v)) candidates.push_back(v);
    }
    if (candidates.empty()) return std::nullopt;
    return candidates[random() % candidates.size()];
  }
  /// A random vertex of the tree that is not its root.
  std::optional<std::int64_t> pick_child() {
    return pick([&](std::int64_t v) { return reached(v) && v != result.root; });
  }
  /// The weights of the tuples that lead from u to v.
  std::vector<float> weights(std::int64_t u, std::int64_t v) {
    std::vector<float> found;
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const Edge edge = list.edges[i];
      const bool there = edge == test::edge(u, v);
      const bool back = directedness == Directedness::undirected && edge == test::edge(v, u);
      if (there || back) found.push_back(list.weights[i]);
    }
    return found;
  }
  /// A random tuple that a search from the root examines.
  std::size_t pick_tuple() {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      if (reached(list.edges[i].source.value)) candidates.push_back(i);
    }
    return candidates[random() % candidates.size()];
  }
};

struct SsspCorruption {
  std::string name;
  Rule rule;
  std::function<bool(Case&)> corrupt;
};

/// A corruption that changes the distance of a child.
SsspCorruption wrong_distance(const std::string& name, Rule rule, const std::function<float(float)>& change) {
  return {name, rule, [change](Case& c) {
            const auto v = c.pick_child();
            if (!v) return false;
            const float before = c.distance(*v);
            c.distance(*v) = change(before);
            return std::isnan(c.distance(*v)) || c.distance(*v) != before;
          }};
}

SsspCorruption wrong_weight(const std::string& name, float weight) {
  return {name, Rule::weight, [weight](Case& c) {
            c.list.weights[c.pick_tuple()] = weight;
            return true;
          }};
}

std::vector<SsspCorruption> wrong_distances() {
  const auto up = [](float d) { return std::nextafter(d, infinity); };
  const auto down = [](float d) { return d > 0 ? std::nextafter(d, -infinity) : d; };
  return {
      wrong_distance("a distance a little too large", Rule::distance, up),
      wrong_distance("a distance a little too small", Rule::distance, down),
      wrong_distance("a distance that is far too large", Rule::distance_span, [](float d) { return d * 2 + 3e6F; }),
      wrong_distance("an infinite distance in the tree", Rule::distance, [](float) { return infinity; }),
      wrong_distance("a distance of minus infinity", Rule::distance, [](float) { return -infinity; }),
      wrong_distance("a negative distance", Rule::distance, [](float d) { return -d - 1; }),
      wrong_distance("a distance that is no number", Rule::distance,
                     [](float) { return std::numeric_limits<float>::quiet_NaN(); }),
      {"a root that is not at distance 0", Rule::distance,
       [](Case& c) {
         c.distance(c.result.root) = c.random() % 2 == 0 ? std::numeric_limits<float>::denorm_min() : infinity;
         return true;
       }},
      {"everything farther away by the same", Rule::distance,
       [](Case& c) {
         for (float& distance : c.result.distances) distance += 1;
         return true;
       }},
      {"a distance without a parent", Rule::distance,
       [](Case& c) {
         const auto v = c.pick([&](std::int64_t u) { return !c.reached(u); });
         if (v) c.distance(*v) = c.random() % 2 == 0 ? 1.0F : std::numeric_limits<float>::quiet_NaN();
         return v.has_value();
       }},
      {"the way over a heavier edge beside the lightest", Rule::distance_span,
       [](Case& c) {
         const auto heaviest = [&](std::int64_t v) {
           const std::vector<float> weights = c.weights(c.parent(v), v);
           return c.distance(c.parent(v)) + *std::max_element(weights.begin(), weights.end());
         };
         const auto v = c.pick([&](std::int64_t u) {
           return c.reached(u) && u != c.result.root && !c.has_children(u) && heaviest(u) > c.distance(u);
         });
         if (v) c.distance(*v) = heaviest(*v);
         return v.has_value();
       }},
      {"a detour that adds up", Rule::distance_span,
       [](Case& c) {
         for (std::int64_t v = 0; v < c.size(); ++v) {
           if (!c.reached(v) || v == c.result.root || c.has_children(v)) continue;
           for (std::int64_t u = 0; u < c.size(); ++u) {
             if (!c.reached(u) || u == v) continue;
             for (const float weight : c.weights(u, v)) {
               if (c.distance(u) + weight <= c.distance(v)) continue;
               c.parent(v) = u;
               c.distance(v) = c.distance(u) + weight;
               return true;
             }
           }
         }
         return false;
       }},
  };
}

std::vector<SsspCorruption> wrong_trees() {
  return {
      {"two vertices at the same distance that are each other's parents", Rule::leads_to_root,
       [](Case& c) {
         for (std::int64_t v = 0; v < c.size(); ++v) {
           if (!c.reached(v) || v == c.result.root) continue;
           for (std::int64_t u = 0; u < v; ++u) {
             if (!c.reached(u) || u == c.result.root || c.distance(u) != c.distance(v)) continue;
             const auto weightless = [](const std::vector<float>& weights) {
               return std::find(weights.begin(), weights.end(), 0.0F) != weights.end();
             };
             if (!weightless(c.weights(u, v)) || !weightless(c.weights(v, u))) continue;
             c.parent(v) = u;
             c.parent(u) = v;
             return true;
           }
         }
         return false;
       }},
      {"a missing vertex", Rule::spanning,
       [](Case& c) {
         const auto leaf =
             c.pick([&](std::int64_t v) { return c.reached(v) && v != c.result.root && !c.has_children(v); });
         if (!leaf) return false;
         c.parent(*leaf) = -1;
         c.distance(*leaf) = infinity;
         return true;
       }},
      {"an edge that does not exist, though the distances would fit", Rule::tree_edge,
       [](Case& c) {
         const auto v = c.pick_child();
         if (!v) return false;
         const auto u = c.pick([&](std::int64_t other) {
           return c.reached(other) && other != *v && c.distance(other) < c.distance(*v) && c.weights(other, *v).empty();
         });
         if (u) c.parent(*v) = *u;
         return u.has_value();
       }},
      {"a parent whose edge is too heavy or too light", Rule::distance,
       [](Case& c) {
         const auto v = c.pick_child();
         if (!v) return false;
         const auto u = c.pick([&](std::int64_t other) {
           const std::vector<float> weights = c.weights(other, *v);
           return other != *v && c.reached(other) && !weights.empty() && c.distance(other) < c.distance(*v) &&
                  std::none_of(weights.begin(), weights.end(),
                               [&](float weight) { return c.distance(other) + weight == c.distance(*v); });
         });
         if (u) c.parent(*v) = *u;
         return u.has_value();
       }},
      {"a parent beyond the labels", Rule::parent_range,
       [](Case& c) {
         const auto v = c.pick_child();
         if (v) c.parent(*v) = c.random() % 2 == 0 ? c.size() : -2;
         return v.has_value();
       }},
      {"a root that is not its own parent", Rule::root,
       [](Case& c) {
         c.parent(c.result.root) = -1;
         return true;
       }},
      {"a second vertex that is its own parent", Rule::root,
       [](Case& c) {
         const auto v = c.pick_child();
         if (v) c.parent(*v) = *v;
         return v.has_value();
       }},
      {"a tuple beyond the labels", Rule::covers_edge_list,
       [](Case& c) {
         c.list.edges.push_back(test::edge(c.result.root, c.size()));
         c.list.weights.push_back(1);
         return true;
       }},
      wrong_weight("a negative weight", -0.25F),
      wrong_weight("a tiny negative weight", -1e-30F),
      wrong_weight("a weight that is no number", std::numeric_limits<float>::quiet_NaN()),
      wrong_weight("an infinite weight", infinity),
  };
}

Case random_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const NamedEdges list =
      seed % 2 == 0 ? test::random_edges(100, 150, random()) : test::skewed_edges(120, 360, random());
  const NamedEdges weighted =
      seed % 3 == 2 ? test::with_wild_weights(list, random()) : test::with_coarse_weights(list, random());
  const Directedness directedness = directed_if(seed % 5 == 4);
  const std::int64_t root = list.edges[random() % list.edges.size()].source.value;
  return {weighted, directedness, shortest_paths(weighted, directedness, root), random};
}

void expect_rejected(const std::vector<SsspCorruption>& corruptions) {
  const std::uint64_t rounds =
      world().size() == 1 ? test::rounds<std::uint64_t>(12, 30) : test::rounds<std::uint64_t>(6, 12);
  for (const SsspCorruption& corruption : corruptions) {
    SCOPED_TRACE(corruption.name);
    std::uint64_t rejected = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      Case spoilt = random_case(round);
      const SsspSettings settings{spoilt.directedness, round % 4 == 1, static_cast<int>(1 + round % 2)};
      ASSERT_TRUE(validate(spoilt.list, spoilt.result, settings).valid());
      if (!corruption.corrupt(spoilt)) continue;
      const ValidationReport report = validate(spoilt.list, spoilt.result, settings);
      EXPECT_TRUE(breaks(report, corruption.rule)) << spoilt.list.name << "\n" << report.text();
      ++rejected;
    }
    EXPECT_GE(rejected, rounds / 5) << "too few results could be corrupted";
  }
}

TEST(ValidateSssp, RejectsWrongDistances) { expect_rejected(wrong_distances()); }
TEST(ValidateSssp, RejectsWrongTreesAndWeights) { expect_rejected(wrong_trees()); }

// A batch with one wrong result among right ones. Its report must be the one that the result gets when it is validated
// alone.
TEST(ValidateSssp, FindsTheCorruptedSearchOfABatch) {
  for (const SsspCorruption& corruption : wrong_distances()) {
    SCOPED_TRACE(corruption.name);
    for (std::uint64_t round = 0; round < 4; ++round) {
      Case spoilt = random_case(round + 50);
      std::vector<ShortestPaths> results;
      for (std::size_t s = 0; s < 2 + 3 * round; ++s) {
        const std::int64_t root = spoilt.list.edges[spoilt.random() % spoilt.list.edges.size()].source.value;
        results.push_back(shortest_paths(spoilt.list, spoilt.directedness, root));
      }
      if (!corruption.corrupt(spoilt)) continue;
      const std::size_t place = spoilt.random() % results.size();
      results[place] = spoilt.result;
      std::vector<ValidationReport> alone;
      for (const ShortestPaths& result : results) {
        alone.push_back(validate(spoilt.list, result, {spoilt.directedness, false, 1}));
      }
      for (const std::size_t per_pass : sssp_searches_per_pass) {
        const auto reports = validate(spoilt.list, results, {spoilt.directedness, false, 2}, per_pass);
        ASSERT_EQ(reports.size(), results.size());
        for (std::size_t s = 0; s < results.size(); ++s) {
          EXPECT_EQ(reports[s].valid(), s != place) << reports[s].text();
          EXPECT_EQ(reports[s].broken.size(), alone[s].broken.size());
          EXPECT_EQ(reports[s].reached, alone[s].reached);
          EXPECT_EQ(reports[s].traversed_edges, alone[s].traversed_edges);
        }
      }
    }
  }
}

}  // namespace
}  // namespace breadth
