// Weights that are hard cases for shortest paths.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "generate/generators.hpp"
#include "support/edge_lists.hpp"

namespace breadth::test {

/// Uniformly random, all zero, all equal, zero or one, of all magnitudes, and some too small to change a sum.
inline constexpr int kinds_of_weights = 6;

inline float draw_weight(int kind, std::mt19937_64& random) {
  const float even = std::uniform_real_distribution<float>(0, 1)(random);
  switch (kind) {
    case 0: return even;
    case 1: return 0;
    case 2: return 0.1F;
    case 3: return static_cast<float>(random() % 2);
    case 4: return std::pow(10.0F, 40 * even - 20);
    default: return random() % 3 == 0 ? 1.0F : 1e-9F;
  }
}

/// Gives the list weights of a kind below kinds_of_weights.
inline NamedEdges weighed(NamedEdges list, int kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  list.weights.clear();
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(draw_weight(kind, random));
  list.name += ", weights of kind " + std::to_string(kind);
  return list;
}

/// A Kronecker graph with 16 tuples per label and its own weights.
inline NamedEdges weighted_kronecker(int scale) {
  const Kronecker kronecker({.scale = scale, .edgefactor = 16});
  NamedEdges list{.name = "Kronecker", .edges = {}, .weights = {}};
  list.edges.assign(kronecker.edge_count(), Edge{no_label, no_label});
  list.weights.assign(kronecker.edge_count(), 0);
  kronecker.generate(0, list.edges, list.weights);
  return list;
}

}  // namespace breadth::test
