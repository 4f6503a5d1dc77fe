// Validation of breadth-first search trees on a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu/tree_check.hpp"
#include "gpu/tree_check_phases.hpp"
#include "gpu/tuple_blocks.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// Checks trees by the edge list and their parents alone, one after the other, and keeps its memory for the next: 16
/// bytes a label and a bit. A tree's levels are found by doubling the ways to its root.
template <class Device>
class TreeChecker {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  /// For results of so many labels.
  TreeChecker(const Device& device, std::uint32_t labels)
      : device_(device),
        labels_(labels),
        ways_(device.template allocate<std::uint64_t>(labels)),
        longer_(device.template allocate<std::uint64_t>(labels)),
        met_(device.template allocate<std::uint32_t>((labels + std::uint64_t{bits_per_word} - 1) / bits_per_word)),
        sums_(device.template allocate<std::uint64_t>(sum_count)),
        depth_(device.template allocate<std::uint32_t>(1)),
        counts_(device.template allocate<std::uint64_t>(tree_rules)),
        numbers_(device.template allocate<std::uint32_t>(std::uint64_t{tree_rules} * most_cases * case_numbers)) {}

  [[nodiscard]] std::uint32_t labels() const { return labels_; }
  [[nodiscard]] std::uint64_t bytes() const {
    return ways_.bytes() + longer_.bytes() + met_.bytes() + sums_.bytes() + depth_.bytes() + counts_.bytes() +
           numbers_.bytes();
  }

  /// `parents` has one a label, all bits set for none. `root` is a label, or their number where it is none. O(labels
  /// log depth + tuples).
  TreeFindings check(TupleBlocks<Device>& tuples, const ArrayView<const std::uint32_t>& parents, std::uint32_t root) {
    device_.clear(met_.view());
    device_.clear(sums_.view());
    device_.clear(depth_.view());
    device_.clear(counts_.view());
    follow_ways(parents, root);
    const CaseView cases{counts_.view(), numbers_.view()};
    each(CheckParentsStep{parents, ways_.view(), root, cases, sum(reached), depth_.view()}, labels_);
    tuples.for_each([&](const TupleView& block) {
      each(CheckEdgesStep{block, ways_.constant(), met_.view(), cases, sum(traversed)}, block.size());
    });
    each(CheckTreeEdgesStep{ways_.constant(), met_.constant(), root, cases}, labels_);
    return findings();
  }

 private:
  enum Sum : std::uint32_t { reached, traversed, moved, sum_count };

  /// The element of the sums, as an array of one.
  [[nodiscard]] ArrayView<std::uint64_t> sum(Sum which) { return {sums_.view().data + which, 1}; }
  template <class Step>
  void each(const Step& step, std::uint64_t count) const {
    if (count > 0) device_.launch(Each<Step>{step, count}, warps_for(count));
  }

  /// Until none moves, or all that do have gone round in a circle: a way in the tree is shorter than 2^32.
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
      broken.cases.resize(std::min<std::uint64_t>(broken.count, most_cases));
      for (std::size_t i = 0; i < broken.cases.size(); ++i) {
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>((std::size_t{rule} * most_cases + i) * case_numbers),
                    case_numbers, broken.cases[i].begin());
      }
    }
    found.reached = device_.read(sum(reached), 0);
    found.traversed_edges = device_.read(sum(traversed), 0);
    found.depth = device_.read(depth_.constant(), 0);
    return found;
  }

  const Device& device_;
  std::uint32_t labels_;
  Array<std::uint64_t> ways_;
  Array<std::uint64_t> longer_;
  Array<std::uint32_t> met_;
  Array<std::uint64_t> sums_;
  Array<std::uint32_t> depth_;
  Array<std::uint64_t> counts_;
  Array<std::uint32_t> numbers_;
};

}  // namespace breadth::gpu
