// The end of a search: parents in the order of the original labels.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

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

/// From labels to vertices, 32 labels a warp at a time: in the order of labels each degree bin is met in sequence, and
/// parents are mostly among the most connected vertices, whose labels are near. A Step has `labels`, and `name` writes
/// what is known of the vertex of each lane's label, if that has edges.
template <class Step>
struct LabelWalk : Step {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const LabelView& labels = this->labels;
    const std::uint32_t words = (labels.count + bits_per_word - 1) / bits_per_word;
    for (std::uint32_t word = warp.index(); word < words; word += warp.count()) {
      const std::uint32_t connected = warp.load_one(labels.connected, word);
      const auto label = warp.lane() + word * bits_per_word;
      const typename Warp::Mask is_label = label < labels.count;
      const typename Warp::Mask has_edges = warp.bits_of(connected);
      const auto place = warp.rank(connected) + warp.load_one(labels.before, word);
      this->name(warp, label, is_label, warp.load_constant(labels.vertices, place, has_edges), has_edges);
    }
  }
};

/// Writes for every label the label of its vertex's parent, or no_parent.
struct NameParentsStep {
  LabelView labels;
  SearchView search;
  ArrayView<std::uint32_t> result;  ///< one a label

  template <class Warp, class Lanes>
  constexpr void name(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                      const typename Warp::Mask& has_edges) const {
    const auto visited = warp.load(search.visited, vertex / bits_per_word, has_edges);
    const typename Warp::Mask reached = has_edges & ((visited & warp.bit(vertex % bits_per_word)) != 0U);
    const auto parent = warp.load(search.parents, vertex, reached);
    const auto name = warp.load_constant(labels.labels, parent, reached);
    warp.store(result, label, warp.select(reached, name, warp.same(no_parent)), is_label);
  }
};
using NameParents = LabelWalk<NameParentsStep>;

/// The same of a part (gpu/part_search.hpp), where some parents are labels already, since other ranks told of them.
struct NamePartParentsStep {
  LabelView labels;
  SearchView search;
  ArrayView<const std::uint32_t> named;  ///< a bit a vertex: its parent is a label
  ArrayView<std::uint32_t> result;       ///< one a label

  template <class Warp, class Lanes>
  constexpr void name(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                      const typename Warp::Mask& has_edges) const {
    const auto word = vertex / bits_per_word;
    const auto bit = warp.bit(vertex % bits_per_word);
    const typename Warp::Mask reached = has_edges & ((warp.load(search.visited, word, has_edges) & bit) != 0U);
    const typename Warp::Mask is_vertex = reached & ((warp.load(named, word, reached) & bit) == 0U);
    const auto parent = warp.load(search.parents, vertex, reached);
    const auto name = warp.select(is_vertex, warp.load_constant(labels.labels, parent, is_vertex), parent);
    warp.store(result, label, warp.select(reached, name, warp.same(no_parent)), is_label);
  }
};
using NamePartParents = LabelWalk<NamePartParentsStep>;

}  // namespace breadth::gpu
