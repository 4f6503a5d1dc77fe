// The rows of a graph: the neighbours of each vertex, and how to find a row.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "simd/find_in_frontier.hpp"

namespace breadth {

/// Prefetches a row, or the weights of a row: its first cache lines, in which most rows end, and its last entry. Always
/// inlined: g++ drops calls that do nothing but prefetch.
template <class Entry>
[[gnu::always_inline]] inline void prefetch_row_at(const Entry* row, std::size_t count) {
  constexpr std::size_t per_line = 64 / sizeof(Entry);
  __builtin_prefetch(row);
  if (count <= per_line / 2) return;
  for (std::size_t i = per_line; i < std::min(count - 1, 4 * per_line); i += per_line) __builtin_prefetch(row + i);
  __builtin_prefetch(row + count - 1);
}

/// Rows with an index (CSR): for each vertex of a rank the global ids (graph/partition.hpp) of its neighbours, in
/// NeighbourOrder (core/policy/graph_layout.hpp). Neighbour is 32 bits wide where all global ids fit, else 64.
template <class OneNeighbour>
struct Adjacency {
  using Neighbour = OneNeighbour;
  Buffer<EdgeOffset> offsets;    ///< where each vertex's row starts; the last element is the end of the last row
  Buffer<Neighbour> neighbours;  ///< all rows, one after the other
  Buffer<float> weights;         ///< beside neighbours; empty in a graph without weights

  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept {
    return offsets[vertex.index() + 1] - offsets[vertex.index()];
  }
  [[nodiscard]] std::span<const Neighbour> row(LocalVertex vertex) const noexcept {
    return {neighbours.data() + offsets[vertex.index()], degree(vertex)};
  }
  /// The number of neighbours in all rows.
  [[nodiscard]] std::uint64_t entries() const noexcept { return neighbours.size(); }
  /// The number of neighbours in the rows of these vertices.
  [[nodiscard]] std::uint64_t entries(IndexRange vertices) const noexcept {
    return offsets[vertices.end] - offsets[vertices.begin];
  }
  /// Calls body(global_ids) for the neighbours at places [begin, end) of a row, in one or several parts.
  template <class Body>
  void for_each_span(LocalVertex vertex, IndexRange places, Body&& body) const {
    body(row(vertex).subspan(places.begin, places.size()));
  }

  /// Searches batches of rows for neighbours in the frontier.
  using Search = RowSearch<Neighbour>;
  /// Begins a batch whose first row is that of `vertex`.
  void start(Search& search, LocalVertex vertex) const { search.start(neighbours.data() + offsets[vertex.index()]); }
  /// Adds the neighbours at `places` of a row, at least one, to the batch. Returns false if they are too far behind the
  /// first row; then a new batch has to begin.
  bool add(Search& search, LocalVertex vertex, IndexRange places) const {
    const Neighbour* const row = neighbours.data() + offsets[vertex.index()];
    return search.add(vertex.value, row + places.begin, row + places.end);
  }

  /// First prefetch the index entry of the row, and later the row.
  [[gnu::always_inline]] void prefetch_index(LocalVertex vertex) const {
    __builtin_prefetch(offsets.data() + vertex.index());
  }
  [[gnu::always_inline]] void prefetch_row(LocalVertex vertex) const {
    prefetch_row_at(neighbours.data() + offsets[vertex.index()], degree(vertex));
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_for(offsets.size(), neighbours.size(), !weights.empty());
  }
  /// Bytes for the given numbers of offsets and entries.
  static constexpr std::uint64_t bytes_for(std::uint64_t offsets, std::uint64_t entries, bool weighted) noexcept {
    return offsets * sizeof(EdgeOffset) + entries * (sizeof(Neighbour) + (weighted ? sizeof(float) : 0));
  }
};

/// One column of the head: one neighbour of each vertex, as a global id and as a label. A vertex without this neighbour
/// has itself there, infinitely far away.
template <class Neighbour>
struct HeadColumn {
  Buffer<Neighbour> global_ids;
  Buffer<Neighbour> labels;
  Buffer<float> weights;  ///< in rows by weight only

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_for(global_ids.size(), !weights.empty()); }
  static constexpr std::uint64_t bytes_for(std::uint64_t vertices, bool weighted) noexcept {
    return vertices * (2 * sizeof(Neighbour) + (weighted ? sizeof(float) : 0));
  }
};

/// The head: the first neighbours of each vertex, stored apart in columns, one per place in the row. Most searches of a
/// row end in the head, and columns are read from front to back, including the labels of parents.
template <class Neighbour>
using Head = std::vector<HeadColumn<Neighbour>>;

/// The rows of one graph, as an Adjacency or a CompressedAdjacency for each direction. A directed graph has `out`
/// (along its edges, for push) and `in` (against them, for pull). In an undirected graph `out` serves both, and `in` is
/// empty.
template <class OneRows>
struct IndexedAdjacencies {
  using Rows = OneRows;
  using Neighbour = typename Rows::Neighbour;
  Rows out;
  Rows in;
  Head<Neighbour> head;  ///< the head of pull_rows()
  bool directed = false;

  [[nodiscard]] const Rows& push_rows() const noexcept { return out; }
  [[nodiscard]] const Rows& pull_rows() const noexcept { return directed ? in : out; }
  /// The number of entries in the rows for push.
  [[nodiscard]] std::uint64_t edges() const noexcept { return out.entries(); }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return out.degree(vertex); }
  /// The number of edges of a vertex, out-edges and in-edges together.
  [[nodiscard]] std::size_t total_degree(LocalVertex vertex) const noexcept {
    return out.degree(vertex) + (directed ? in.degree(vertex) : 0);
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes = out.bytes() + in.bytes();
    for (const HeadColumn<Neighbour>& column : head) bytes += column.bytes();
    return bytes;
  }
};
template <class Neighbour>
using Adjacencies = IndexedAdjacencies<Adjacency<Neighbour>>;

/// Whether a graph on one rank has a core of hubs: a vertex with very many edges, next to hubs with so many edges that
/// a vertex is more likely than not to have one of these hubs as a neighbour. Shortest paths then lead through these
/// few vertices, and sweeps find them sooner than buckets do (benchmarks/results/sssp.md, "Sweeps or buckets").
/// O(vertices).
template <class Neighbour>
bool has_hub_core(const Adjacency<Neighbour>& rows, ThreadTeam& threads) {
  struct Most {
    std::uint64_t degree = 0;
    LocalVertex vertex{0};
  };
  const std::size_t vertices = rows.offsets.size() - 1;
  if (rows.entries() == 0) return false;
  const auto larger = [](const Most& a, const Most& b) { return a.degree < b.degree ? b : a; };
  const auto most_in = [&](IndexRange range) {
    Most most;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const LocalVertex vertex{static_cast<std::uint32_t>(i)};
      most = larger(most, {rows.degree(vertex), vertex});
    }
    return most;
  };
  const std::uint64_t many = 8 * rows.entries() / vertices;
  const Most most = parallel_reduce(threads, vertices, std::size_t{1} << 14, Most{}, most_in, larger);
  if (most.degree <= 4 * many) return false;
  const auto beside = rows.row(most.vertex);
  const std::uint64_t edges = parallel_sum(threads, beside.size(), std::size_t{1} << 14, [&](std::size_t i) {
    const std::uint64_t degree = rows.degree(LocalVertex{static_cast<std::uint32_t>(beside[i])});
    return degree > many ? degree : 0;
  });
  return most.degree + edges > vertices / 4 * 3;
}

// Finding rows, for loops that visit vertices in any order.

/// Finds rows by their index. Prefetches are always inlined: g++ drops calls that do nothing but prefetch.
template <class Rows>
class RowFinder {
 public:
  using Neighbour = typename Rows::Neighbour;
  /// A row that was found.
  struct Row {
    LocalVertex vertex{};
    std::size_t count = 0;
    [[nodiscard]] std::size_t size() const noexcept { return count; }
  };

  /// The rows outlive it.
  explicit RowFinder(const Rows& rows) : rows_(rows) {}

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  /// Prefetches what find() reads.
  [[gnu::always_inline]] void prefetch_index(LocalVertex vertex) const { rows_.prefetch_index(vertex); }
  /// Prefetches the row itself.
  [[gnu::always_inline]] void prefetch(const Row& row) const { rows_.prefetch_row(row.vertex); }
  [[nodiscard]] Row find(LocalVertex vertex) const { return {vertex, rows_.degree(vertex)}; }
  /// Calls body(global_ids) for a row in one or several parts.
  template <class Body>
  void for_each_span(const Row& row, Body&& body) const {
    rows_.for_each_span(row.vertex, {0, row.count}, body);
  }

 private:
  const Rows& rows_;
};

/// Finds short rows from the vertex alone, without the index. In the order of degrees, vertices with the same number of
/// neighbours are consecutive, and so are their rows. For each vertex of a road network the index would be one more
/// memory access, beside row, label, visited bit and parent, and the row would wait for it (benchmarks/results/bfs.md,
/// "Rows without an index").
template <class OneNeighbour>
class RowFinder<Adjacency<OneNeighbour>> {
 public:
  using Neighbour = OneNeighbour;
  using Row = std::span<const Neighbour>;

  /// O(vertices with short rows). The rows outlive it.
  explicit RowFinder(const Adjacency<Neighbour>& rows) : rows_(rows) {
    if (rows.offsets.empty()) return;
    std::size_t first = rows.offsets.size() - 1;
    for (std::size_t size = 1; size <= longest; ++size) {
      while (first > 0 && rows.offsets[first] - rows.offsets[first - 1] == size) --first;
      first_[size - 1] = static_cast<std::uint32_t>(first);
      start_[size - 1] = rows.offsets[first];
    }
  }

  [[nodiscard]] const Adjacency<Neighbour>& rows() const noexcept { return rows_; }
  [[gnu::always_inline]] void prefetch_index(LocalVertex vertex) const {
    if (!is_short(vertex)) rows_.prefetch_index(vertex);
  }
  [[gnu::always_inline]] void prefetch(Row row) const { prefetch_row_at(row.data(), row.size()); }
  /// The range of a row in `neighbours`, which is also the range of its weights in `weights`.
  [[gnu::always_inline, nodiscard]] IndexRange edges(LocalVertex vertex) const {
    if (!is_short(vertex)) return {rows_.offsets[vertex.index()], rows_.offsets[vertex.index() + 1]};
    std::size_t longer = 0;
    for (std::size_t i = 0; i + 1 < longest; ++i) longer += vertex.value < first_[i] ? 1U : 0U;
    const std::size_t size = longer + 1;
    const std::size_t begin = start_[longer] + std::size_t{vertex.value - first_[longer]} * size;
    return {begin, begin + size};
  }
  [[gnu::always_inline, nodiscard]] Row find(LocalVertex vertex) const {
    const IndexRange at = edges(vertex);
    return {rows_.neighbours.data() + at.begin, at.size()};
  }
  template <class Body>
  [[gnu::always_inline]] void for_each_span(Row row, Body&& body) const {
    body(row);
  }

 private:
  static constexpr std::size_t longest = 8;  ///< the longest rows that are found without the index

  [[gnu::always_inline, nodiscard]] bool is_short(LocalVertex vertex) const { return vertex.value >= first_.back(); }

  const Adjacency<Neighbour>& rows_;
  /// For each row size from 1 on, counted from the last vertex: the first vertex with a row of this size, and where its
  /// row starts. A vertex with a row of another size among them ends the part that is found without the index.
  std::array<std::uint32_t, longest> first_{};
  std::array<std::uint64_t, longest> start_{};
};

}  // namespace breadth
