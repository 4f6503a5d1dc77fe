// The end of a search: writes parents in the order of the original labels.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// The tables that map vertices to labels and back.
struct LabelView {
  ArrayView<const std::uint32_t> labels;     ///< the label of each vertex
  ArrayView<const std::uint32_t> connected;  ///< one bit per label: whether it has edges
  ArrayView<const std::uint32_t> before;     ///< labels with edges before each word of `connected`
  ArrayView<const std::uint32_t> vertices;   ///< the vertices of the labels with edges, in the order of labels
  std::uint32_t count = 0;                   ///< number of labels
};

/// The parent of a label that was not reached.
inline constexpr std::uint32_t no_parent = ~std::uint32_t{0};

/// Walks over labels and looks their vertices up, 32 labels per word. In the order of labels, each degree bin is read
/// in sequence, and parents are mostly among the most connected vertices, whose labels are near. A Step has `labels`,
/// and the number `at_once` of words that a warp takes to overlap their look-ups. `look` returns the data of the
/// vertices of the lanes' labels, if these have edges. `write` stores the data for the lanes of a mask.
template <class Step>
struct LabelWalk : Step {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t at_once = Step::at_once;
    const LabelView& labels = this->labels;
    const std::uint32_t words = (labels.count + bits_per_word - 1) / bits_per_word;
    for (std::uint32_t first = warp.index() * at_once; first < words; first += warp.count() * at_once) {
      WordsOf<Warp> vertex[at_once];
      MaskOf<Warp> has_edges[at_once];
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const std::uint32_t word = first + i;
        const std::uint32_t connected = word < words ? warp.load_one(labels.connected, word) : 0;
        const std::uint32_t before = word < words ? warp.load_one(labels.before, word) : 0;
        has_edges[i] = warp.bits_of(connected);
        vertex[i] = warp.load_constant(labels.vertices, warp.rank(connected) + before, has_edges[i]);
      }
      const auto found = this->look(warp, vertex, has_edges);
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const auto label = warp.lane() + (first + i) * bits_per_word;
        this->write(warp, label, found, i, label < labels.count);
      }
    }
  }
};

/// Labels of parents, no_parent for an unreached vertex.
template <class Warp, std::uint32_t count>
struct FoundLabels {
  WordsOf<Warp> labels[count];
};

/// The output of a breadth-first search: for every label the label of its vertex's parent, or no_parent.
struct ParentOutput {
  LabelView labels;
  SearchView search;
  ArrayView<std::uint32_t> result;  ///< one per label

  template <class Warp, class Lanes, std::uint32_t count>
  constexpr void write(const Warp& warp, const Lanes& label, const FoundLabels<Warp, count>& found, std::uint32_t i,
                       const MaskOf<Warp>& is_label) const {
    warp.store(result, label, found.labels[i], is_label);
  }
};

/// Writes the parents of a search in which all parents are vertices.
struct WriteParentsStep : ParentOutput {
  static constexpr std::uint32_t at_once = 8;

  template <class Warp, class Words, class Masks>
  [[nodiscard]] constexpr FoundLabels<Warp, at_once> look(const Warp& warp, const Words& vertex,
                                                          const Masks& has_edges) const {
    FoundLabels<Warp, at_once> found;
    MaskOf<Warp> reached[at_once];
    for (std::uint32_t i = 0; i < at_once; ++i) {
      reached[i] = has_bit(warp, search.visited, vertex[i], has_edges[i]);
      found.labels[i] = warp.load(search.parents, vertex[i], has_edges[i]);  // arbitrary for an unreached vertex
    }
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const auto label = warp.load_constant(labels.labels, found.labels[i], reached[i]);
      found.labels[i] = warp.select(reached[i], label, warp.same(no_parent));
    }
    return found;
  }
};
using WriteParents = LabelWalk<WriteParentsStep>;

/// Writes the parents in a part (gpu/part_search.hpp), where the parents that other ranks sent are labels already.
struct WritePartParentsStep : ParentOutput {
  ArrayView<const std::uint32_t> labelled;  ///< one bit per vertex: whether its parent is a label

  static constexpr std::uint32_t at_once = 4;

  template <class Warp, class Words, class Masks>
  [[nodiscard]] constexpr FoundLabels<Warp, at_once> look(const Warp& warp, const Words& vertex,
                                                          const Masks& has_edges) const {
    FoundLabels<Warp, at_once> found;
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const MaskOf<Warp> reached = has_bit(warp, search.visited, vertex[i], has_edges[i]);
      const MaskOf<Warp> is_vertex = reached & !has_bit(warp, labelled, vertex[i], reached);
      const auto parent = warp.load(search.parents, vertex[i], reached);
      const auto label = warp.select(is_vertex, warp.load_constant(labels.labels, parent, is_vertex), parent);
      found.labels[i] = warp.select(reached, label, warp.same(no_parent));
    }
    return found;
  }
};
using WritePartParents = LabelWalk<WritePartParentsStep>;

}  // namespace breadth::gpu
