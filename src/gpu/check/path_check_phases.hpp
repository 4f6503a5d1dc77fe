// The rules for trees of shortest paths, on a device (validate/validate_sssp.cpp has them for processors).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "gpu/check/tree_check_phases.hpp"
#include "gpu/phases/array_view.hpp"
#include "gpu/phases/each.hpp"
#include "gpu/phases/name_parents.hpp"
#include "gpu/tree_check.hpp"
#include "gpu/tuples/tuples.hpp"

namespace breadth::gpu {

/// A distance above a number, in the form of a way. Distances are added up as searches do, in 32 bits.
struct Distance {
  /// Outside the tree.
  static constexpr float none = std::numeric_limits<float>::infinity();

  /// False for what is not a number, too.
  static constexpr bool is_finite_not_negative(float value) { return value >= 0 && value < none; }

  struct Bits {
    constexpr std::uint32_t operator()(float distance) const { return std::bit_cast<std::uint32_t>(distance); }
  };
  struct Of {
    constexpr float operator()(std::uint64_t way) const {
      return std::bit_cast<float>(static_cast<std::uint32_t>(way >> 32U));
    }
  };
  struct Inside {
    constexpr bool operator()(float distance) const { return distance < none; }
  };
};

/// Which labels' edges to their parents were met, and which met one that explains their distance: a bit a label each.
struct MeetingView {
  ArrayView<std::uint32_t> met;
  ArrayView<std::uint32_t> bridged;
};

/// Ways become distances and parents, infinity for labels outside the tree; `parent_distances` have the distances of
/// the parents, what is not a number where there is none.
struct CheckDistancesStep : ParentRules {
  ArrayView<const float> distances;
  ArrayView<std::uint64_t> parent_distances;  ///< in the form of ways, ending nowhere

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto parent = warp.load(parents, place, there);
    const auto level = check(warp, place, there, parent);
    const auto label = warp.map(LowHalf{}, place);
    const auto distance = warp.load(distances, place, there);
    const auto bits = warp.map(Distance::Bits{}, distance);
    const auto fault = warp.map(FindFault{}, warp.map(IsLabel{root}, label), level, parent, distance);
    const auto breaks = [&](TreeRule rule) { return there & (fault == warp.same(rule)); };
    add_case(warp, cases, TreeRule::root_distance, breaks(TreeRule::root_distance), label, bits);
    add_case(warp, cases, TreeRule::tree_distance, breaks(TreeRule::tree_distance), label, bits);
    add_case(warp, cases, TreeRule::lone_distance, breaks(TreeRule::lone_distance), label, bits);
    const auto in_tree = warp.select(level != no_tree_level, bits, warp.same(none_bits));
    warp.store(ways, place, warp.map(Way::Make{}, in_tree, parent), there);

    const typename Warp::Mask in_range = there & (parent < static_cast<std::uint32_t>(parents.size));
    const auto of_parent = warp.map(Distance::Bits{}, warp.load(distances, parent, in_range));
    const auto known = warp.select(in_range, of_parent, warp.same(not_a_number));
    warp.store(parent_distances, place, warp.map(Way::Make{}, known, warp.same(Way::lost)), there);
  }

 private:
  static constexpr std::uint32_t none_bits = std::bit_cast<std::uint32_t>(Distance::none);
  static constexpr std::uint32_t not_a_number = 0x7FC00000U;

  struct IsLabel {
    std::uint32_t label;
    constexpr bool operator()(std::uint32_t other) const { return other == label; }
  };
  /// The rule that a label's distance breaks; tree_rules for none.
  struct FindFault {
    constexpr std::uint32_t operator()(bool is_root, std::uint32_t level, std::uint32_t parent, float distance) const {
      if (is_root && distance != 0) return TreeRule::root_distance;
      if (level != no_tree_level && !Distance::is_finite_not_negative(distance)) return TreeRule::tree_distance;
      if (parent == no_parent && distance != Distance::none) return TreeRule::lone_distance;
      return TreeRule::tree_rules;
    }
  };
};

/// The rules for an edge and its weight.
struct CheckPathEdgesStep {
  TupleView tuples;
  ArrayView<const std::uint64_t> ways;              ///< distances and parents
  ArrayView<const std::uint64_t> parent_distances;  ///< as CheckDistancesStep has left them
  MeetingView meetings;
  CaseView cases;
  ArrayView<std::uint64_t> traversed;  ///< one: tuples with both ends in the tree

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto [source, target, known] = check_ends(warp, tuples, ways.size, cases, place, there);
    const auto weight = warp.load(tuples.weights, place, there);

    const auto of_source = warp.load(ways, source, known);
    const auto of_target = warp.load(ways, target, known);
    meet(warp, source, of_source, weight, known & (warp.map(Way::End{}, of_source) == target));
    meet(warp, target, of_target, weight, known & (warp.map(Way::End{}, of_target) == source));

    const auto source_distance = warp.map(Distance::Of{}, of_source);
    const auto target_distance = warp.map(Distance::Of{}, of_target);
    const typename Warp::Mask source_inside = known & warp.map(Distance::Inside{}, source_distance);
    const typename Warp::Mask target_inside = known & warp.map(Distance::Inside{}, target_distance);
    const typename Warp::Mask both = source_inside & target_inside;
    const typename Warp::template Lanes<std::uint64_t> one = both;
    warp.add(traversed, 0, one);

    const auto weight_bits = warp.map(Distance::Bits{}, weight);
    const auto source_bits = warp.map(Distance::Bits{}, source_distance);
    const auto target_bits = warp.map(Distance::Bits{}, target_distance);
    const typename Warp::Mask fits = warp.map(KeepsDistances{}, source_distance, target_distance, weight);
    add_case(warp, cases, TreeRule::distance_span, both & !fits, source, target, weight_bits, source_bits, target_bits);
    const typename Warp::Mask is_weight = warp.map(IsWeight{}, weight);
    add_case(warp, cases, TreeRule::weight, known & !is_weight, source, target, weight_bits);
    const auto the_one_inside = warp.select(source_inside, source, target);
    const auto its_distance = warp.select(source_inside, source_bits, target_bits);
    add_case(warp, cases, TreeRule::spanning, source_inside != target_inside, source, target, the_one_inside,
             weight_bits, its_distance);
  }

 private:
  /// Whether the edge shortens neither way.
  struct KeepsDistances {
    constexpr bool operator()(float source, float target, float weight) const {
      return source + weight >= target && target + weight >= source;
    }
  };
  struct IsWeight {
    constexpr bool operator()(float weight) const { return Distance::is_finite_not_negative(weight); }
  };
  /// Whether the edge from its parent gives a label its distance.
  struct Bridges {
    constexpr bool operator()(float of_parent, float weight, float distance) const {
      return of_parent + weight == distance;
    }
  };

  /// The edge leads to the parents of the mask's labels.
  template <class Warp, class Labels, class Ways, class Weights>
  constexpr void meet(const Warp& warp, const Labels& label, const Ways& way, const Weights& weight,
                      const typename Warp::Mask& mask) const {
    if (!warp.any(mask)) return;
    const auto of_parent = warp.map(Distance::Of{}, warp.load(parent_distances, label, mask));
    const auto distance = warp.map(Distance::Of{}, way);
    mark(warp, meetings.met, label, mask);
    mark(warp, meetings.bridged, label, mask & warp.map(Bridges{}, of_parent, weight, distance));
  }
};

/// Every label of the tree but the root has met an edge to its parent, and one that gives its distance.
struct CheckParentEdgesStep {
  ArrayView<const std::uint64_t> ways;
  ArrayView<const std::uint32_t> met;
  ArrayView<const std::uint32_t> bridged;
  std::uint32_t root = 0;
  CaseView cases;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto way = warp.load(ways, place, there);
    const auto label = warp.map(LowHalf{}, place);
    const auto parent = warp.map(Way::End{}, way);
    const auto distance = warp.map(Distance::Of{}, way);
    const typename Warp::Mask child = there & warp.map(Distance::Inside{}, distance) & (label != warp.same(root));
    const typename Warp::Mask is_met = is_marked(warp, met, label, there);
    const typename Warp::Mask is_bridged = is_marked(warp, bridged, label, there);
    add_case(warp, cases, TreeRule::tree_edge, child & !is_met, label, parent);
    add_case(warp, cases, TreeRule::parent_distance, child & is_met & !is_bridged, label, parent,
             warp.map(Distance::Bits{}, distance));
  }
};

}  // namespace breadth::gpu
