// Levels from parents.
#pragma once

#include <cstdint>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/buffer.hpp"
#include "core/label_array.hpp"

namespace breadth {

/// The level of a label that is not in the tree, or whose parents do not lead to the root.
inline constexpr std::uint32_t no_level = 0xFFFFFFFFU;

/// For each label of this rank's block the number of steps from it to `root` along `parents`. Parents may be anything:
/// what is out of range, or never comes to the root, has no_level; so has all where `root` is no label. Collective.
///
/// By pointer doubling: O(n log depth) work and at most as many label look-ups, in bounded exchanges. 16 bytes a label
/// while it runs, 32 where labels take 8 bytes.
Buffer<std::uint32_t> tree_levels(const LabelArray& parents, Label root, const BlockDistribution& distribution,
                                  const Context& context);

}  // namespace breadth
