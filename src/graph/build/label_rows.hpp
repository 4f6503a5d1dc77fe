// Rows by label as step 6 of kernel 1 reads them, for the last time: one way for each form in which they are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel/parallel.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/forms/compressed_rows.hpp"

namespace breadth {

/// Rows that lie in one array. It goes back to the system in slabs of buckets, as they are used up.
template <class Neighbour>
class PlainLabelRows {
 public:
  /// The rows outlive it.
  explicit PlainLabelRows(RowsByLabel<Neighbour>& rows) : rows_(rows) {}

  /// The buckets from `first` on that are one slab.
  [[nodiscard]] std::size_t end_of_slab(std::size_t first) const {
    const auto& buckets = rows_.buckets;
    std::size_t last = first + 1;
    while (last < buckets.size() && buckets[last].first_entry - buckets[first].first_entry < slab_entries) ++last;
    return last;
  }

  /// One bucket's rows, from the first on, by one thread.
  class Reader {
   public:
    Reader(const PlainLabelRows& from, std::size_t bucket)
        : next_(from.rows_.neighbours.data() + from.rows_.buckets[bucket].first_entry) {}
    /// The neighbours, `count`, of the next rows; until the next call.
    const Neighbour* read(IndexRange /*rows*/, std::size_t count) { return std::exchange(next_, next_ + count); }

   private:
    const Neighbour* next_;
  };

  /// A bucket, whose reader is gone, is used up.
  void give_back_bucket(std::size_t /*bucket*/) {}
  /// All buckets of a slab are used up.
  void give_back_slab(std::size_t first, std::size_t last) {
    const auto& buckets = rows_.buckets;
    const std::size_t begin = buckets[first].first_entry;
    const std::size_t end = last < buckets.size() ? buckets[last].first_entry : rows_.neighbours.size();
    rows_.neighbours.discard(begin, end);
    if (!rows_.weights.empty()) rows_.weights.discard(begin, end);
  }

 private:
  /// Entries that are moved before their old places are given back.
  static constexpr std::size_t slab_entries = std::size_t{1} << 23;

  RowsByLabel<Neighbour>& rows_;
};

/// Rows that are compressed, each bucket's in memory of its own.
template <class Neighbour>
class CompressedLabelRows {
 public:
  explicit CompressedLabelRows(RowsByLabel<Neighbour>& rows) : rows_(rows) {}

  [[nodiscard]] std::size_t end_of_slab(std::size_t /*first*/) const { return rows_.buckets.size(); }

  class Reader {
   public:
    Reader(const CompressedLabelRows& from, std::size_t bucket)
        : degrees_(from.rows_.degrees.span()), rows_(from.rows_.compressed[bucket].span()) {}
    const Neighbour* read(IndexRange rows, std::size_t count) {
      labels_.resize(count + RowCode<Neighbour>::group - 1);
      Neighbour* next = labels_.data();
      for (const std::uint32_t degree : degrees_.subspan(rows.begin, rows.size())) {
        rows_.read(degree, next);
        next += degree;
      }
      return labels_.data();
    }

   private:
    std::span<const std::uint32_t> degrees_;
    CompressedRowsReader<Neighbour> rows_;
    std::vector<Neighbour> labels_;
  };

  void give_back_bucket(std::size_t bucket) { rows_.compressed[bucket] = {}; }
  void give_back_slab(std::size_t /*first*/, std::size_t /*last*/) {}

 private:
  RowsByLabel<Neighbour>& rows_;
};

}  // namespace breadth
