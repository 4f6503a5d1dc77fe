// Results of searches that are validated later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/label_array.hpp"
#include "core/parallel.hpp"

namespace breadth {

/// Copies of the parents of some searches.
class KeptParents {
 public:
  /// Room for `places` results of `size` labels each, of a graph of so many vertices.
  KeptParents(std::size_t places, std::size_t size, std::uint64_t vertex_count) {
    for (std::size_t i = 0; i < places; ++i) arrays_.emplace_back(size, vertex_count);
  }

  /// Copies `parents` to a place, and returns the copy, which holds until the next for this place.
  const LabelArray& keep(std::size_t place, const LabelArray& parents, ThreadTeam& threads) {
    if (parents.wide()) {
      copy(parents.entries<std::uint64_t>(), arrays_[place].entries<std::uint64_t>(), threads);
    } else {
      copy(parents.entries<std::uint32_t>(), arrays_[place].entries<std::uint32_t>(), threads);
    }
    return arrays_[place];
  }

 private:
  template <class Entry>
  static void copy(std::span<const Entry> from, std::span<Entry> to, ThreadTeam& threads) {
    parallel_blocks(threads, from.size(), std::size_t{1} << 16, [&](IndexRange range, int) {
      std::copy_n(from.data() + range.begin, range.size(), to.data() + range.begin);
    });
  }

  std::vector<LabelArray> arrays_;
};

}  // namespace breadth
