// Where rows are, for walks that meet vertices anywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.hpp"
#include "graph/adjacency.hpp"

namespace breadth {

/// Finds rows by their index alone. Prefetches are not left to the compiler to inline: g++ drops calls that do nothing
/// else.
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
  /// Asks for what find() reads.
  [[gnu::always_inline]] void prefetch_index(LocalVertex vertex) const { rows_.prefetch_index(vertex); }
  /// Asks for the row itself.
  [[gnu::always_inline]] void prefetch(const Row& row) const { rows_.prefetch_row(row.vertex); }
  [[nodiscard]] Row find(LocalVertex vertex) const { return {vertex, rows_.degree(vertex)}; }
  /// Those neighbours of a row that can be read where they are: none.
  [[nodiscard]] std::span<const Neighbour> at_hand(const Row&) const { return {}; }
  /// Calls body(global_ids) for a row in one or several stretches.
  template <class Body>
  void for_each_stretch(const Row& row, Body&& body) const {
    rows_.for_each_stretch(row.vertex, {0, row.count}, body);
  }

 private:
  const Rows& rows_;
};

/// Finds short rows by the vertex alone: in the order of degrees those that have as many neighbours each stand
/// together, and so do their rows. Beside row, label, visited bit and parent the index would be one more place in
/// memory for each vertex of a road, and one that the row waits for (benchmarks/results/bfs.md, "Rows without an
/// index").
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
  [[gnu::always_inline]] void prefetch(Row row) const { __builtin_prefetch(row.data()); }
  [[gnu::always_inline, nodiscard]] Row find(LocalVertex vertex) const {
    if (!is_short(vertex)) return rows_.row(vertex);
    std::size_t longer = 0;
    for (std::size_t i = 0; i + 1 < longest; ++i) longer += vertex.value < first_[i] ? 1U : 0U;
    const std::size_t size = longer + 1;
    return {rows_.neighbours.data() + start_[longer] + std::uint64_t{vertex.value - first_[longer]} * size, size};
  }
  [[nodiscard]] Row at_hand(Row row) const { return row; }
  template <class Body>
  [[gnu::always_inline]] void for_each_stretch(Row row, Body&& body) const {
    body(row);
  }

 private:
  static constexpr std::size_t longest = 8;  ///< of the rows that are found so

  [[gnu::always_inline, nodiscard]] bool is_short(LocalVertex vertex) const { return vertex.value >= first_.back(); }

  const Adjacency<Neighbour>& rows_;
  /// Of the vertices with rows of each size from 1 on, the last ones of all: the first, and where its row starts. Those
  /// of other sizes that stand among them end what is found so.
  std::array<std::uint32_t, longest> first_{};
  std::array<std::uint64_t, longest> start_{};
};

}  // namespace breadth
