// The rules for trees of breadth-first searches and of shortest paths, on a device. The folder validate/ has the rules
// for processors.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "gpu/edges.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/phases/write_parents.hpp"
#include "gpu/tuples/tuple_blocks.hpp"

namespace breadth::gpu {

// The rules for every tree.

/// The way up the tree from a label, as far as it was followed: the lower half has the label at its end, the upper half
/// the number of steps. Levels and parents are stored in the same form.
struct Way {
  /// The end of a way that leads out of the graph.
  static constexpr std::uint32_t lost = ~std::uint32_t{0};

  using End = LowHalf;
  using Steps = HighHalf;
  using Make = JoinHalves;
};

/// Starts the way of every label with one step, to its parent. The way of the root has no steps.
struct StartWaysStep {
  ArrayView<const std::uint32_t> parents;
  std::uint32_t root = 0;
  ArrayView<std::uint64_t> ways;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto first_way = [this](std::uint64_t label, std::uint32_t parent) {
      if (label == root) return Way::Make()(0, root);
      return Way::Make()(1, parent < parents.size ? parent : Way::lost);
    };
    warp.store(ways, place, warp.map(first_way, place, warp.load(parents, place, there)), there);
  }
};

/// Doubles each way by appending the way from its end. Counts the ways that move.
struct DoubleWaysStep {
  ArrayView<const std::uint64_t> ways;
  ArrayView<std::uint64_t> longer;
  ArrayView<std::uint64_t> counter;

  template <class Warp, class Places>
  [[nodiscard]] constexpr MaskOf<Warp> at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto way = warp.load(ways, place, there);
    const auto end = warp.map(Way::End{}, way);
    const MaskOf<Warp> goes_on = there & (end != Way::lost);
    const auto next = warp.load(ways, end, goes_on);
    const auto next_end = warp.map(Way::End{}, next);
    const MaskOf<Warp> moves = goes_on & (next_end != end);
    const auto steps = warp.map(Way::Steps{}, way) + warp.map(Way::Steps{}, next);
    warp.store(longer, place, warp.select(moves, warp.map(Way::Make{}, steps, next_end), way), there);
    return moves;
  }
};

/// Counts a broken rule, and stores its numbers, at most case_numbers, if there is room among its first cases.
template <class Warp, class... Numbers>
constexpr void add_case(const Warp& warp, const CaseView& cases, TreeRule rule, const MaskOf<Warp>& mask,
                        const Numbers&... numbers) {
  static_assert(sizeof...(numbers) <= case_numbers);
  const std::uint32_t bits = warp.ballot(mask);
  if (bits == 0) return;
  const NumbersOf<Warp> rank = warp.rank(bits);
  const auto place = rank + warp.reserve(cases.counts, rule, warp.popcount(bits));
  const MaskOf<Warp> kept = mask & (place < std::uint64_t{max_cases});
  auto next = (place + std::uint64_t{rule} * max_cases) * std::uint64_t{case_numbers};
  ((warp.store(cases.numbers, next, numbers, kept), next = next + std::uint64_t{1}), ...);
}

/// The rules about parents that need no edges, for both kinds of search.
struct ParentRules {
  ArrayView<const std::uint32_t> parents;
  ArrayView<std::uint64_t> ways;
  std::uint32_t root = 0;
  CaseView cases;
  ArrayView<std::uint64_t> counter;  ///< counts labels in the tree
  ArrayView<std::uint32_t> depth;    ///< one element

  /// Checks the parents of these labels. Returns their levels, no_tree_level if the way does not end at the root.
  template <class Warp, class Places, class Labels>
  [[nodiscard]] constexpr auto check(const Warp& warp, const Places& place, const MaskOf<Warp>& there,
                                     const Labels& parent) const {
    const auto way = warp.load(ways, place, there);
    const auto label = warp.map(LowHalf{}, place);
    const MaskOf<Warp> inside = there & (warp.map(Way::End{}, way) == warp.same(root));
    const auto level = warp.select(inside, warp.map(Way::Steps{}, way), warp.same(no_tree_level));
    warp.raise(depth, 0, level, inside);

    const MaskOf<Warp> is_root = label == warp.same(root);
    add_case(warp, cases, TreeRule::root, there & (is_root != (parent == label)), label, parent);
    const MaskOf<Warp> has_parent = there & (parent != no_parent);
    const MaskOf<Warp> in_range = parent < static_cast<std::uint32_t>(parents.size);
    add_case(warp, cases, TreeRule::parent_range, has_parent & !in_range, label, parent);
    add_case(warp, cases, TreeRule::leads_to_root, has_parent & in_range & !inside, label, parent);
    return level;
  }
};

/// Checks the parents of a breadth-first search, and replaces ways by levels and parents.
struct CheckParentsStep : ParentRules {
  template <class Warp, class Places>
  [[nodiscard]] constexpr MaskOf<Warp> at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto parent = warp.load(parents, place, there);
    const auto level = check(warp, place, there, parent);
    warp.store(ways, place, warp.map(Way::Make{}, level, parent), there);
    return level != no_tree_level;
  }
};

/// Sets the bits of the mask's labels, without reading them first, because nearly every tree edge is met once.
template <class Warp, class Labels>
constexpr void mark(const Warp& warp, const ArrayView<std::uint32_t>& bitmap, const Labels& label,
                    const MaskOf<Warp>& mask) {
  if (!warp.any(mask)) return;
  (void)warp.fetch_or(bitmap, label / bits_per_word, warp.bit(label % bits_per_word), mask);
}

/// The ends of tuples. `known` are the tuples whose ends are both labels.
template <class Lanes, class Mask>
struct TupleEnds {
  Lanes source;
  Lanes target;
  Mask known;
};

/// Checks the rule for any tuple, that its ends are labels, and returns the ends.
template <class Warp, class Places>
[[nodiscard]] constexpr auto check_ends(const Warp& warp, const TupleView& tuples, std::uint64_t label_count,
                                        const CaseView& cases, const Places& place, const MaskOf<Warp>& there) {
  const auto source = warp.load(tuples.sources, place, there);
  const auto target = warp.load(tuples.targets, place, there);
  const auto labels = static_cast<std::uint32_t>(label_count);
  const MaskOf<Warp> known = there & (source < labels) & (target < labels);
  add_case(warp, cases, TreeRule::covers_edge_list, there & !known, source, target);
  return TupleEnds<std::decay_t<decltype(source)>, MaskOf<Warp>>{source, target, known};
}

/// Checks the rules for an edge, and marks the labels whose edges to their parents were met.
struct CheckEdgesStep {
  TupleView tuples;
  ArrayView<const std::uint64_t> ways;  ///< levels and parents
  ArrayView<std::uint32_t> met;         ///< one bit per label
  CaseView cases;
  ArrayView<std::uint64_t> counter;  ///< counts tuples with both ends in the tree

  template <class Warp, class Places>
  [[nodiscard]] constexpr MaskOf<Warp> at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto [source, target, known] = check_ends(warp, tuples, ways.size, cases, place, there);

    const auto of_source = warp.load(ways, source, known);
    const auto of_target = warp.load(ways, target, known);
    mark(warp, met, source, known & (warp.map(Way::End{}, of_source) == target));
    mark(warp, met, target, known & (warp.map(Way::End{}, of_target) == source));

    const auto source_level = warp.map(Way::Steps{}, of_source);
    const auto target_level = warp.map(Way::Steps{}, of_target);
    const MaskOf<Warp> source_inside = known & (source_level != no_tree_level);
    const MaskOf<Warp> target_inside = known & (target_level != no_tree_level);
    const MaskOf<Warp> both = source_inside & target_inside;
    const MaskOf<Warp> near = (source_level < target_level + 2U) & (target_level < source_level + 2U);
    add_case(warp, cases, TreeRule::edge_span, both & !near, source, target, source_level, target_level);
    const auto the_one_inside = warp.select(source_inside, source, target);
    add_case(warp, cases, TreeRule::spanning, source_inside != target_inside, source, target, the_one_inside);
    return both;
  }
};

/// Checks that every label of the tree except the root has met an edge to its parent.
struct CheckTreeEdgesStep {
  ArrayView<const std::uint64_t> ways;
  ArrayView<const std::uint32_t> met;
  std::uint32_t root = 0;
  CaseView cases;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto way = warp.load(ways, place, there);
    const auto label = warp.map(LowHalf{}, place);
    const MaskOf<Warp> is_met = has_bit(warp, met, label, there);
    const MaskOf<Warp> inside = there & (warp.map(Way::Steps{}, way) != no_tree_level);
    const auto parent = warp.map(Way::End{}, way);
    add_case(warp, cases, TreeRule::tree_edge, inside & !is_met & (label != warp.same(root)), label, parent);
  }
};

// The rules for trees of shortest paths (as validate/validate_sssp.cpp).

/// A distance above a number, in the form of a way. Distances are added in 32 bits, as searches do.
struct Distance {
  /// The distance of a label outside the tree.
  static constexpr float none = std::numeric_limits<float>::infinity();

  /// Also false for NaN.
  static constexpr bool is_finite_not_negative(float value) { return value >= 0 && value < none; }

  struct Bits {
    constexpr std::uint32_t operator()(float distance) const { return std::bit_cast<std::uint32_t>(distance); }
  };
  using Of = HighDistance;
};

/// One bit per label each: whether the edge to its parent was met, and whether one was met that gives its distance.
struct MeetingView {
  ArrayView<std::uint32_t> met;
  ArrayView<std::uint32_t> bridged;
};

/// Checks distances, and replaces ways by distances and parents, with infinity for labels outside the tree. Writes the
/// distances of parents to `parent_distances`, NaN for labels without a parent.
struct CheckDistancesStep : ParentRules {
  ArrayView<const float> distances;
  ArrayView<std::uint64_t> parent_distances;  ///< in the form of ways without an end

  template <class Warp, class Places>
  [[nodiscard]] constexpr MaskOf<Warp> at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto parent = warp.load(parents, place, there);
    const auto level = check(warp, place, there, parent);
    const auto label = warp.map(LowHalf{}, place);
    const auto distance = warp.load(distances, place, there);
    const auto bits = warp.map(Distance::Bits{}, distance);
    const auto find_fault = [this](std::uint32_t of_label, std::uint32_t its_level, std::uint32_t its_parent,
                                   float its_distance) -> std::uint32_t {
      if (of_label == root && its_distance != 0) return TreeRule::root_distance;
      if (its_level != no_tree_level && !Distance::is_finite_not_negative(its_distance)) return TreeRule::tree_distance;
      if (its_parent == no_parent && its_distance != Distance::none) return TreeRule::lone_distance;
      return TreeRule::tree_rules;  // no broken rule
    };
    const auto fault = warp.map(find_fault, label, level, parent, distance);
    const auto breaks = [&](TreeRule rule) { return there & (fault == warp.same(rule)); };
    add_case(warp, cases, TreeRule::root_distance, breaks(TreeRule::root_distance), label, bits);
    add_case(warp, cases, TreeRule::tree_distance, breaks(TreeRule::tree_distance), label, bits);
    add_case(warp, cases, TreeRule::lone_distance, breaks(TreeRule::lone_distance), label, bits);
    const auto in_tree = warp.select(level != no_tree_level, bits, warp.same(none_bits));
    warp.store(ways, place, warp.map(Way::Make{}, in_tree, parent), there);

    const MaskOf<Warp> in_range = there & (parent < static_cast<std::uint32_t>(parents.size));
    const auto of_parent = warp.map(Distance::Bits{}, warp.load(distances, parent, in_range));
    const auto known = warp.select(in_range, of_parent, warp.same(not_a_number));
    warp.store(parent_distances, place, warp.map(Way::Make{}, known, warp.same(Way::lost)), there);
    return level != no_tree_level;
  }

 private:
  static constexpr std::uint32_t none_bits = std::bit_cast<std::uint32_t>(Distance::none);
  static constexpr std::uint32_t not_a_number = 0x7FC00000U;
};

/// Checks the rules for an edge and its weight.
struct CheckPathEdgesStep {
  TupleView tuples;
  ArrayView<const std::uint64_t> ways;              ///< distances and parents
  ArrayView<const std::uint64_t> parent_distances;  ///< from CheckDistancesStep
  MeetingView meetings;
  CaseView cases;
  ArrayView<std::uint64_t> counter;  ///< counts tuples with both ends in the tree

  template <class Warp, class Places>
  [[nodiscard]] constexpr MaskOf<Warp> at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto [source, target, known] = check_ends(warp, tuples, ways.size, cases, place, there);
    const auto weight = warp.load(tuples.weights, place, there);

    const auto of_source = warp.load(ways, source, known);
    const auto of_target = warp.load(ways, target, known);
    meet(warp, source, of_source, weight, known & (warp.map(Way::End{}, of_source) == target));
    meet(warp, target, of_target, weight, known & (warp.map(Way::End{}, of_target) == source));

    const auto source_distance = warp.map(Distance::Of{}, of_source);
    const auto target_distance = warp.map(Distance::Of{}, of_target);
    const MaskOf<Warp> source_inside = known & (source_distance < warp.same_float(Distance::none));
    const MaskOf<Warp> target_inside = known & (target_distance < warp.same_float(Distance::none));
    const MaskOf<Warp> both = source_inside & target_inside;

    const auto weight_bits = warp.map(Distance::Bits{}, weight);
    const auto source_bits = warp.map(Distance::Bits{}, source_distance);
    const auto target_bits = warp.map(Distance::Bits{}, target_distance);
    const auto shortens_neither = [](float of_source_end, float of_target_end, float between) {
      return of_source_end + between >= of_target_end && of_target_end + between >= of_source_end;
    };
    const MaskOf<Warp> fits = warp.map(shortens_neither, source_distance, target_distance, weight);
    add_case(warp, cases, TreeRule::distance_span, both & !fits, source, target, weight_bits, source_bits, target_bits);
    const MaskOf<Warp> is_weight =
        warp.map([](float value) { return Distance::is_finite_not_negative(value); }, weight);
    add_case(warp, cases, TreeRule::weight, known & !is_weight, source, target, weight_bits);
    const auto the_one_inside = warp.select(source_inside, source, target);
    const auto its_distance = warp.select(source_inside, source_bits, target_bits);
    add_case(warp, cases, TreeRule::spanning, source_inside != target_inside, source, target, the_one_inside,
             weight_bits, its_distance);
    return both;
  }

 private:
  /// Marks the mask's labels, for which the edge leads to their parents.
  template <class Warp, class Labels, class Ways, class Weights>
  constexpr void meet(const Warp& warp, const Labels& label, const Ways& way, const Weights& weight,
                      const MaskOf<Warp>& mask) const {
    if (!warp.any(mask)) return;
    const auto of_parent = warp.map(Distance::Of{}, warp.load(parent_distances, label, mask));
    const auto distance = warp.map(Distance::Of{}, way);
    mark(warp, meetings.met, label, mask);
    mark(warp, meetings.bridged, label, mask & (of_parent + weight == distance));
  }
};

/// Checks that every label of the tree except the root has met an edge to its parent, and one that gives its distance.
struct CheckParentEdgesStep {
  ArrayView<const std::uint64_t> ways;
  ArrayView<const std::uint32_t> met;
  ArrayView<const std::uint32_t> bridged;
  std::uint32_t root = 0;
  CaseView cases;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto way = warp.load(ways, place, there);
    const auto label = warp.map(LowHalf{}, place);
    const auto parent = warp.map(Way::End{}, way);
    const auto distance = warp.map(Distance::Of{}, way);
    const MaskOf<Warp> child = there & (distance < warp.same_float(Distance::none)) & (label != warp.same(root));
    const MaskOf<Warp> is_met = has_bit(warp, met, label, there);
    const MaskOf<Warp> is_bridged = has_bit(warp, bridged, label, there);
    add_case(warp, cases, TreeRule::tree_edge, child & !is_met, label, parent);
    add_case(warp, cases, TreeRule::parent_distance, child & is_met & !is_bridged, label, parent,
             warp.map(Distance::Bits{}, distance));
  }
};

}  // namespace breadth::gpu
