// How kernel 1 cuts the labels of all ranks into buckets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/block_distribution.hpp"
#include "core/ids.hpp"
#include "graph/build/bucket_writer.hpp"

namespace breadth {

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

}  // namespace breadth
