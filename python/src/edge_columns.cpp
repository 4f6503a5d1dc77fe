#include "edge_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t weight_grain = std::size_t{1} << 12;

/// The first index of a weight of some kind, and what all of them have in common.
struct Findings {
  std::size_t unusable = SIZE_MAX;  ///< negative, infinite or not a number
  std::size_t rounded = SIZE_MAX;   ///< not a 32-bit number
  std::size_t huge = SIZE_MAX;      ///< an integer of 64 bits
  /// All that are 32-bit numbers, and all integers, are multiples of 2^unit.
  int unit = std::numeric_limits<float>::max_exponent;
  double heaviest = 0;

  static Findings combine(const Findings& a, const Findings& b) {
    return {std::min(a.unusable, b.unusable), std::min(a.rounded, b.rounded), std::min(a.huge, b.huge),
            std::min(a.unit, b.unit), std::max(a.heaviest, b.heaviest)};
  }
};

/// The largest power of two, as its exponent, of which a positive number is a multiple.
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
  constexpr float bound = 0x1p62F;  // where a conversion back would overflow
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

/// As a person writes it; fmt has no wide integers' names for characters.
template <class Element>
std::string text_of(Element weight) {
  if constexpr (std::is_floating_point_v<Element>) return fmt::format("{}", weight);
  return std::to_string(weight);
}
}  // namespace

template <class Element>
WeightPlan plan_weights(std::span<const Element> weights, std::uint64_t vertices, ThreadTeam& threads) {
  const Findings found = parallel_reduce(
      threads, weights.size(), weight_grain, Findings{}, [&](IndexRange range) { return look_at(weights, range); },
      Findings::combine);
  if (found.unusable != SIZE_MAX) {
    fail<UsageError>("weights[{}] is {}: a weight is a finite number of at least 0", found.unusable,
                     text_of(weights[found.unusable]));
  }
  const double farthest = found.heaviest * static_cast<double>(vertices);  // no sum that a search looks at is larger
  const bool fits_single = farthest <= double{std::numeric_limits<float>::max()};
  if constexpr (std::is_same_v<Element, float>) {
    if (fits_single) return {};
    fail<UsageError>("weights are up to {}: distances may be larger than {:.2g}, the largest number of 32 bits",
                     found.heaviest, std::numeric_limits<float>::max());
  }
  const auto is_exact_in = [&](int digits) { return farthest < std::ldexp(1.0, found.unit + digits); };
  const bool fits_double = std::is_floating_point_v<Element> || is_exact_in(std::numeric_limits<double>::digits);
  if (found.rounded == SIZE_MAX && fits_single && fits_double) {
    return {WeightKind::narrow, std::ldexp(1.0, found.unit + std::numeric_limits<float>::digits)};
  }
  if (fits_double) return {.kind = WeightKind::real};
  if (found.huge != SIZE_MAX) {
    fail<UsageError>("weights[{}] is {}: distances are integers of 64 bits, up to {}", found.huge,
                     text_of(weights[found.huge]), std::numeric_limits<std::int64_t>::max());
  }
  return {.kind = WeightKind::integer};
}

template WeightPlan plan_weights(std::span<const float>, std::uint64_t, ThreadTeam&);
template WeightPlan plan_weights(std::span<const double>, std::uint64_t, ThreadTeam&);
template WeightPlan plan_weights(std::span<const std::int64_t>, std::uint64_t, ThreadTeam&);
template WeightPlan plan_weights(std::span<const std::uint64_t>, std::uint64_t, ThreadTeam&);

void EdgeColumns::read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const {
  if (!weights.empty()) weights_.read(first, weights);
  const std::int64_t* const all_sources = sources_.values();
  const std::int64_t* const all_targets = targets_.values();
  if (all_sources != nullptr && all_targets != nullptr) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i] = {Label{all_sources[first + i]}, Label{all_targets[first + i]}};
    }
    return;
  }
  constexpr std::size_t at_a_time = 1024;
  std::array<std::int64_t, at_a_time> sources;
  std::array<std::int64_t, at_a_time> targets;
  for (std::size_t done = 0; done < edges.size(); done += at_a_time) {
    const std::size_t count = std::min(at_a_time, edges.size() - done);
    sources_.read(first + done, std::span(sources).first(count));
    targets_.read(first + done, std::span(targets).first(count));
    for (std::size_t i = 0; i < count; ++i) edges[done + i] = {Label{sources[i]}, Label{targets[i]}};
  }
}

void require_numbers_below(const IntegerColumn& column, std::uint64_t count, const std::string& name,
                           ThreadTeam& threads) {
  const std::size_t wrong = parallel_reduce(
      threads, column.size(), weight_grain, SIZE_MAX,
      [&](IndexRange range) {
        std::array<std::int64_t, weight_grain> values;
        column.read(range.begin, std::span(values).first(range.size()));
        for (std::size_t i = 0; i < range.size(); ++i) {
          if (static_cast<std::uint64_t>(values[i]) >= count) return range.begin + i;
        }
        return SIZE_MAX;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  if (wrong == SIZE_MAX) return;
  throw std::out_of_range(fmt::format("{}[{}] is no vertex: these are 0 to {}", name, wrong, count - 1));
}

}  // namespace breadth::python
