// The end of kernel 1 on a device: the tables of GraphView and LabelView besides the rows.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"
#include "gpu/phases/write_parents.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Copies the first neighbour of each vertex.
struct TakeFirstNeighboursStep {
  ArrayView<const std::uint64_t> offsets;
  ArrayView<const std::uint32_t> neighbours;
  ArrayView<std::uint32_t> first_neighbours;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    warp.store(first_neighbours, place, warp.load(neighbours, warp.load(offsets, place, there), there), there);
  }
};

/// Computes the mean degree of each 32 vertices, rounded down.
struct AverageDegreesStep {
  ArrayView<const std::uint64_t> offsets;
  std::uint64_t vertices = 0;
  ArrayView<std::uint32_t> word_degrees;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto begin = place * std::uint64_t{bits_per_word};
    const auto end_of_word = [this](std::uint64_t first) {
      return first + bits_per_word < vertices ? first + bits_per_word : vertices;
    };
    const auto mean = [](std::uint64_t sum, std::uint64_t count) {  // lanes without a word have no vertices
      return count == 0 ? std::uint32_t{0} : static_cast<std::uint32_t>(sum / count);
    };
    const auto end = warp.map(end_of_word, begin);
    const auto entries = warp.load(offsets, end, there) - warp.load(offsets, begin, there);
    warp.store(word_degrees, place, warp.map(mean, entries, end - begin), there);
  }
};

/// Sets a bit for each label that has edges, and counts the bits of each word.
struct ConnectLabels {
  ArrayView<const std::uint32_t> counts;  ///< the number of each label's ends
  std::uint32_t label_count = 0;
  ArrayView<std::uint32_t> connected;
  ArrayView<std::uint32_t> in_word;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const auto words = static_cast<std::uint32_t>(connected.size);
    for (std::uint32_t word = warp.index(); word < words; word += warp.count()) {
      const auto label = warp.lane() + word * bits_per_word;
      const std::uint32_t bits = warp.ballot(warp.load(counts, label, label < label_count) != 0U);
      const MaskOf<Warp> first = warp.lane() == 0U;
      warp.store(connected, warp.same(word), warp.same(bits), first);
      warp.store(in_word, warp.same(word), warp.same(warp.popcount(bits)), first);
    }
  }
};

/// Lists the vertices of the labels that have edges, in the order of labels.
struct ListVertices {
  ArrayView<const std::uint32_t> connected;
  ArrayView<const std::uint32_t> before;  ///< labels with edges before each word
  ArrayView<const std::uint32_t> vertex_of;
  ArrayView<std::uint32_t> vertices;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const auto words = static_cast<std::uint32_t>(connected.size);
    for (std::uint32_t word = warp.index(); word < words; word += warp.count()) {
      const std::uint32_t bits = warp.load_one(connected, word);
      const MaskOf<Warp> there = warp.bits_of(bits);
      const auto label = warp.lane() + word * bits_per_word;
      const auto place = warp.rank(bits) + warp.load_one(before, word);
      warp.store(vertices, place, warp.load(vertex_of, label, there), there);
    }
  }
};

/// Finds the vertex of one label, no_vertex if the label has no edges. Only the first warp works.
struct FindVertex {
  LabelView labels;
  std::uint32_t label = 0;
  ArrayView<std::uint32_t> vertex;  ///< one element

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    if (warp.index() != 0) return;
    const std::uint32_t word = label / bits_per_word;
    const std::uint32_t bits = warp.load_one(labels.connected, word);
    const std::uint32_t bit = std::uint32_t{1} << label % bits_per_word;
    const std::uint32_t place = warp.load_one(labels.before, word) + warp.popcount(bits & (bit - 1));
    const std::uint32_t found = (bits & bit) != 0 ? warp.load_one(labels.vertices, place) : no_vertex;
    warp.store(vertex, warp.same(0), warp.same(found), warp.lane() == 0U);
  }
};

}  // namespace breadth::gpu
