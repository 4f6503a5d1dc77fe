// Forms of the adjacency that papers describe and no default uses: the two-dimensional partition, and pairs of vertices
// and skip lists for searches that scan all edges.
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

/// The edges that the rank in row i and column j of a grid stores: edges from a vertex of a rank in column j to a
/// vertex of a rank in row i, for push in this direction (docs/partition.md). The owners of vertices are the same as in
/// other layouts; the blocks of a grid row are adjacent. The only look-up is the degree of a vertex of this rank, which
/// counts all its edges, on whatever rank they are stored.
template <class OneNeighbour>
class GridAdjacencies {
 public:
  using Neighbour = OneNeighbour;

  /// The rows stored here for the vertices of one rank in this column.
  struct Sources {
    Bitmap present;                      ///< local ids, on their owner, of the vertices that have a row here
    std::vector<std::uint32_t> earlier;  ///< the number of rows before each word of `present`
    std::vector<EdgeOffset> offsets{0};  ///< where each row starts; the last element is the end of the last row
    /// The global id of a target minus that of the first vertex of the grid row: the grid column of the target's owner
    /// in the high bits, its local id in the low bits.
    std::vector<Neighbour> targets;

    /// The neighbours of a vertex, which must be in `present`.
    [[nodiscard]] std::span<const Neighbour> row(std::size_t vertex) const {
      const std::size_t word = vertex / bits_per_word;
      const std::uint64_t before = present.words()[word] & (bit_in_word(vertex) - 1);
      const std::size_t number = earlier[word] + static_cast<std::size_t>(std::popcount(before));
      return std::span(targets).subspan(offsets[number], offsets[number + 1] - offsets[number]);
    }
    [[nodiscard]] std::size_t bytes() const {
      return bytes_for(present.words().size() * bits_per_word, offsets.size(), targets.size());
    }
    /// Bytes for the given numbers of vertices (a multiple of 64), row offsets and targets.
    static constexpr std::uint64_t bytes_for(std::uint64_t vertices, std::uint64_t offsets, std::uint64_t targets) {
      return vertices / bits_per_word * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + offsets * sizeof(EdgeOffset) +
             targets * sizeof(Neighbour);
    }
  };

  /// Sends the rows of this rank's vertices to the ranks of its column, a few at a time, and releases them at the end.
  /// O(edges). Collective. Throws the same Error on all ranks where memory is short.
  GridAdjacencies(Adjacency<Neighbour> rows, GridShape shape, const Partition& partition, const Context& context);

  /// About how many neighbours a rank sends at a time. There are three copies of them: dealt out by receiver, in the
  /// send buffer, and as received.
  static constexpr std::uint64_t entries_at_a_time = std::uint64_t{1} << 20;
  static constexpr std::uint64_t copies_under_way = 3;

  [[nodiscard]] GridShape shape() const noexcept { return shape_; }
  /// The rows stored here, by the grid row of the rank that owns the vertices.
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
/// two arrays, in the order of the rows. Every scan reads each pair. 8 bytes per edge, 12 with 64-bit global ids.
template <class OneNeighbour>
class EdgePairs {
 public:
  using Neighbour = OneNeighbour;

  EdgePairs() = default;
  /// Takes over the neighbours of the rows and writes the vertex beside each. O(edges).
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

  /// The sections that contain the edges of these vertices. Sections are pieces of equal size for threads to share.
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
      wanted = selected(word);  // the body may have visited the vertex
    }
  }

 private:
  static constexpr std::size_t section_pairs = std::size_t{1} << 14;

  Buffer<std::uint32_t> vertices_;
  Buffer<Neighbour> neighbours_;
};

// Skip lists.

/// The skip list of Checconi & Petrini 2014, fig. 14 and section II-D: for each vertex a header of 8 bytes (its local
/// id and its number of neighbours), then the global ids of its neighbours. A scan reads every header, and the
/// neighbours of the selected vertices. Sections are pieces of equal size for threads to share. A section may begin
/// inside a row, so 8 bytes per section store where that row begins.
template <class OneNeighbour>
class SkipList {
 public:
  using Neighbour = OneNeighbour;

  SkipList() = default;
  /// Moves the rows into the list part by part, so that rows and list are never in memory whole at the same time.
  /// O(edges).
  SkipList(Adjacency<Neighbour> rows, ThreadTeam& threads);

  /// The place of a vertex's header in the list of these rows.
  static EdgeOffset place(const Adjacency<Neighbour>& rows, std::size_t vertex) {
    return rows.offsets[vertex] + vertex * header_words;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return words_.size() * sizeof(Neighbour) + starts_.size() * sizeof(EdgeOffset);
  }
  /// Bytes for `entries` neighbours of `vertices` vertices, without the few bytes for sections.
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t vertices) {
    return entries * sizeof(Neighbour) + vertices * sizeof(Header);
  }

  /// The sections that contain the edges of these vertices.
  [[nodiscard]] IndexRange sections(IndexRange vertices) const {
    const auto starting_below = [this](std::size_t vertex) {
      return static_cast<std::size_t>(
          std::partition_point(starts_.begin(), starts_.end(),
                               [&](EdgeOffset start) { return vertex_at(start).index() < vertex; }) -
          starts_.begin());
    };
    return {std::max<std::size_t>(1, starting_below(vertices.begin)) - 1, starting_below(vertices.end)};
  }
  /// The place of the row that the section begins with or in.
  [[nodiscard]] EdgeOffset start(std::size_t section) const { return starts_[section]; }
  /// The place where a section ends.
  [[nodiscard]] EdgeOffset end(std::size_t section) const {
    return std::min<EdgeOffset>(words_.size(), (section + 1) * section_words);
  }
  /// The vertex whose header is at `place`.
  [[nodiscard]] LocalVertex vertex_at(EdgeOffset place) const { return LocalVertex{header_at(place).vertex}; }

  /// Calls body(vertex, neighbours) for the rows of a section whose vertex has its bit in selected(word).
  template <class Selected, class Body>
  void scan(std::size_t section, Selected&& selected, Body&& body) const {
    scan_rows(section, {start(section), end(section)}, selected, body);
  }
  /// Does the same for the rows of the section that begin in `range`.
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
  Buffer<EdgeOffset> starts_;  ///< of each section: the place of the row that it begins with or in
};

/// A skip list with the coarse index of Checconi & Petrini 2014, section II-D: where the rows of each 64 vertices (one
/// word) begin. A scan reads only the headers of words with a selected vertex.
template <class OneNeighbour>
class IndexedSkipList {
 public:
  using Neighbour = OneNeighbour;

  IndexedSkipList() = default;
  /// Moves the rows into the list part by part, as SkipList does.
  IndexedSkipList(Adjacency<Neighbour> rows, ThreadTeam& threads);

  [[nodiscard]] std::size_t bytes() const noexcept { return list_.bytes() + index_.size() * sizeof(EdgeOffset); }
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t vertices) {
    return SkipList<Neighbour>::bytes_for(entries, vertices) + vertices / bits_per_word * sizeof(EdgeOffset);
  }

  /// The sections that contain the edges of these vertices.
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
  Buffer<EdgeOffset> index_;  ///< where the rows of each word of vertices begin; the last element is the end of the
                              ///< list
  SkipList<Neighbour> list_;
};

// The adjacency of scanned lists.

/// The neighbours of one graph in lists that searches scan: EdgePairs, SkipList or IndexedSkipList. A directed graph
/// has a list along its edges, for push, and one against them, for pull. In an undirected graph one list serves both.
/// The only look-up is the degree, which takes 4 bytes per vertex and list.
template <class List>
class ScannedAdjacencies {
 public:
  using Neighbour = typename List::Neighbour;

  /// Takes over the rows; `in` is used only if `directed`. O(edges).
  ScannedAdjacencies(Adjacency<Neighbour> out, Adjacency<Neighbour> in, bool directed, ThreadTeam& threads)
      : out_(std::move(out), threads), directed_(directed) {
    if (directed) in_ = OneWay(std::move(in), threads);
  }

  [[nodiscard]] const List& push_list() const noexcept { return out_.list; }
  [[nodiscard]] const List& pull_list() const noexcept { return directed_ ? in_.list : out_.list; }
  /// The number of entries in the list for push.
  [[nodiscard]] std::uint64_t edges() const noexcept { return out_.edges; }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return out_.degrees[vertex.index()]; }
  /// The number of edges of a vertex, out-edges and in-edges together.
  [[nodiscard]] std::size_t total_degree(LocalVertex vertex) const noexcept {
    return degree(vertex) + (directed_ ? in_.degrees[vertex.index()] : 0);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return out_.bytes() + in_.bytes(); }
  /// Bytes for `entries` entries in `rows` rows; a directed graph counts both directions.
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
