// Distributes entries over many buckets at the speed of memory.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/build/streamed_copy.hpp"

namespace breadth {

/// Rows of a bucket are named by this: its first row is 0.
using BucketRow = std::uint16_t;
inline constexpr int bucket_row_bits = 16;

/// Instead of the row of an entry whose column is a key of row and column (NarrowEntry).
struct RowInColumn {};
template <class Row>
inline constexpr bool row_beside_column = !std::is_empty_v<Row>;
template <class Row>
inline constexpr std::size_t row_bytes = row_beside_column<Row> ? sizeof(Row) : 0;

/// Entries, each a place in three arrays; `rows` is empty where columns are keys, `weights` without weights.
template <class Neighbour, class Row = BucketRow>
struct EntrySpans {
  std::span<Neighbour> columns;
  std::span<Row> rows;
  std::span<float> weights;

  [[nodiscard]] EntrySpans subspan(std::size_t first, std::size_t count) const {
    return {columns.subspan(first, count), rows.empty() ? rows : rows.subspan(first, count),
            weights.empty() ? weights : weights.subspan(first, count)};
  }
};

/// A bucket's next entries: a line of the narrowest array.
template <class Neighbour, class Row>
struct alignas(64) EntryLine {
  static constexpr std::size_t entries = 64 / sizeof(Row);
  Neighbour columns[entries];
  Row rows[entries];
};
template <class Neighbour>
struct alignas(64) EntryLine<Neighbour, RowInColumn> {
  static constexpr std::size_t entries = 64 / sizeof(std::uint32_t);
  Neighbour columns[entries];
};

/// One thread's pen on many buckets. A bucket's next entries collect in lines that stay in the cache and leave it
/// together, past the cache: memory is written once, in whole lines, and never read (software write combining, as in
/// Balkesen et al. 2013, section 4.2). A bucket that gets more entries than were counted for it writes none beyond its
/// place.
template <class Neighbour, class Row = BucketRow>
class BucketWriter {
 public:
  /// Bucket b's entries go to the places `places[b]` of `to`. The arrays of `to` begin at multiples of 64 bytes.
  BucketWriter(std::vector<IndexRange> places, EntrySpans<Neighbour, Row> to)
      : places_(std::move(places)),
        next_(places_.size()),
        to_(to),
        lines_(places_.size()),
        weights_(to.weights.empty() ? 0 : places_.size() * line) {
    std::transform(places_.begin(), places_.end(), next_.begin(), [](const IndexRange& range) { return range.begin; });
  }

  /// Appends an entry to a bucket, or does as if, in the same time, unless `keep`.
  void append(std::size_t bucket, Neighbour column, Row row, float weight, bool keep) {
    const std::size_t slot = next_[bucket] % line;
    lines_[bucket].columns[slot] = column;
    if constexpr (row_beside_column<Row>) lines_[bucket].rows[slot] = row;
    if (!weights_.empty()) weights_[bucket * line + slot] = weight;
    next_[bucket] += static_cast<std::size_t>(keep);
    if (slot == line - 1 && keep) write_line(bucket);
  }

  /// Writes what is left in the cache; the last call. Returns whether each bucket got as many entries as it has places:
  /// otherwise what is in them is of no use.
  [[nodiscard]] bool finish() {
    bool exact = true;
    for (std::size_t bucket = 0; bucket < places_.size(); ++bucket) {
      exact = exact && next_[bucket] == places_[bucket].end;
      if (next_[bucket] % line != 0) write_part(bucket, next_[bucket] / line * line);
    }
    hwy::FlushStream();
    return exact;
  }

 private:
  using Line = EntryLine<Neighbour, Row>;
  static constexpr std::size_t line = Line::entries;

  void write_line(std::size_t bucket) {
    const std::size_t first = next_[bucket] - line;
    if (first < places_[bucket].begin || next_[bucket] > places_[bucket].end) {
      write_part(bucket, first);
      return;
    }
    copy_streamed(lines_[bucket].columns, to_.columns.data() + first, sizeof(Line::columns));
    if constexpr (row_beside_column<Row>) {
      copy_streamed(lines_[bucket].rows, to_.rows.data() + first, sizeof(Line::rows));
    }
    if (!weights_.empty()) copy_streamed(&weights_[bucket * line], to_.weights.data() + first, line * sizeof(float));
  }

  /// The entries of a line that belong to this bucket: its first or last line may be another's too.
  void write_part(std::size_t bucket, std::size_t line_start) {
    const auto [begin, end] = places_[bucket];
    for (std::size_t i = std::max(line_start, begin); i < std::min(next_[bucket], end); ++i) {
      to_.columns[i] = lines_[bucket].columns[i - line_start];
      if constexpr (row_beside_column<Row>) to_.rows[i] = lines_[bucket].rows[i - line_start];
      if (!weights_.empty()) to_.weights[i] = weights_[bucket * line + i - line_start];
    }
  }

  std::vector<IndexRange> places_;
  std::vector<std::size_t> next_;
  EntrySpans<Neighbour, Row> to_;
  Buffer<Line> lines_;     // the one that each bucket's next entry is in
  Buffer<float> weights_;  // beside lines_
};

/// Finishes each thread's writer. Throws Error where a bucket got other entries of a list than were counted.
template <class Writer>
void finish_all(std::vector<Writer>& writers, const EdgeList& list, ThreadTeam& threads) {
  std::atomic<bool> exact{true};
  threads.run([&](int thread) {
    if (!writers[static_cast<std::size_t>(thread)].finish()) exact = false;
  });
  if (!exact) list.report_change();
}

}  // namespace breadth
