#include "graph/bucket_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
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

/// Fills buckets of these sizes, one after the other, in a random order, and looks whether each has its own in order.
template <class Neighbour>
void expect_in_order(const std::vector<std::size_t>& sizes, bool weighted) {
  std::vector<std::size_t> starts;
  std::vector<std::size_t> order;  // the bucket of each entry; sizes.size() for one that is not kept
  std::size_t total = 0;
  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) {
    starts.push_back(total);
    total += sizes[bucket];
    order.insert(order.end(), sizes[bucket], bucket);
  }
  starts.push_back(total);
  order.insert(order.end(), total / 3 + 1, sizes.size());
  std::mt19937_64 random(total);
  std::shuffle(order.begin(), order.end(), random);

  Buffer<Neighbour> columns(total);
  Buffer<BucketRow> rows(total);
  Buffer<float> weights(weighted ? total : 0);
  BucketWriter<Neighbour> writer(starts, {columns.span(), rows.span(), weights.span()});
  std::vector<std::vector<Entry<Neighbour>>> expected(sizes.size());
  for (const std::size_t bucket : order) {
    const Entry<Neighbour> entry{static_cast<Neighbour>(random()), static_cast<BucketRow>(random()),
                                 static_cast<float>(random() % 1000)};
    writer.append(bucket, entry.column, entry.row, entry.weight, bucket < sizes.size());
    if (bucket < sizes.size()) expected[bucket].push_back(entry);
  }
  writer.finish();

  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) {
    for (std::size_t i = 0; i < sizes[bucket]; ++i) {
      const std::size_t at = starts[bucket] + i;
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

/// Entries that are keys have no row beside them; lines are shorter.
TEST(BucketWriter, KeepsEachBucketsKeysInOrder) {
  const std::vector<std::size_t> sizes = {0, 1, 15, 16, 17, 31, 32, 33, 100, 0, 64, 1};
  std::vector<std::size_t> starts;
  std::vector<std::size_t> order;
  std::size_t total = 0;
  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) {
    starts.push_back(total);
    total += sizes[bucket];
    order.insert(order.end(), sizes[bucket], bucket);
  }
  std::mt19937_64 random(5);
  std::shuffle(order.begin(), order.end(), random);
  Buffer<std::uint32_t> keys(total);
  BucketWriter<std::uint32_t, RowInColumn> writer(starts, {keys.span(), {}, {}});
  std::vector<std::uint32_t> expected(total);
  std::vector<std::size_t> next = starts;
  for (const std::size_t bucket : order) {
    const auto key = static_cast<std::uint32_t>(random());
    writer.append(bucket, key, {}, 0, true);
    expected[next[bucket]++] = key;
  }
  writer.finish();
  EXPECT_TRUE(std::equal(keys.begin(), keys.end(), expected.begin(), expected.end()));
}

/// Two threads' buckets may share a line: neither writes what is the other's.
TEST(BucketWriter, LeavesOtherEntriesAlone) {
  Buffer<std::uint32_t> columns(128);
  Buffer<BucketRow> rows(128);
  std::fill(columns.begin(), columns.end(), 7U);
  std::fill(rows.begin(), rows.end(), BucketRow{7});
  BucketWriter<std::uint32_t> writer({10}, {columns.span(), rows.span(), {}});
  for (std::uint32_t i = 0; i < 100; ++i) writer.append(0, 1000 + i, static_cast<BucketRow>(i), 0, true);
  writer.finish();
  for (std::uint32_t i = 0; i < 128; ++i) {
    const bool inside = i >= 10 && i < 110;
    EXPECT_EQ(columns[i], inside ? 990 + i : 7);
    EXPECT_EQ(rows[i], inside ? i - 10 : 7);
  }
}

}  // namespace
}  // namespace breadth
