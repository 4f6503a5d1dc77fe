// Every edge as a pair of vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"

namespace breadth {

/// The full edge list of Checconi & Petrini 2014, fig. 14: a vertex of this rank and the position of its neighbour, in
/// two columns, in the order of the rows. Every scan looks at each pair. 8 bytes an edge, 12 with wide positions.
template <class OneNeighbour>
class EdgePairs {
 public:
  using Neighbour = OneNeighbour;

  EdgePairs() = default;
  /// Takes the neighbours as they lie in the rows and names the vertex beside each. O(edges).
  EdgePairs(Adjacency<Neighbour> rows, ThreadTeam& threads)
      : vertices_(rows.neighbours.size()), neighbours_(std::move(rows.neighbours)) {
    constexpr std::size_t grain = 256;
    parallel_for(threads, rows.offsets.size() - 1, grain, [&](std::size_t vertex) {
      const EdgeOffset end = rows.offsets[vertex + 1];
      for (EdgeOffset i = rows.offsets[vertex]; i < end; ++i) vertices_[i] = static_cast<std::uint32_t>(vertex);
    });
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return vertices_.size() * sizeof(std::uint32_t) + neighbours_.size() * sizeof(Neighbour);
  }

  /// The sections that hold what these vertices have: pieces of equal size, for threads to share.
  [[nodiscard]] IndexRange sections(IndexRange vertices) const {
    const auto first_pair = [this](std::size_t vertex) {
      return static_cast<std::size_t>(std::lower_bound(vertices_.begin(), vertices_.end(), vertex) - vertices_.begin());
    };
    return {first_pair(vertices.begin) / section_pairs, (first_pair(vertices.end) + section_pairs - 1) / section_pairs};
  }

  /// Calls body(vertex, its one neighbour) for the pairs of a section whose vertex has its bit in selected(word).
  template <class Selected, class Body>
  void scan(std::size_t section, Selected&& selected, Body&& body) const {
    const std::size_t end = std::min(vertices_.size(), (section + 1) * section_pairs);
    std::size_t word = SIZE_MAX;
    std::uint64_t wanted = 0;
    for (std::size_t i = section * section_pairs; i < end; ++i) {
      const std::uint32_t vertex = vertices_[i];
      if (vertex / bits_per_word != word) wanted = selected(word = vertex / bits_per_word);
      if ((wanted & bit_in_word(vertex)) == 0) continue;
      body(LocalVertex{vertex}, neighbours_.span().subspan(i, 1));
      wanted = selected(word);  // after a body that settles the vertex
    }
  }

 private:
  static constexpr std::size_t section_pairs = std::size_t{1} << 14;

  Buffer<std::uint32_t> vertices_;
  Buffer<Neighbour> neighbours_;
};

}  // namespace breadth
