// Computes levels, roots and paths from parents.
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

/// The level of a label that is not in the tree, or whose parents do not lead to the root. Cut to fewer bits, it still
/// has all bits set and this meaning.
inline constexpr std::uint32_t no_level = 0xFFFFFFFFU;

/// The levels of a tree, one per entry. An entry has 1 byte if no level of the tree on any rank is above
/// deepest_narrow, else 4.
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

/// Computes, for each label of this rank's block, the number of steps from it to `root` along `parents`. Parents may
/// have any values: a label that is out of range or does not lead to the root gets no_level, and so do all labels if
/// `root` is not a label. Collective.
///
/// On one rank a shallow tree is walked: O(n) work and a byte per label. Several ranks, and trees deeper than a byte
/// can count, use pointer doubling: O(n log depth) work and at most as many label look-ups, in bounded exchanges; 16
/// bytes per label while it runs, 32 if labels take 8 bytes.
TreeLevels tree_levels(const LabelArray& parents, Label root, const BlockDistribution& distribution,
                       const Context& context);

/// For each label of this rank's block: the root of its tree and the number of steps to it; no_label and no_level if
/// the label is in no tree.
struct TreeRoots {
  LabelArray roots;
  Buffer<std::uint32_t> levels;
};

/// Computes roots and levels of a forest. Each root is its own parent; a label in no tree has parent no_label.
/// Collective. Pointer doubling as for tree_levels, with at most 36 bytes per label.
TreeRoots tree_roots(const LabelArray& parents, const BlockDistribution& distribution, const Context& context);

/// Returns the path from the root of `target` to `target` along `parents`, a tree whose root is its own parent; empty
/// if `target` has no parent. Collective, one broadcast per step; the same on every rank.
std::vector<Label> tree_path(const LabelArray& parents, Label target, const BlockDistribution& distribution,
                             const Communicator& ranks);

}  // namespace breadth
