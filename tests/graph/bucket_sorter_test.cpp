#include "graph/build/row_buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace breadth {
namespace {

template <class Neighbour>
struct Entries {
  std::vector<Neighbour> columns;
  std::vector<BucketRow> rows;
  std::vector<float> weights;

  EntrySpans<Neighbour> spans() { return {columns, rows, weights}; }
};

using ExpectedRows = std::vector<std::map<std::uint64_t, float>>;  // the lightest weight of each column

/// Entries of random rows, with empty rows and duplicates. Some columns are next to the bound.
template <class Neighbour>
Entries<Neighbour> random_entries(std::size_t count, std::size_t row_count, std::uint64_t column_bound, bool weighted,
                                  std::mt19937_64& random, ExpectedRows& plain) {
  Entries<Neighbour> entries;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = random() % row_count / 2 * 2;
    const std::uint64_t near = random() % std::min<std::uint64_t>(column_bound, 50);
    const std::uint64_t column = random() % 2 == 0 ? near : column_bound - 1 - near;
    const float weight = weighted ? static_cast<float>(random() % 100) - 50 : 0;
    entries.columns.push_back(static_cast<Neighbour>(column));
    entries.rows.push_back(static_cast<BucketRow>(row));
    if (weighted) entries.weights.push_back(weight);
    const auto [place, inserted] = plain[row].try_emplace(column, weight);
    if (!inserted) place->second = std::min(place->second, weight);
  }
  return entries;
}

/// Output arrays for the rows of a bucket that is not the first.
template <class Neighbour>
RowsByLabel<Neighbour> room_for(const RowBucket& bucket, std::size_t entries) {
  RowsByLabel<Neighbour> rows;
  rows.degrees = Buffer<std::uint32_t>(bucket.first_row + bucket.row_count);
  rows.neighbours = Buffer<Neighbour>(bucket.first_entry + entries);
  return rows;
}

template <class Neighbour>
void expect_rows(const RowsByLabel<Neighbour>& rows, const RowBucket& bucket, const ExpectedRows& plain) {
  std::size_t next = bucket.first_entry;
  for (std::size_t row = 0; row < bucket.row_count; ++row) {
    ASSERT_EQ(rows.degrees[bucket.first_row + row], plain[row].size()) << "row " << row;
    for (const auto& [column, weight] : plain[row]) {
      ASSERT_EQ(rows.neighbours[next], column) << "row " << row;
      if (!rows.weights.empty()) {
        ASSERT_EQ(rows.weights[next], weight);
      }
      ++next;
    }
  }
}

template <class Neighbour, class Entry>
void expect_sorted(std::uint64_t column_bound, std::size_t row_count, std::size_t piece_entries, bool weighted) {
  SCOPED_TRACE(testing::Message() << row_count << " rows, columns below " << column_bound);
  std::mt19937_64 random(column_bound + row_count);
  ExpectedRows plain(row_count);
  std::vector<Entries<Neighbour>> entries;
  std::vector<EntrySpans<Neighbour>> pieces;
  for (int piece = 0; piece < 3; ++piece) {
    entries.push_back(random_entries<Neighbour>(piece_entries, row_count, column_bound, weighted, random, plain));
  }
  for (auto& piece : entries) pieces.push_back(piece.spans());

  const RowBucket bucket{5, row_count, 11};
  RowsByLabel<Neighbour> rows = room_for<Neighbour>(bucket, 3 * piece_entries);
  if (weighted) rows.weights = Buffer<float>(rows.neighbours.size());
  BucketSorter<Neighbour, Entry>(column_bound).sort(pieces, bucket, rows);
  expect_rows(rows, bucket, plain);
}

/// Checks the sorting of entries that are keys. They lie in `piece_count` pieces elsewhere; if it is 0, in one piece
/// where their rows will be.
void expect_keys_sorted(std::uint64_t column_bound, std::size_t row_count, std::size_t piece_count) {
  SCOPED_TRACE(testing::Message() << row_count << " rows, columns below " << column_bound << ", pieces "
                                  << piece_count);
  constexpr std::size_t piece_entries = 5000;
  std::mt19937_64 random(column_bound + row_count);
  ExpectedRows plain(row_count);
  const NarrowEntry code(column_bound);
  const RowBucket bucket{5, row_count, 11};
  auto rows = room_for<std::uint32_t>(bucket, std::max<std::size_t>(piece_count, 1) * piece_entries);
  std::vector<std::vector<std::uint32_t>> keys(std::max<std::size_t>(piece_count, 1));
  for (auto& piece : keys) {
    const auto entries = random_entries<std::uint32_t>(piece_entries, row_count, column_bound, false, random, plain);
    for (std::size_t i = 0; i < piece_entries; ++i) {
      piece.push_back(code.pack(entries.rows[i], entries.columns[i], 0));
    }
  }
  using Spans = EntrySpans<std::uint32_t, RowInColumn>;
  std::vector<Spans> pieces;
  if (piece_count == 0) {
    std::copy(keys[0].begin(), keys[0].end(), rows.neighbours.begin() + bucket.first_entry);
    pieces.push_back({rows.neighbours.span().subspan(bucket.first_entry), {}, {}});
  } else {
    for (auto& piece : keys) pieces.push_back({piece, {}, {}});
  }
  KeyBucketSorter<std::uint32_t, NarrowEntry>(column_bound).sort(pieces, bucket, rows);
  expect_rows(rows, bucket, plain);
}

TEST(BucketSorter, MakesRowsOfKeys) {
  for (const std::size_t pieces : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    expect_keys_sorted(64, 1 << 16, pieces);
    expect_keys_sorted(64, 1, pieces);
    expect_keys_sorted(std::uint64_t{1} << 22, 1 << 10, pieces);
    expect_keys_sorted((std::uint64_t{1} << 31) + 1, 1, pieces);
  }
}

TEST(BucketSorter, MakesRowsOfAllPieces) {
  constexpr std::uint64_t all_32_bits = std::uint64_t{1} << 32;
  for (const std::uint64_t column_bound : {std::uint64_t{64}, std::uint64_t{1} << 22, all_32_bits / 2, all_32_bits}) {
    for (const std::size_t row_count : {std::size_t{1}, std::size_t{64}, std::size_t{1000}, std::size_t{1} << 16}) {
      expect_sorted<std::uint32_t, NarrowEntry>(column_bound, row_count, 20000, false);
    }
  }
}

TEST(BucketSorter, KeepsTheLightestOfEqualEdges) {
  expect_sorted<std::uint32_t, WideEntry>(64, 10, 20000, true);
  expect_sorted<std::uint64_t, WideEntry>(std::uint64_t{1} << 48, 1 << 16, 20000, true);
  expect_sorted<std::uint64_t, WideEntry>(std::uint64_t{1} << 48, 1000, 20000, false);
}

TEST(BucketSorter, TakesABucketWithoutRowsOrEntries) {
  expect_sorted<std::uint32_t, NarrowEntry>(64, 64, 0, false);
  RowsByLabel<std::uint32_t> rows;
  BucketSorter<std::uint32_t, NarrowEntry>(64).sort({}, RowBucket{}, rows);
}

}  // namespace
}  // namespace breadth
