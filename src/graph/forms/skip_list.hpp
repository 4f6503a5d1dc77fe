// Rows back to back, each behind a header that tells where the next one is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"

namespace breadth {

/// The skip list of Checconi & Petrini 2014, fig. 14 and section II-D: for each vertex a header of 8 bytes, its local
/// id and how many neighbours follow, then their positions. A scan reads every header and the neighbours of the
/// vertices that it looks for. Sections, pieces of equal size for threads to share, may cut a row: 8 bytes for each
/// tell where the row begins that a section begins with.
template <class OneNeighbour>
class SkipList {
 public:
  using Neighbour = OneNeighbour;

  SkipList() = default;
  /// Takes the rows over a part at a time: the two never stand beside each other whole. O(edges).
  SkipList(Adjacency<Neighbour> rows, ThreadTeam& threads);

  /// Where a vertex's header is in the list of these rows.
  static EdgeOffset place(const Adjacency<Neighbour>& rows, std::size_t vertex) {
    return rows.offsets[vertex] + vertex * header_words;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return words_.size() * sizeof(Neighbour) + starts_.size() * sizeof(EdgeOffset);
  }

  /// The sections that hold what these vertices have.
  [[nodiscard]] IndexRange sections(IndexRange vertices) const {
    const auto starting_below = [this](std::size_t vertex) {
      return static_cast<std::size_t>(
          std::partition_point(starts_.begin(), starts_.end(),
                               [&](EdgeOffset start) { return vertex_at(start).index() < vertex; }) -
          starts_.begin());
    };
    return {std::max<std::size_t>(1, starting_below(vertices.begin)) - 1, starting_below(vertices.end)};
  }
  /// Where the row is that a section begins with.
  [[nodiscard]] EdgeOffset start(std::size_t section) const { return starts_[section]; }
  /// Where a section ends.
  [[nodiscard]] EdgeOffset end(std::size_t section) const {
    return std::min<EdgeOffset>(words_.size(), (section + 1) * section_words);
  }
  /// The vertex whose header is there.
  [[nodiscard]] LocalVertex vertex_at(EdgeOffset place) const { return LocalVertex{header_at(place).vertex}; }

  /// Calls body(vertex, neighbours) for the rows of a section whose vertex has its bit in selected(word).
  template <class Selected, class Body>
  void scan(std::size_t section, Selected&& selected, Body&& body) const {
    scan_rows(section, {start(section), end(section)}, selected, body);
  }
  /// The same for those of its rows that begin in [begin, end).
  template <class Selected, class Body>
  void scan_rows(std::size_t section, IndexRange range, Selected&& selected, Body&& body) const {
    for (EdgeOffset next = range.begin; next < range.end;) {
      const Header header = header_at(next);
      const EdgeOffset row = next + header_words;
      next = row + header.length;
      if ((selected(header.vertex / bits_per_word) & bit_in_word(header.vertex)) == 0) continue;
      const EdgeOffset from = std::max<EdgeOffset>(row, section * section_words);
      const EdgeOffset to = std::min(next, end(section));
      if (from < to) body(LocalVertex{header.vertex}, words_.span().subspan(from, to - from));
    }
  }

 private:
  struct Header {
    std::uint32_t vertex;
    std::uint32_t length;
  };
  static constexpr std::size_t header_words = sizeof(Header) / sizeof(Neighbour);
  static constexpr std::size_t section_words = std::size_t{1} << 14;

  void find_starts(const Adjacency<Neighbour>& rows);
  void write_row(const Adjacency<Neighbour>& rows, LocalVertex vertex);

  [[nodiscard]] Header header_at(EdgeOffset place) const {
    Header header;
    std::memcpy(&header, words_.data() + place, sizeof header);
    return header;
  }

  Buffer<Neighbour> words_;
  Buffer<EdgeOffset> starts_;  ///< of each section: where the row is that it begins with
};

/// A skip list with the coarse index of Checconi & Petrini 2014, section II-D: where the rows of each word of 64
/// vertices begin. A scan reads the headers of those words only that have a vertex it looks for.
template <class OneNeighbour>
class IndexedSkipList {
 public:
  using Neighbour = OneNeighbour;

  IndexedSkipList() = default;
  /// As a SkipList does.
  IndexedSkipList(Adjacency<Neighbour> rows, ThreadTeam& threads);

  [[nodiscard]] std::size_t bytes() const noexcept { return list_.bytes() + index_.size() * sizeof(EdgeOffset); }

  /// The sections that hold what these vertices have.
  [[nodiscard]] IndexRange sections(IndexRange vertices) const { return list_.sections(vertices); }

  /// Calls body(vertex, neighbours) for the rows of a section whose vertex has its bit in selected(word).
  template <class Selected, class Body>
  void scan(std::size_t section, Selected&& selected, Body&& body) const {
    EdgeOffset next = list_.start(section);
    std::size_t word = list_.vertex_at(next).index() / bits_per_word;
    while (next < list_.end(section)) {
      if (const std::uint64_t wanted = selected(word); wanted != 0) {
        const EdgeOffset end = std::min(index_[word + 1], list_.end(section));
        list_.scan_rows(
            section, {next, end}, [wanted](std::size_t) { return wanted; }, body);
      }
      next = index_[++word];
    }
  }

 private:
  Buffer<EdgeOffset> index_;  ///< where the rows of each word of vertices begin, and one more: the end of the list
  SkipList<Neighbour> list_;
};

}  // namespace breadth
