// Levels from parents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"

namespace breadth {

/// The level of a label that is not in the tree, or whose parents do not lead to the root. Cut to fewer bits it keeps
/// this meaning: all bits set.
inline constexpr std::uint32_t no_level = 0xFFFFFFFFU;

/// One level an entry: a byte where no level of the tree, on any rank, is above deepest_narrow, else 4.
class TreeLevels {
 public:
  static constexpr std::uint32_t deepest_narrow = 253;

  explicit TreeLevels(Buffer<std::uint8_t> levels) : narrow_(std::move(levels)) {}
  explicit TreeLevels(Buffer<std::uint32_t> levels) : wide_(true), wide_entries_(std::move(levels)) {}

  [[nodiscard]] std::size_t size() const noexcept { return wide_ ? wide_entries_.size() : narrow_.size(); }
  /// Whether an entry takes 4 bytes; the same on every rank.
  [[nodiscard]] bool wide() const noexcept { return wide_; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept {
    if (wide_) return wide_entries_[i];
    return narrow_[i] == 0xFFU ? no_level : narrow_[i];
  }

 private:
  bool wide_ = false;
  Buffer<std::uint8_t> narrow_;
  Buffer<std::uint32_t> wide_entries_;
};

/// For each label of this rank's block the number of steps from it to `root` along `parents`. Parents may be anything:
/// what is out of range, or never comes to the root, has no_level; so has all where `root` is no label. Collective.
///
/// On one rank a shallow tree is walked: O(n) work and a byte a label. Several ranks, and trees that are deeper than a
/// byte counts, take pointer doubling: O(n log depth) work and at most as many label look-ups, in bounded exchanges; 16
/// bytes a label while it runs, 32 where labels take 8 bytes.
TreeLevels tree_levels(const LabelArray& parents, Label root, const BlockDistribution& distribution,
                       const Context& context);

/// Of each label of this rank's block the root of its tree and the steps from it there; no_label and no_level where it
/// is in none.
struct TreeRoots {
  LabelArray roots;
  Buffer<std::uint32_t> levels;
};

/// Parents are any number of trees whose roots are their own parents; no_label where a label is in none. Collective.
/// Pointer doubling as for tree_levels, of 36 bytes a label at the most.
TreeRoots tree_roots(const LabelArray& parents, const BlockDistribution& distribution, const Context& context);

/// The labels from the root of `target` to itself along `parents`, which are a tree whose root is its own parent; empty
/// where the target has no parent. Collective, a broadcast a step: the same on every rank.
std::vector<Label> tree_path(const LabelArray& parents, Label target, const BlockDistribution& distribution,
                             const Communicator& ranks);

}  // namespace breadth
