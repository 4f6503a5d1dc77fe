// Validation of the trees of searches on a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu/check/check_phases.hpp"
#include "gpu/edges.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/tuples/tuple_blocks.hpp"

namespace breadth::gpu {

/// Checks trees, one after the other, from the edge list and the result only. Keeps its memory for the next check: 16
/// bytes and a bit per label, or two bits with distances. Finds a tree's levels by doubling the ways to its root.
template <class Device>
class TreeChecker {
 public:
  /// Allocates memory for results with this many labels: parents, or parents and distances.
  TreeChecker(const Device& device, std::uint64_t labels, bool with_distances)
      : device_(device), labels_(labels), bridged_(take_words(device, with_distances ? words_for(labels) : 0)) {}

  /// Whether its memory is for results of this kind and size.
  [[nodiscard]] bool is_for(std::uint64_t labels, bool with_distances) const {
    return labels_ == labels && (!with_distances || bridged_.size() > 0);
  }

  /// Checks a breadth-first search tree. `parents` has one parent per label, with all bits set for none. `root` is a
  /// label, or the number of labels if it is none. O(labels log depth + tuples).
  TreeFindings check(TupleBlocks<Device>& tuples, const ArrayView<const std::uint32_t>& parents, std::uint32_t root) {
    const ParentRules rules = start(parents, root);
    each(CheckParentsStep{rules}, labels_);
    tuples.for_each([&](const TupleView& block) {
      each(CheckEdgesStep{block, ways_.constant(), met_.view(), rules.cases, sum(traversed)}, block.size());
    });
    each(CheckTreeEdgesStep{ways_.constant(), met_.constant(), root, rules.cases}, labels_);
    return findings();
  }

  /// Checks a tree of shortest paths, with a distance for each label, infinity for none. Throws Error if tuples have no
  /// weights.
  TreeFindings check(TupleBlocks<Device>& tuples, const ArrayView<const std::uint32_t>& parents,
                     const ArrayView<const float>& distances, std::uint32_t root) {
    if (!tuples.weighted()) fail_on_gpu("checking shortest paths", "the edge list has no weights");
    device_.clear(bridged_.view());
    const ParentRules rules = start(parents, root);
    each(CheckDistancesStep{rules, distances, longer_.view()}, labels_);
    const MeetingView meetings{met_.view(), bridged_.view()};
    tuples.for_each([&](const TupleView& block) {
      each(CheckPathEdgesStep{block, ways_.constant(), longer_.constant(), meetings, rules.cases, sum(traversed)},
           block.size());
    });
    each(CheckParentEdgesStep{ways_.constant(), met_.constant(), bridged_.constant(), root, rules.cases}, labels_);
    return findings();
  }

 private:
  enum Sum : std::uint32_t { reached, traversed, moved, sum_count };

  /// Clears the state of the last tree and finds the ways of this one.
  ParentRules start(const ArrayView<const std::uint32_t>& parents, std::uint32_t root) {
    device_.clear(met_.view());
    device_.clear(sums_.view());
    device_.clear(depth_.view());
    device_.clear(counts_.view());
    follow_ways(parents, root);
    return {parents, ways_.view(), root, {counts_.view(), numbers_.view()}, sum(reached), depth_.view()};
  }

  /// One element of the sums, as an array.
  [[nodiscard]] ArrayView<std::uint64_t> sum(Sum which) { return sums_.view().part(which, 1); }
  template <class Step>
  void each(const Step& step, std::uint64_t count) const {
    if (count > 0) device_.launch(Each<Step>{step, count}, warps_for(count));
  }

  /// Doubles the ways until none moves, or until those that move must be in a cycle: a way in a tree is shorter than
  /// 2^32.
  void follow_ways(const ArrayView<const std::uint32_t>& parents, std::uint32_t root) {
    each(StartWaysStep{parents, root, ways_.view()}, labels_);
    for (int doubling = 0; doubling < 32; ++doubling) {
      device_.clear(sum(moved));
      each(DoubleWaysStep{ways_.constant(), longer_.view(), sum(moved)}, labels_);
      std::swap(ways_, longer_);
      if (device_.read(sum(moved), 0) == 0) return;
    }
  }

  [[nodiscard]] TreeFindings findings() {
    TreeFindings found;
    std::array<std::uint64_t, tree_rules> counts{};
    device_.copy_out(counts_.constant(), std::span<std::uint64_t>(counts));
    std::vector<std::uint32_t> numbers(numbers_.size());
    device_.copy_out(numbers_.constant(), std::span(numbers));
    for (std::uint32_t rule = 0; rule < tree_rules; ++rule) {
      TreeFindings::Broken& broken = found.broken[rule];
      broken.count = counts[rule];
      broken.cases.resize(std::min<std::uint64_t>(broken.count, max_cases));
      for (std::size_t i = 0; i < broken.cases.size(); ++i) {
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>((std::size_t{rule} * max_cases + i) * case_numbers),
                    case_numbers, broken.cases[i].begin());
      }
    }
    found.reached = device_.read(sum(reached), 0);
    found.traversed_edges = device_.read(sum(traversed), 0);
    found.depth = device_.read(depth_.constant(), 0);
    return found;
  }

  const Device& device_;
  std::uint64_t labels_;
  NumberArray<Device> ways_ = take_numbers(device_, labels_);
  NumberArray<Device> longer_ = take_numbers(device_, labels_);
  WordArray<Device> met_ = take_words(device_, words_for(labels_));
  WordArray<Device> bridged_;
  NumberArray<Device> sums_ = take_numbers(device_, sum_count);
  WordArray<Device> depth_ = take_words(device_, 1);
  NumberArray<Device> counts_ = take_numbers(device_, tree_rules);
  WordArray<Device> numbers_ = take_words(device_, std::uint64_t{tree_rules} * max_cases * case_numbers);
};

}  // namespace breadth::gpu
