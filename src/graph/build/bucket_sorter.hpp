// Turns one bucket's entries, in any order, into rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/block_distribution.hpp"
#include "core/ids.hpp"
#include "graph/build/bucket_writer.hpp"
#include "graph/build/entry.hpp"
#include "graph/build/key_sort.hpp"
#include "graph/build/rows_by_label.hpp"

namespace breadth {

// How kernel 1 cuts the labels of all ranks into buckets.

/// Entries that a bucket holds on average: few buckets are filled quickly, small ones are sorted quickly. Those with
/// rows beside their columns are dealt out once more before they are sorted.
template <class Row>
inline constexpr std::uint64_t entries_per_bucket = std::uint64_t{1} << (row_beside_column<Row> ? 17 : 16);
/// Buckets of all ranks together, unless their rows need more: each has a line in every thread's cache.
inline constexpr std::uint64_t most_buckets = std::uint64_t{1} << 12;

/// Which bucket of which rank a row belongs to, for every label of the graph.
class BucketMap {
 public:
  /// `wanted` buckets a rank or less, more only where they would have more than 2^row_bits rows.
  BucketMap(const BlockDistribution& distribution, std::uint64_t wanted, int row_bits) : distribution_(&distribution) {
    const auto ranks = static_cast<std::uint64_t>(distribution.ranks());
    wanted = std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(most_buckets / ranks, 1));
    while (shift_ < row_bits && ((distribution.block() - 1) >> shift_) + 1 > wanted) ++shift_;
    per_rank_ = static_cast<std::size_t>(((distribution.block() - 1) >> shift_) + 1);
  }

  [[nodiscard]] std::size_t per_rank() const { return per_rank_; }
  [[nodiscard]] std::size_t total() const { return per_rank_ * static_cast<std::size_t>(distribution_->ranks()); }
  [[nodiscard]] std::size_t rows_per_bucket() const { return std::size_t{1} << shift_; }
  /// The rank, the bucket there, and the row in the bucket.
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

/// The bits that the row of an entry may have.
template <class Entry, class Row>
int row_bits(const BlockDistribution& distribution) {
  if constexpr (row_beside_column<Row>) return bucket_row_bits;
  const std::uint64_t bound = Entry(distribution.vertex_count()).row_bound();
  return std::min(static_cast<int>(std::bit_width(bound)) - 1, bucket_row_bits);
}

/// Whether buckets of rows that the keys of entries can tell apart are not too many.
template <class Entry>
bool rows_fit_keys(const BlockDistribution& distribution) {
  return distribution.vertex_count() <= most_buckets << row_bits<Entry, RowInColumn>(distribution);
}

/// Writes sorted entries to `rows`, their neighbours from place `written` on, which may be where the keys are: they are
/// read before. Of equal edges the lightest stays. Row 0 of the keys is first_row. Returns where the next ones go.
template <class Neighbour, class Entry>
std::size_t write_sorted_rows(std::span<const typename Entry::Key> keys, const Entry& code, std::size_t first_row,
                              std::size_t written, RowsByLabel<Neighbour>& rows) {
  for (std::size_t i = 0; i < keys.size();) {
    const std::uint32_t row = code.row(keys[i]);
    const std::size_t row_start = written;
    do {
      const auto key = keys[i];
      rows.neighbours[written] = static_cast<Neighbour>(code.column(key));
      if constexpr (Entry::has_weight) {
        if (!rows.weights.empty()) rows.weights[written] = code.weight(key);
      }
      ++written;
      for (++i; i < keys.size() && Entry::same_edge(key, keys[i]);) ++i;
    } while (i < keys.size() && code.row(keys[i]) == row);
    rows.degrees[first_row + row] = static_cast<std::uint32_t>(written - row_start);
  }
  return written;
}

/// One thread's tools to sort buckets of entries whose columns are keys of row and column: they are sorted where their
/// rows will be.
template <class Neighbour, class Entry>
class KeyBucketSorter {
 public:
  /// For columns below `column_bound`.
  explicit KeyBucketSorter(std::uint64_t column_bound) : code_(column_bound) {}

  /// Sorts the entries of all `pieces` into the bucket's place in `rows`, where they lie already if there is one piece.
  void sort(std::span<const EntrySpans<Neighbour, RowInColumn>> pieces, const Bucket& bucket,
            RowsByLabel<Neighbour>& rows) {
    Neighbour* const first = rows.neighbours.data() + bucket.first_entry;
    Neighbour* end = first;
    for (const auto& piece : pieces) {
      if (piece.columns.data() != end) std::copy(piece.columns.begin(), piece.columns.end(), end);
      end += piece.columns.size();
    }
    write_sorted_rows(sorter_.sorted(std::span(first, end)), code_, bucket.first_row, bucket.first_entry, rows);
  }

 private:
  Entry code_;
  KeySorter<Neighbour> sorter_;
};

/// One thread's tools to sort buckets. A bucket is first dealt out to groups of rows, few enough for an Entry to tell
/// apart and for a sort that hardly leaves the registers.
template <class Neighbour, class Entry>
class BucketSorter {
 public:
  /// For columns below `column_bound`.
  explicit BucketSorter(std::uint64_t column_bound) : code_(column_bound) {}

  /// Sorts the entries of all `pieces` into the bucket's place in `rows`, which a piece may be: they are read before.
  /// Of equal edges the lightest stays.
  void sort(std::span<const EntrySpans<Neighbour>> pieces, const Bucket& bucket, RowsByLabel<Neighbour>& rows) {
    if (bucket.row_count == 0) return;
    const int group_bits = deal_out(pieces, bucket.row_count);
    std::size_t written = bucket.first_entry;
    std::size_t begin = 0;
    for (std::size_t group = 0; group + 1 < group_ends_.size(); ++group) {
      const auto keys = sorter_.sorted(std::span(keys_).subspan(begin, group_ends_[group] - begin));
      written = write_sorted_rows(keys, code_, bucket.first_row + (group << group_bits), written, rows);
      begin = group_ends_[group];
    }
  }

 private:
  using Key = typename Entry::Key;
  static constexpr std::uint64_t entries_per_group = std::uint64_t{1} << 12;

  /// The binary logarithm of how many of a bucket's rows are a group.
  [[nodiscard]] int choose_group_bits(std::size_t entries, std::size_t row_count) const {
    const std::uint64_t some = std::max<std::uint64_t>(entries_per_group * row_count / (entries + 1), 1);
    return static_cast<int>(std::bit_width(std::min({code_.row_bound(), some, std::bit_ceil(row_count)}))) - 1;
  }

  /// Fills keys_, group by group; returns the binary logarithm of how many rows these have.
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
  std::vector<std::size_t> group_ends_;
  std::vector<Key> keys_;
};

/// What sorts buckets whose entries have such rows: BucketRow, or RowInColumn.
template <class Neighbour, class Entry, class Row>
using BucketSorterOf =
    std::conditional_t<row_beside_column<Row>, BucketSorter<Neighbour, Entry>, KeyBucketSorter<Neighbour, Entry>>;

}  // namespace breadth
