// The types in which weights from Python are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth::python {

/// The types of a graph's weights and distances.
enum class WeightKind {
  single,   ///< weights are given as 32-bit floating point; so are distances, which are rounded
  narrow,   ///< weights are kept exactly in 32-bit floating point; distances are double
  real,     ///< weights and distances are double
  integer,  ///< weights and distances are int64
};

/// numpy's name of the type of distances.
const char* distance_type(WeightKind kind);

/// How to keep the weights of a graph.
struct WeightPlan {
  WeightKind kind = WeightKind::single;
  /// For narrow weights: all are multiples of a power of two, and 32-bit sums are exact below 2^24 times that power. 0
  /// if all sums take 64 bits.
  double exact_below = 0;
};

/// The common properties of some weights, and the indices of the first ones of some kinds.
struct WeightFindings {
  enum class Type { single, floating, integral };

  Type type = Type::single;
  std::size_t rounded = SIZE_MAX;  ///< the first that is not a 32-bit number
  std::size_t huge = SIZE_MAX;     ///< the first that is an integer of 64 bits
  /// All 32-bit numbers and all integers are multiples of 2^unit.
  int unit = std::numeric_limits<float>::max_exponent;
  double heaviest = 0;
};

/// Examines weights of type Element from Python. Throws UsageError, which names the index, for the first weight that is
/// negative, infinite or NaN.
template <class Element>
WeightFindings look_at_weights(std::span<const Element> weights, ThreadTeam& threads);

/// The narrowest kind in which sums for a graph of `vertices` vertices are rounded no more than in the weights' own
/// type. Weights of type float stay as they are; if distances might be too large for float, they are double.
WeightPlan plan_weights(const WeightFindings& found, std::uint64_t vertices);

/// Throws UsageError, which names the first integer that is too large for distances of 64 bits.
template <class Element>
void require_room(std::span<const Element> weights, const WeightFindings& found, const WeightPlan& plan);

/// The weights of a graph with rows by weight.
std::span<const float> row_weights(const Graph& graph);

/// plan_weights() for a graph whose weights were not examined yet. `vertices` includes vertices without edges.
WeightPlan plan_for(const Graph& graph, std::uint64_t vertices, ThreadTeam& threads);

/// The largest finite number.
float largest_finite(std::span<const float> numbers, ThreadTeam& threads);

}  // namespace breadth::python
