#include "graph/build/row_buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace breadth {
namespace {

template <class Neighbour>
struct Entry {
  Neighbour column;
  BucketRow row;
  float weight;
  bool operator==(const Entry&) const = default;
};

/// The places of buckets of these sizes, one after the other.
std::vector<IndexRange> one_after_the_other(const std::vector<std::size_t>& sizes) {
  std::vector<IndexRange> places;
  std::size_t next = 0;
  for (const std::size_t size : sizes) {
    places.push_back({next, next + size});
    next += size;
  }
  return places;
}

/// Fills adjacent buckets of these sizes in a random order, and checks that each has its own entries in order.
template <class Neighbour>
void expect_in_order(const std::vector<std::size_t>& sizes, bool weighted) {
  std::vector<IndexRange> places = one_after_the_other(sizes);
  const std::size_t total = places.empty() ? 0 : places.back().end;
  std::vector<std::size_t> order;  // the bucket of each entry; sizes.size() for one that is not kept
  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) order.insert(order.end(), sizes[bucket], bucket);
  places.push_back({total, total});
  order.insert(order.end(), total / 3 + 1, sizes.size());
  std::mt19937_64 random(total);
  std::shuffle(order.begin(), order.end(), random);

  Buffer<Neighbour> columns(total);
  Buffer<BucketRow> rows(total);
  Buffer<float> weights(weighted ? total : 0);
  BucketWriter<Neighbour> writer(places, {columns.span(), rows.span(), weights.span()});
  std::vector<std::vector<Entry<Neighbour>>> expected(sizes.size());
  for (const std::size_t bucket : order) {
    const Entry<Neighbour> entry{static_cast<Neighbour>(random()), static_cast<BucketRow>(random()),
                                 static_cast<float>(random() % 1000)};
    writer.append(bucket, entry.column, entry.row, entry.weight, bucket < sizes.size());
    if (bucket < sizes.size()) expected[bucket].push_back(entry);
  }
  EXPECT_TRUE(writer.finish());

  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) {
    for (std::size_t i = 0; i < sizes[bucket]; ++i) {
      const std::size_t at = places[bucket].begin + i;
      const Entry<Neighbour> written{columns[at], rows[at], weighted ? weights[at] : expected[bucket][i].weight};
      EXPECT_EQ(written, expected[bucket][i]) << "entry " << i << " of bucket " << bucket;
    }
  }
}

TEST(BucketWriter, KeepsEachBucketsEntriesInOrder) {
  const std::vector<std::vector<std::size_t>> all_sizes{
      {}, {0}, {1}, {31}, {32}, {33}, {0, 7, 0, 0, 90, 1, 32, 64, 31, 500}, std::vector<std::size_t>(300, 41)};
  for (const auto& sizes : all_sizes) {
    for (const bool weighted : {false, true}) {
      expect_in_order<std::uint32_t>(sizes, weighted);
      expect_in_order<std::uint64_t>(sizes, weighted);
    }
  }
}

/// Entries that are keys have no row beside them, so cache lines hold more of them.
TEST(BucketWriter, KeepsEachBucketsKeysInOrder) {
  const std::vector<std::size_t> sizes = {0, 1, 15, 16, 17, 31, 32, 33, 100, 0, 64, 1};
  const std::vector<IndexRange> places = one_after_the_other(sizes);
  const std::size_t total = places.back().end;
  std::vector<std::size_t> order;
  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) order.insert(order.end(), sizes[bucket], bucket);
  std::mt19937_64 random(5);
  std::shuffle(order.begin(), order.end(), random);
  Buffer<std::uint32_t> keys(total);
  BucketWriter<std::uint32_t, RowInColumn> writer(places, {keys.span(), {}, {}});
  std::vector<std::uint32_t> expected(total);
  std::vector<std::size_t> next;
  for (const IndexRange& range : places) next.push_back(range.begin);
  for (const std::size_t bucket : order) {
    const auto key = static_cast<std::uint32_t>(random());
    writer.append(bucket, key, {}, 0, true);
    expected[next[bucket]++] = key;
  }
  EXPECT_TRUE(writer.finish());
  EXPECT_TRUE(std::equal(keys.begin(), keys.end(), expected.begin(), expected.end()));
}

/// Buckets of two threads may share a cache line. Neither thread may overwrite the other's entries.
TEST(BucketWriter, LeavesOtherEntriesAlone) {
  Buffer<std::uint32_t> columns(128);
  Buffer<BucketRow> rows(128);
  std::fill(columns.begin(), columns.end(), 7U);
  std::fill(rows.begin(), rows.end(), BucketRow{7});
  BucketWriter<std::uint32_t> writer({{10, 110}}, {columns.span(), rows.span(), {}});
  for (std::uint32_t i = 0; i < 100; ++i) writer.append(0, 1000 + i, static_cast<BucketRow>(i), 0, true);
  EXPECT_TRUE(writer.finish());
  for (std::uint32_t i = 0; i < 128; ++i) {
    const bool inside = i >= 10 && i < 110;
    EXPECT_EQ(columns[i], inside ? 990 + i : 7);
    EXPECT_EQ(rows[i], inside ? i - 10 : 7);
  }
}

/// Appends `given` entries to the middle one of three buckets, which has room for `size` from place `begin` on. Checks
/// that the other buckets stay as they are, and that finish() reports whether the number was right.
template <class Neighbour, class Row>
void expect_within_place(std::size_t begin, std::size_t size, std::size_t given) {
  SCOPED_TRACE(std::to_string(given) + " entries for the " + std::to_string(size) + " places from " +
               std::to_string(begin) + " on");
  const std::size_t end = begin + size;
  const std::size_t total = end + 40;
  Buffer<Neighbour> columns(total);
  Buffer<Row> rows(row_beside_column<Row> ? total : 0);
  Buffer<float> weights(total);
  std::fill(columns.begin(), columns.end(), Neighbour{7});
  std::fill(weights.begin(), weights.end(), 7.0F);
  BucketWriter<Neighbour, Row> writer({{begin, begin}, {begin, end}, {end, end}},
                                      {columns.span(), rows.span(), weights.span()});
  for (std::size_t i = 0; i < given; ++i) writer.append(1, static_cast<Neighbour>(1000 + i), Row{}, 1, true);
  EXPECT_EQ(writer.finish(), given == size);
  for (std::size_t i = 0; i < total; ++i) {
    const bool written = i >= begin && i < std::min(begin + given, end);
    EXPECT_EQ(columns[i], written ? 1000 + i - begin : 7) << i;
    EXPECT_EQ(weights[i], written ? 1 : 7) << i;
  }
}

TEST(BucketWriter, WritesNoEntryBeyondItsPlace) {
  for (const std::size_t begin : std::vector<std::size_t>{0, 10, 32, 45}) {
    for (const std::size_t size : std::vector<std::size_t>{0, 1, 20, 22, 32, 64, 75}) {
      for (const std::size_t more : std::vector<std::size_t>{1, 2, 15, 16, 31, 32, 33, 500}) {
        expect_within_place<std::uint32_t, RowInColumn>(begin, size, size + more);
        expect_within_place<std::uint64_t, BucketRow>(begin, size, size + more);
      }
      expect_within_place<std::uint32_t, BucketRow>(begin, size, size);
      expect_within_place<std::uint32_t, BucketRow>(begin, size, size / 2);
    }
  }
}

}  // namespace
}  // namespace breadth
