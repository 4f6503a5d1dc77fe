#include "weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <type_traits>

#include "core/errors.hpp"
#include "graph/graph_contents.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t weights_per_block = std::size_t{1} << 12;

/// WeightFindings of a part of the weights, and the first weight that is negative, infinite or NaN.
struct Findings : WeightFindings {
  std::size_t unusable = SIZE_MAX;

  static Findings combine(Findings a, const Findings& b) {
    a.unusable = std::min(a.unusable, b.unusable);
    a.rounded = std::min(a.rounded, b.rounded);
    a.huge = std::min(a.huge, b.huge);
    a.unit = std::min(a.unit, b.unit);
    a.heaviest = std::max(a.heaviest, b.heaviest);
    return a;
  }
};

/// The exponent of the largest power of two that divides a positive number.
int unit_of(float number) {
  constexpr int digits = std::numeric_limits<float>::digits;
  int exponent = 0;
  const auto significand = static_cast<std::uint32_t>(std::ldexp(std::frexp(number, &exponent), digits));
  return exponent - digits + std::countr_zero(significand);
}
int unit_of(std::uint64_t number) { return std::countr_zero(number); }

template <class Element>
bool is_usable(Element weight) {
  if constexpr (std::is_floating_point_v<Element>) return weight >= 0 && std::isfinite(weight);
  return weight >= 0;
}

template <class Element>
bool is_exact(Element weight, float as_float) {
  if constexpr (std::is_floating_point_v<Element>) return static_cast<Element>(as_float) == weight;
  constexpr float bound = 0x1p62F;  // from here on a conversion back would overflow
  return as_float < bound && static_cast<Element>(as_float) == weight;
}

template <class Element>
Findings look_at(std::span<const Element> weights, IndexRange range) {
  Findings found;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (!is_usable(weights[i])) {
      found.unusable = std::min(found.unusable, i);
      continue;
    }
    found.heaviest = std::max(found.heaviest, static_cast<double>(weights[i]));
    const auto as_float = static_cast<float>(weights[i]);
    const bool exact = is_exact(weights[i], as_float);
    if (!exact) found.rounded = std::min(found.rounded, i);
    if constexpr (std::is_integral_v<Element>) {
      if (weights[i] > 0) found.unit = std::min(found.unit, unit_of(static_cast<std::uint64_t>(weights[i])));
      if (static_cast<std::uint64_t>(weights[i]) >> 63 != 0) found.huge = std::min(found.huge, i);
    } else {
      if (exact && as_float > 0) found.unit = std::min(found.unit, unit_of(as_float));
    }
  }
  return found;
}

/// The text of a weight in an error message.
template <class Element>
std::string text_of(Element weight) {
  if constexpr (std::is_floating_point_v<Element>) return fmt::format("{}", weight);
  return std::to_string(weight);
}
}  // namespace

template <class Element>
WeightFindings look_at_weights(std::span<const Element> weights, ThreadTeam& threads) {
  using Type = WeightFindings::Type;
  Findings found = parallel_reduce(
      threads, weights.size(), weights_per_block, Findings{}, [&](IndexRange range) { return look_at(weights, range); },
      Findings::combine);
  if (found.unusable != SIZE_MAX) {
    fail<UsageError>("weights[{}] is {}: a weight is a finite number of at least 0", found.unusable,
                     text_of(weights[found.unusable]));
  }
  found.type = std::is_same_v<Element, float>      ? Type::single
               : std::is_floating_point_v<Element> ? Type::floating
                                                   : Type::integral;
  return found;
}

/// The plan for 32-bit weights whose sums need 64 bits.
constexpr WeightPlan sums_of_64_bits{.kind = WeightKind::narrow, .exact_below = 0};

WeightPlan plan_weights(const WeightFindings& found, std::uint64_t vertices) {
  const double farthest = found.heaviest * static_cast<double>(vertices);  // no sum in a search is larger
  const bool fits_single = farthest <= double{std::numeric_limits<float>::max()};
  if (found.type == WeightFindings::Type::single) return fits_single ? WeightPlan{} : sums_of_64_bits;
  const bool fits_double = found.type == WeightFindings::Type::floating ||
                           farthest < std::ldexp(1.0, found.unit + std::numeric_limits<double>::digits);
  if (found.rounded == SIZE_MAX && fits_single && fits_double) {
    return {WeightKind::narrow, std::ldexp(1.0, found.unit + std::numeric_limits<float>::digits)};
  }
  return {.kind = fits_double ? WeightKind::real : WeightKind::integer};
}

template <class Element>
void require_room(std::span<const Element> weights, const WeightFindings& found, const WeightPlan& plan) {
  if (plan.kind != WeightKind::integer || found.huge == SIZE_MAX) return;
  fail<UsageError>("weights[{}] is {}: distances are integers of 64 bits, up to {}", found.huge,
                   text_of(weights[found.huge]), std::numeric_limits<std::int64_t>::max());
}

#define BREADTH_FOR_WEIGHTS(Element)                                              \
  template WeightFindings look_at_weights(std::span<const Element>, ThreadTeam&); \
  template void require_room(std::span<const Element>, const WeightFindings&, const WeightPlan&);
BREADTH_FOR_WEIGHTS(float)
BREADTH_FOR_WEIGHTS(double)
BREADTH_FOR_WEIGHTS(std::int64_t)
BREADTH_FOR_WEIGHTS(std::uint64_t)
#undef BREADTH_FOR_WEIGHTS

const char* distance_type(WeightKind kind) {
  switch (kind) {
    case WeightKind::single: return "float32";
    case WeightKind::narrow:
    case WeightKind::real: return "float64";
    case WeightKind::integer: break;
  }
  return "int64";
}

std::span<const float> row_weights(const Graph& graph) {
  std::span<const float> weights;
  visit_rows(graph, [&](const auto& adjacencies) {
    if constexpr (requires { adjacencies.push_rows().weights; }) weights = adjacencies.push_rows().weights.span();
  });
  return weights;
}

WeightPlan plan_for(const Graph& graph, std::uint64_t vertices, ThreadTeam& threads) {
  return plan_weights({.heaviest = largest_finite(row_weights(graph), threads)}, vertices);
}

float largest_finite(std::span<const float> numbers, ThreadTeam& threads) {
  return parallel_reduce(
      threads, numbers.size(), weights_per_block, 0.0F,
      [&](IndexRange range) {
        float most = 0;
        for (const float number : numbers.subspan(range.begin, range.size())) {
          if (std::isfinite(number)) most = std::max(most, number);
        }
        return most;
      },
      [](float a, float b) { return std::max(a, b); });
}

}  // namespace breadth::python
