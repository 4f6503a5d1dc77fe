// How deep the vertices of a search's tree are.
#pragma once

#include <cstdint>
#include <span>

#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// For each label the number of steps along `parents` to a vertex that is its own parent; -1 for no_label. `parents` is
/// a search's, on one rank: whatever has a parent is in a tree. `depths` is as long. O(n) work, in two passes; threads
/// that meet on a way up may both go it.
void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads);

}  // namespace breadth
