// The end of a search: parents in the order of the original labels.
#pragma once

#include <cstdint>

#include "gpu/views.hpp"

namespace breadth::gpu {

/// From vertices to labels and back.
struct LabelView {
  ArrayView<const std::uint32_t> labels;     ///< of each vertex
  ArrayView<const std::uint32_t> connected;  ///< a bit a label: whether it has edges
  ArrayView<const std::uint32_t> before;     ///< of each word of these, how many labels before have edges
  ArrayView<const std::uint32_t> vertices;   ///< of the labels that have edges, in the order of labels
  std::uint32_t count = 0;                   ///< of labels
};

/// What stands for the parent of a label that was not reached.
inline constexpr std::uint32_t no_parent = ~std::uint32_t{0};

/// Writes for every label the label of its vertex's parent, or no_parent. A warp takes 32 labels at a time; in the
/// order of labels each degree bin is met in sequence, and parents are mostly among the most connected vertices, whose
/// labels are near.
struct NameParents {
  LabelView labels;
  SearchView search;
  ArrayView<std::uint32_t> result;  ///< one a label

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (labels.count + bits_per_word - 1) / bits_per_word;
    for (std::uint32_t word = warp.index(); word < words; word += warp.count()) {
      const std::uint32_t connected = warp.load_one(labels.connected, word);
      const auto label = warp.lane() + word * bits_per_word;
      const typename Warp::Mask has_edges = warp.bits_of(connected);
      const auto place = warp.rank(connected) + warp.load_one(labels.before, word);
      const auto vertex = warp.load_constant(labels.vertices, place, has_edges);
      const auto visited = warp.load(search.visited, vertex / bits_per_word, has_edges);
      const typename Warp::Mask reached = has_edges & ((visited & warp.bit(vertex % bits_per_word)) != 0U);
      const auto parent = warp.load(search.parents, vertex, reached);
      const auto name = warp.load_constant(labels.labels, parent, reached);
      warp.store(result, label, warp.select(reached, name, warp.same(no_parent)), label < labels.count);
    }
  }
};

}  // namespace breadth::gpu
