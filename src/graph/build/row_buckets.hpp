// Buckets of rows, as in a bucket sort (those of delta-stepping are in traverse/sssp): how entries are distributed over
// many buckets at the speed of memory, and how each bucket becomes rows.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/build/entry.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/build/streamed_copy.hpp"

namespace breadth {

// Writing.

/// The number of a row in its bucket; the first row is 0.
using BucketRow = std::uint16_t;
inline constexpr int bucket_row_bits = 16;

/// In place of BucketRow, for entries whose column is a key of row and column (NarrowEntry).
struct RowInColumn {};
template <class Row>
inline constexpr bool row_beside_column = !std::is_empty_v<Row>;
template <class Row>
inline constexpr std::size_t row_bytes = row_beside_column<Row> ? sizeof(Row) : 0;

/// Entries in three parallel arrays. `rows` is empty where columns are keys of row and column, `weights` in a graph
/// without weights.
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

/// Maps the pages of `entries`, before they are written in any order.
template <class Neighbour, class Row>
void take_pages(ThreadTeam& threads, const EntrySpans<Neighbour, Row>& entries) {
  take_pages(threads, entries.columns);
  take_pages(threads, entries.rows);
  take_pages(threads, entries.weights);
}

/// The next entries of a bucket, as many as make a cache line of the narrowest array.
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

/// One thread's writer to many buckets. The next entries of each bucket collect in lines in the cache, which are then
/// written together with stores that bypass the cache: memory is written once, in whole lines, and never read (software
/// write combining, as in Balkesen et al. 2013, section 4.2). If a bucket gets more entries than were counted, nothing
/// is written outside its place.
template <class Neighbour, class Row = BucketRow>
class BucketWriter {
 public:
  /// Bucket b's entries go to places[b] of `to`. The arrays of `to` must begin at multiples of 64 bytes.
  BucketWriter(std::vector<IndexRange> places, EntrySpans<Neighbour, Row> to)
      : places_(std::move(places)),
        next_(places_.size()),
        to_(to),
        lines_(places_.size()),
        weights_(to.weights.empty() ? 0 : places_.size() * line) {
    std::transform(places_.begin(), places_.end(), next_.begin(), [](const IndexRange& range) { return range.begin; });
  }

  /// Appends an entry to a bucket if `keep`; else does nothing visible, in the same time.
  void append(std::size_t bucket, Neighbour column, Row row, float weight, bool keep) {
    const std::size_t slot = next_[bucket] % line;
    lines_[bucket].columns[slot] = column;
    if constexpr (row_beside_column<Row>) lines_[bucket].rows[slot] = row;
    if (!weights_.empty()) weights_[bucket * line + slot] = weight;
    next_[bucket] += static_cast<std::size_t>(keep);
    if (slot == line - 1 && keep) write_line(bucket);
  }

  /// Writes the entries that are still in the cache. Must be the last call. Returns whether each bucket got exactly as
  /// many entries as it has places; if not, the contents of buckets are useless.
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

  /// Not inlined: it would take registers from the loop that appends.
  [[gnu::noinline]] void write_line(std::size_t bucket) {
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

  /// Writes the entries of a line that belong to this bucket: its first and last lines may be shared with other
  /// buckets.
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
  Buffer<Line> lines_;     // the current line of each bucket
  Buffer<float> weights_;  // beside lines_
};

/// Finishes each thread's writer. Throws Error if a bucket got a different number of entries than were counted, because
/// the list has changed.
template <class Writer>
void finish_all(std::vector<Writer>& writers, const EdgeList& list, ThreadTeam& threads) {
  std::atomic<bool> exact{true};
  threads.run([&](int thread) {
    if (!writers[static_cast<std::size_t>(thread)].finish()) exact = false;
  });
  if (!exact) list.report_change();
}

// How kernel 1 divides the labels of all ranks into buckets.

/// The average number of entries of a bucket: few buckets are filled quickly, small ones are sorted quickly. Buckets
/// with rows beside columns may be larger, because they are dealt out once more before they are sorted.
template <class Row>
inline constexpr std::uint64_t entries_per_bucket = std::uint64_t{1} << (row_beside_column<Row> ? 17 : 16);
/// The most buckets of all ranks together, unless their rows need more: each bucket has a line in every thread's cache.
inline constexpr std::uint64_t max_buckets = std::uint64_t{1} << 12;

/// Maps the label of a row to its rank, its bucket there, and its row in the bucket.
class BucketMap {
 public:
  /// Makes at most `wanted` buckets per rank, and more only if buckets would have more than 2^row_bits rows.
  BucketMap(const BlockDistribution& distribution, std::uint64_t wanted, int row_bits) : distribution_(&distribution) {
    const auto ranks = static_cast<std::uint64_t>(distribution.ranks());
    wanted = std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(max_buckets / ranks, 1));
    while (shift_ < row_bits && ((distribution.block() - 1) >> shift_) + 1 > wanted) ++shift_;
    per_rank_ = static_cast<std::size_t>(((distribution.block() - 1) >> shift_) + 1);
  }

  [[nodiscard]] std::size_t per_rank() const { return per_rank_; }
  [[nodiscard]] std::size_t total() const { return per_rank_ * static_cast<std::size_t>(distribution_->ranks()); }
  [[nodiscard]] std::size_t rows_per_bucket() const { return std::size_t{1} << shift_; }
  struct Place {
    std::size_t rank;
    std::size_t bucket;
    BucketRow row;
  };
  [[nodiscard]] Place place(Label row) const {
    const int owner = distribution_->owner(row);
    const std::size_t offset = distribution_->offset(row, owner);
    return {static_cast<std::size_t>(owner), offset >> shift_,
            static_cast<BucketRow>(offset & (rows_per_bucket() - 1))};
  }

 private:
  const BlockDistribution* distribution_;
  int shift_ = 0;
  std::size_t per_rank_ = 1;
};

/// The number of bits for the row of an entry.
template <class Entry, class Row>
int row_bits(const BlockDistribution& distribution) {
  if constexpr (row_beside_column<Row>) return bucket_row_bits;
  const std::uint64_t bound = Entry(distribution.vertex_count()).row_bound();
  return std::min(static_cast<int>(std::bit_width(bound)) - 1, bucket_row_bits);
}

/// Whether at most max_buckets buckets are needed if keys hold the row in the bucket beside the column.
template <class Entry>
bool rows_fit_keys(const BlockDistribution& distribution) {
  return distribution.vertex_count() <= max_buckets << row_bits<Entry, RowInColumn>(distribution);
}

/// Writes sorted entries to `rows`, their neighbours from place `written` on. This may overlap the keys, because they
/// are read first. Of equal edges the first, which is the lightest, is kept. Row 0 of the keys is first_row. Returns
/// the place after the last neighbour.
template <class Neighbour, class Entry>
std::size_t write_sorted_rows(std::span<const typename Entry::Key> keys, const Entry& code, std::size_t first_row,
                              std::size_t written, RowsByLabel<Neighbour>& rows) {
  for (std::size_t i = 0; i < keys.size();) {
    const std::uint32_t row = code.row(keys[i]);
    const std::size_t row_start = written;
    auto key = keys[i];
    bool is_new = true;
    do {  // without a branch on whether an edge is new, which would be unpredictable
      written += is_new ? 1U : 0U;
      rows.neighbours[written - 1] = static_cast<Neighbour>(code.column(key));
      if constexpr (Entry::has_weight) {
        if (is_new && !rows.weights.empty()) rows.weights[written - 1] = code.weight(key);
      }
      if (++i == keys.size()) break;
      is_new = !Entry::same_edge(key, keys[i]);
      key = keys[i];
    } while (code.row(key) == row);
    rows.degrees[first_row + row] = static_cast<std::uint32_t>(written - row_start);
  }
  return written;
}

/// One thread's sorter for buckets of entries whose columns are keys of row and column. Sorts them in the place of
/// their rows.
template <class Neighbour, class Entry>
class KeyBucketSorter {
 public:
  /// For columns below `column_bound`.
  explicit KeyBucketSorter(std::uint64_t column_bound) : code_(column_bound) {}

  /// Sorts the entries of all `pieces` into the bucket's place in `rows`. If there is only one piece, it is already
  /// there.
  void sort(std::span<const EntrySpans<Neighbour, RowInColumn>> pieces, const RowBucket& bucket,
            RowsByLabel<Neighbour>& rows) {
    std::size_t entries = 0;
    for (const auto& piece : pieces) entries += piece.columns.size();
    if (have_few_entries(bucket.row_count, entries)) {
      deal_out(pieces, entries, bucket.row_count);
      write_rows(bucket, rows);
      return;
    }
    Neighbour* const first = rows.neighbours.data() + bucket.first_entry;
    Neighbour* end = first;
    for (const auto& piece : pieces) {
      if (piece.columns.data() != end) std::copy(piece.columns.begin(), piece.columns.end(), end);
      end += piece.columns.size();
    }
    write_sorted_rows(sorter_.sorted(std::span(first, end)), code_, bucket.first_row, bucket.first_entry, rows);
  }

 private:
  /// Fills columns_, row by row, and row_ends_.
  void deal_out(std::span<const EntrySpans<Neighbour, RowInColumn>> pieces, std::size_t entries,
                std::size_t row_count) {
    if (columns_.size() < entries) columns_.resize(entries);
    const auto for_each_key = [&](auto&& body) {
      for (const auto& piece : pieces) std::for_each(piece.columns.begin(), piece.columns.end(), body);
    };
    deal_out_to_rows(code_, row_count, row_ends_, for_each_key, [&](std::size_t place, Neighbour key) {
      columns_[place] = static_cast<Neighbour>(code_.column(key));
    });
  }

  /// Writes the rows, keeping one of equal edges.
  void write_rows(const RowBucket& bucket, RowsByLabel<Neighbour>& rows) {
    Neighbour* next = rows.neighbours.data() + bucket.first_entry;
    Neighbour* const room_end = next + (bucket.row_count > 0 ? row_ends_.back() : 0);
    Neighbour* row = columns_.data();
    for (std::size_t i = 0; i < bucket.row_count; ++i) {
      Neighbour* const end = columns_.data() + row_ends_[i];
      Neighbour* const first = next;
      next = write_row({row, end}, next, room_end);
      rows.degrees[bucket.first_row + i] = static_cast<std::uint32_t>(next - first);
      row = end;
    }
  }

  /// Sorts a row and writes it without duplicates. Returns where the row ends. Places from there to room_end may be
  /// overwritten with anything.
  static Neighbour* write_row(std::span<Neighbour> row, Neighbour* to, const Neighbour* room_end) {
    if (row.empty()) return to;
    if (row.size() <= 4 && room_end - to >= 4) return write_small_row<4>(row.data(), row.size(), to);
    if (row.size() <= 8 && room_end - to >= 8) return write_small_row<8>(row.data(), row.size(), to);
    std::sort(row.begin(), row.end());
    return std::unique_copy(row.begin(), row.end(), to);
  }

  /// Writes a row of at most `width` entries; `to` must have room for `width`.
  template <std::size_t width>
  static Neighbour* write_small_row(const Neighbour* row, std::size_t count, Neighbour* to) {
    const std::array<Neighbour, width> sorted = sorted_few<width>(row, count);
    to[0] = sorted[0];
    std::size_t written = 1;
    for (std::size_t i = 1; i < width; ++i) {
      to[written] = sorted[i];
      written += static_cast<std::size_t>(i < count) & static_cast<std::size_t>(sorted[i] != sorted[i - 1]);
    }
    return to + written;
  }

  Entry code_;
  KeySorter<Neighbour> sorter_;
  std::vector<Neighbour> columns_;  ///< the columns of a bucket, row by row
  std::vector<std::uint32_t> row_ends_;
};

/// One thread's sorter for buckets. A bucket is first dealt out to groups of rows, few enough for an Entry to
/// distinguish and for a sort that hardly leaves the registers.
template <class Neighbour, class Entry>
class BucketSorter {
 public:
  /// For columns below `column_bound`.
  explicit BucketSorter(std::uint64_t column_bound) : code_(column_bound) {}

  /// Sorts the entries of all `pieces` into the bucket's place in `rows`, which may overlap a piece, because pieces are
  /// read first. Of equal edges the lightest is kept.
  void sort(std::span<const EntrySpans<Neighbour>> pieces, const RowBucket& bucket, RowsByLabel<Neighbour>& rows) {
    if (bucket.row_count == 0) return;
    const int group_bits = deal_out(pieces, bucket.row_count);
    std::size_t written = bucket.first_entry;
    std::size_t begin = 0;
    for (std::size_t group = 0; group + 1 < group_ends_.size(); ++group) {
      const auto unsorted = std::span(keys_).subspan(begin, group_ends_[group] - begin);
      const std::size_t row_count = std::min(std::size_t{1} << group_bits, bucket.row_count - (group << group_bits));
      const auto keys = have_few_entries(row_count, unsorted.size()) ? rows_.sorted(unsorted, code_, row_count)
                                                                     : sorter_.sorted(unsorted);
      written = write_sorted_rows(keys, code_, bucket.first_row + (group << group_bits), written, rows);
      begin = group_ends_[group];
    }
  }

 private:
  using Key = typename Entry::Key;
  static constexpr std::uint64_t entries_per_group = std::uint64_t{1} << 12;

  /// The binary logarithm of the number of rows in a group.
  [[nodiscard]] int choose_group_bits(std::size_t entries, std::size_t row_count) const {
    const std::uint64_t some = std::max<std::uint64_t>(entries_per_group * row_count / (entries + 1), 1);
    return static_cast<int>(std::bit_width(std::min({code_.row_bound(), some, std::bit_ceil(row_count)}))) - 1;
  }

  /// Fills keys_, group by group. Returns the binary logarithm of the number of rows in a group.
  int deal_out(std::span<const EntrySpans<Neighbour>> pieces, std::size_t row_count) {
    std::size_t entries = 0;
    for (const auto& piece : pieces) entries += piece.rows.size();
    const int group_bits = choose_group_bits(entries, row_count);
    const std::size_t groups = ((row_count - 1) >> group_bits) + 1;
    group_ends_.assign(groups + 1, 0);
    for (const auto& piece : pieces) {
      for (const BucketRow row : piece.rows) ++group_ends_[(std::size_t{row} >> group_bits) + 1];
    }
    for (std::size_t group = 0; group < groups; ++group) group_ends_[group + 1] += group_ends_[group];
    if (keys_.size() < group_ends_[groups]) keys_.resize(group_ends_[groups]);
    const auto row_mask = static_cast<std::uint32_t>((std::uint64_t{1} << group_bits) - 1);
    for (const auto& piece : pieces) {
      for (std::size_t i = 0; i < piece.rows.size(); ++i) {
        const std::uint32_t row = piece.rows[i];
        keys_[group_ends_[row >> group_bits]++] =
            code_.pack(row & row_mask, piece.columns[i], piece.weights.empty() ? 0 : piece.weights[i]);
      }
    }
    return group_bits;
  }

  Entry code_;
  KeySorter<Key> sorter_;
  ShortRowSorter<Entry> rows_;
  std::vector<std::size_t> group_ends_;
  std::vector<Key> keys_;
};

/// The sorter of buckets for a kind of row: BucketRow or RowInColumn.
template <class Neighbour, class Entry, class Row>
using BucketSorterOf =
    std::conditional_t<row_beside_column<Row>, BucketSorter<Neighbour, Entry>, KeyBucketSorter<Neighbour, Entry>>;

}  // namespace breadth
