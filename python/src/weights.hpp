// What weights that come from Python are kept as.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth::python {

/// What a graph keeps its weights as, and gives distances as.
enum class WeightKind {
  single,   ///< 32-bit numbers, as they came; distances of 32 bits, rounded
  narrow,   ///< 32-bit numbers that are exactly those that came; distances are double
  real,     ///< double, and so are distances
  integer,  ///< int64, and so are distances
};

/// numpy's name of the type of distances.
const char* distance_type(WeightKind kind);

/// How the weights of a graph are to be kept.
struct WeightPlan {
  WeightKind kind = WeightKind::single;
  /// Of narrow ones: all are multiples of one power of two, and sums of 32 bits are exact below 2^24 times that. 0: all
  /// sums are of 64 bits.
  double exact_below = 0;
};

/// What all of some weights have in common, and where the first of some kind is.
struct WeightFindings {
  enum class Type { single, floating, integral };

  Type type = Type::single;
  std::size_t rounded = SIZE_MAX;  ///< not a 32-bit number
  std::size_t huge = SIZE_MAX;     ///< an integer of 64 bits
  /// All that are 32-bit numbers, and all integers, are multiples of 2^unit.
  int unit = std::numeric_limits<float>::max_exponent;
  double heaviest = 0;
};

/// Looks at weights of type Element as they are in Python. Throws UsageError that names the index of the first that is
/// negative, infinite or not a number.
template <class Element>
WeightFindings look_at_weights(std::span<const Element> weights, ThreadTeam& threads);

/// The narrowest kind in which no sum of weights of `vertices` vertices is rounded that was not in theirs: float stays
/// as it is, unless distances might be too large for it, which are double then.
WeightPlan plan_weights(const WeightFindings& found, std::uint64_t vertices);

/// Throws UsageError that names the first integer that distances of 64 bits have no room for.
template <class Element>
void require_room(std::span<const Element> weights, const WeightFindings& found, const WeightPlan& plan);

/// Of a graph in rows by weight.
std::span<const float> row_weights(const Graph& graph);

/// plan_weights() of a graph of so many vertices, also without edges, whose weights nobody has looked at.
WeightPlan plan_for(const Graph& graph, std::uint64_t vertices, ThreadTeam& threads);

/// The largest of the finite ones.
float largest_finite(std::span<const float> numbers, ThreadTeam& threads);

}  // namespace breadth::python
