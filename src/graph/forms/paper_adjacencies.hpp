// Forms of the adjacency from papers, which no default uses: the two-dimensional partition, and pairs of vertices or
// skip lists, for searches that scan all of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

// The two-dimensional partition.

/// The edges of the rank in row i and column j of a grid: those from a vertex of a rank in column j to a vertex of a
/// rank in row i, pushed along from the first to the second (docs/partition.md). The vertices themselves lie on the
/// ranks as ever, whose blocks a row of the grid has side by side. What is looked up is the degree of a vertex of this
/// rank, over all of its edges, wherever they are.
template <class OneNeighbour>
class GridAdjacencies {
 public:
  using Neighbour = OneNeighbour;

  /// The rows here of the vertices of one rank in this column.
  struct Sources {
    Bitmap present;                      ///< the local ids, on their rank, of the vertices that have a row here
    std::vector<std::uint32_t> earlier;  ///< the rows before each word of `present`
    std::vector<EdgeOffset> offsets{0};  ///< where each row starts, and one more: the end of the last
    /// A target is its global id less that of the first vertex of the grid's row: the column of its owner above its
    /// local id.
    std::vector<Neighbour> targets;

    /// The neighbours of a vertex that is present.
    [[nodiscard]] std::span<const Neighbour> row(std::size_t vertex) const {
      const std::size_t word = vertex / bits_per_word;
      const std::uint64_t before = present.words()[word] & (bit_in_word(vertex) - 1);
      const std::size_t number = earlier[word] + static_cast<std::size_t>(std::popcount(before));
      return std::span(targets).subspan(offsets[number], offsets[number + 1] - offsets[number]);
    }
    [[nodiscard]] std::size_t bytes() const {
      return bytes_for(present.words().size() * bits_per_word, offsets.size(), targets.size());
    }
    /// Bytes for so many vertices, a multiple of 64, offsets of rows, and targets.
    static constexpr std::uint64_t bytes_for(std::uint64_t vertices, std::uint64_t offsets, std::uint64_t targets) {
      return vertices / bits_per_word * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + offsets * sizeof(EdgeOffset) +
             targets * sizeof(Neighbour);
    }
  };

  /// Takes the rows of this rank's vertices to the ranks of its column, a few at a time; they go away in the end.
  /// O(edges). Collective; throws the same Error on all ranks where memory is short.
  GridAdjacencies(Adjacency<Neighbour> rows, GridShape shape, const Partition& partition, const Context& context);

  /// Neighbours, about, that a rank sends at a time. They are dealt out, in order, and as they come: three copies.
  static constexpr std::uint64_t entries_a_time = std::uint64_t{1} << 20;
  static constexpr std::uint64_t copies_under_way = 3;

  [[nodiscard]] GridShape shape() const noexcept { return shape_; }
  /// By the row of their rank.
  [[nodiscard]] std::span<const Sources> sources() const noexcept { return sources_; }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return degrees_[vertex.index()]; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes = degrees_.size() * sizeof(std::uint32_t);
    for (const Sources& one : sources_) bytes += one.bytes();
    return bytes;
  }

 private:
  GridShape shape_;
  Buffer<std::uint32_t> degrees_;
  std::vector<Sources> sources_;
};

// Pairs of vertices and skip lists.

// Pairs of vertices.

/// The full edge list of Checconi & Petrini 2014, fig. 14: a vertex of this rank and the global id of its neighbour, in
/// two columns, in the order of the rows. Every scan looks at each pair. 8 bytes an edge, 12 with wide global ids.
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

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_for(neighbours_.size(), 0); }
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t /*vertices*/) {
    return entries * (sizeof(std::uint32_t) + sizeof(Neighbour));
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

// Skip lists.

/// The skip list of Checconi & Petrini 2014, fig. 14 and section II-D: for each vertex a header of 8 bytes, its local
/// id and how many neighbours follow, then their global ids. A scan reads every header and the neighbours of the
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
  /// Bytes for these, less the few for sections.
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t vertices) {
    return entries * sizeof(Neighbour) + vertices * sizeof(Header);
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
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t vertices) {
    return SkipList<Neighbour>::bytes_for(entries, vertices) + vertices / bits_per_word * sizeof(EdgeOffset);
  }

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

// Either of them.

/// The neighbours of one graph in lists that are scanned: EdgePairs, SkipList or IndexedSkipList. A directed graph has
/// a list along its edges, for push, and one against them, for pull; for an undirected one both are the same. Degrees,
/// 4 bytes a vertex and list, are all that can be looked up.
template <class List>
class ScannedAdjacencies {
 public:
  using Neighbour = typename List::Neighbour;

  /// Takes the rows over; `in` counts only where `directed`. O(edges).
  ScannedAdjacencies(Adjacency<Neighbour> out, Adjacency<Neighbour> in, bool directed, ThreadTeam& threads)
      : out_(std::move(out), threads), directed_(directed) {
    if (directed) in_ = OneWay(std::move(in), threads);
  }

  [[nodiscard]] const List& push_list() const noexcept { return out_.list; }
  [[nodiscard]] const List& pull_list() const noexcept { return directed_ ? in_.list : out_.list; }
  /// Entries of the list for push.
  [[nodiscard]] std::uint64_t edges() const noexcept { return out_.edges; }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return out_.degrees[vertex.index()]; }
  /// Edges of a vertex, whichever way they lead.
  [[nodiscard]] std::size_t total_degree(LocalVertex vertex) const noexcept {
    return degree(vertex) + (directed_ ? in_.degrees[vertex.index()] : 0);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return out_.bytes() + in_.bytes(); }
  /// Bytes for so many entries of so many rows, both ways counted.
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t rows) {
    return List::bytes_for(entries, rows) + rows * sizeof(std::uint32_t);
  }

 private:
  struct OneWay {
    OneWay() = default;
    OneWay(Adjacency<Neighbour> rows, ThreadTeam& threads)
        : edges(rows.neighbours.size()), degrees(rows.offsets.size() - 1) {
      parallel_for(threads, degrees.size(), std::size_t{1} << 14, [&](std::size_t i) {
        const LocalVertex vertex{static_cast<std::uint32_t>(i)};
        degrees[i] = static_cast<std::uint32_t>(rows.degree(vertex));
      });
      list = List(std::move(rows), threads);
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return list.bytes() + degrees.size() * sizeof(std::uint32_t); }

    std::uint64_t edges = 0;
    Buffer<std::uint32_t> degrees;
    List list;
  };

  OneWay out_;
  OneWay in_;
  bool directed_;
};

}  // namespace breadth
