// Checks of every collective on any group of ranks: the world, a node, and a communicator that sends small pieces.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "comm/communicator.hpp"

namespace breadth::test {

/// The number of values that rank `from` has for rank `to`: none, few or many. Every rank computes the same number.
inline std::size_t uneven_count(int from, int to) {
  const std::size_t counts[] = {0, 1, 17, 0, 300, 2, 0, 64};
  return counts[static_cast<std::size_t>(3 * from + 5 * to + from * to) % std::size(counts)];
}

/// A value that encodes its sender, its receiver and its place.
inline std::uint64_t marked_value(int from, int to, std::size_t place) {
  return (static_cast<std::uint64_t>(from) << 48) | (static_cast<std::uint64_t>(to) << 32) | place;
}

inline void check_reductions(const Communicator& ranks) {
  const std::int64_t rank = ranks.rank();
  const std::int64_t size = ranks.size();
  EXPECT_EQ(ranks.all_reduce(rank - 3, Reduction::sum), size * (size - 1) / 2 - 3 * size);
  EXPECT_EQ(ranks.all_reduce(rank - 3, Reduction::minimum), -3);
  EXPECT_EQ(ranks.all_reduce(rank - 3, Reduction::maximum), size - 4);
  EXPECT_EQ(ranks.all_reduce(std::uint64_t{1} << rank, Reduction::bitwise_or), (std::uint64_t{1} << size) - 1);
  const std::uint64_t large = ~std::uint64_t{0} - static_cast<std::uint64_t>(rank);
  EXPECT_EQ(ranks.all_reduce(large, Reduction::maximum), ~std::uint64_t{0}) << "unsigned, not signed";
  EXPECT_EQ(ranks.all_reduce(0.5 * static_cast<double>(rank + 1), Reduction::maximum), 0.5 * static_cast<double>(size));
  EXPECT_EQ(ranks.all_reduce(std::uint8_t{200}, Reduction::minimum), 200);

  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    std::vector<std::uint64_t> sums(count);
    std::vector<std::uint8_t> bits(count);
    for (std::size_t i = 0; i < count; ++i) {
      sums[i] = i * static_cast<std::uint64_t>(rank + 1);
      bits[i] = static_cast<std::uint8_t>(1U << ((i + static_cast<std::size_t>(rank)) % 8));
    }
    ranks.all_reduce(std::span(sums), Reduction::sum);
    ranks.all_reduce(std::span(bits), Reduction::bitwise_or);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(sums[i], i * static_cast<std::uint64_t>(size * (size + 1) / 2));
      unsigned expected = 0;
      for (std::size_t r = 0; r < static_cast<std::size_t>(size); ++r) expected |= 1U << ((i + r) % 8);
      ASSERT_EQ(bits[i], expected);
    }
  }
}

/// Parts are uneven and some are empty; in the last round all are empty.
template <class Value>
void check_reduce_scatters(const Communicator& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto rank = static_cast<std::size_t>(ranks.rank());
  for (int shift = 0; shift < 4; ++shift) {
    std::vector<std::size_t> counts;
    for (int r = 0; r < ranks.size(); ++r) counts.push_back(shift == 3 ? 0 : uneven_count(r, shift));
    const std::size_t before = std::accumulate(counts.begin(), counts.begin() + ranks.rank(), std::size_t{0});
    std::vector<Value> values(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    for (std::size_t i = 0; i < values.size(); ++i) {  // large numbers; for each i another rank has the least one
      values[i] = static_cast<Value>(~Value{0} - 1000 * ((i + rank) % size) - i);
    }
    std::vector<Value> mine(counts[rank], 7);
    ranks.reduce_scatter(std::span<const Value>(values), std::span(mine), counts, Reduction::minimum);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      ASSERT_EQ(mine[i], static_cast<Value>(~Value{0} - 1000 * (size - 1) - (before + i)));
    }
    ranks.reduce_scatter(std::span<const Value>(values), std::span(mine), counts, Reduction::maximum);
    for (std::size_t i = 0; i < mine.size(); ++i) ASSERT_EQ(mine[i], static_cast<Value>(~Value{0} - (before + i)));
  }
}

/// Other collectives may run while a union is pending, and the object can be used again and again.
inline void check_pending_unions(const Communicator& ranks) {
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const auto size = static_cast<std::size_t>(ranks.size());
  NonblockingOr pending(ranks);
  for (const std::size_t count : {std::size_t{1}, std::size_t{0}, std::size_t{1000}, std::size_t{9}}) {
    std::vector<std::uint64_t> words(count);
    for (std::size_t i = 0; i < count; ++i) words[i] = std::uint64_t{1} << ((i + rank) % 64);
    const std::vector<std::uint64_t> mine = words;
    pending.start(words);
    EXPECT_EQ(words, mine);
    EXPECT_EQ(ranks.all_reduce(std::uint64_t{1}, Reduction::sum), size);
    ranks.barrier();
    pending.finish();
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t expected = 0;
      for (std::size_t r = 0; r < size; ++r) expected |= std::uint64_t{1} << ((i + r) % 64);
      ASSERT_EQ(words[i], expected);
    }
  }
}

inline void check_broadcasts(const Communicator& ranks) {
  for (int root = 0; root < ranks.size(); ++root) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{12345}}) {
      std::vector<std::uint16_t> values(count);
      if (ranks.rank() == root) std::iota(values.begin(), values.end(), static_cast<std::uint16_t>(root));
      std::vector<std::uint16_t> expected(count);
      std::iota(expected.begin(), expected.end(), static_cast<std::uint16_t>(root));
      ranks.broadcast(std::span(values), root);
      ASSERT_EQ(values, expected);
    }
    const std::string text(static_cast<std::size_t>(100 * root), 'x');
    EXPECT_EQ(ranks.broadcast(ranks.rank() == root ? text : "what I had", root), text);
  }
}

inline void check_all_gathers(const Communicator& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  const std::vector<int> all_ranks = ranks.all_gather(ranks.rank());
  for (std::size_t r = 0; r < size; ++r) EXPECT_EQ(all_ranks[r], static_cast<int>(r));

  for (int shift = 0; shift < 4; ++shift) {  // with each shift, other ranks have none, few or many values
    std::vector<std::uint64_t> mine(uneven_count(ranks.rank(), shift));
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = marked_value(ranks.rank(), shift, i);
    std::vector<std::uint64_t> expected;
    std::vector<std::size_t> counts;
    std::vector<std::size_t> displacements;
    for (int r = 0; r < ranks.size(); ++r) {
      counts.push_back(uneven_count(r, shift));
      displacements.push_back(expected.size() + 10 * displacements.size() + 5);
      for (std::size_t i = 0; i < counts.back(); ++i) expected.push_back(marked_value(r, shift, i));
    }
    EXPECT_EQ(ranks.all_gather_varying(std::span<const std::uint64_t>(mine)), expected);
    std::vector<std::uint64_t> all(expected.size());
    ranks.all_gather(std::span<const std::uint64_t>(mine), std::span(all), counts);
    EXPECT_EQ(all, expected);

    // With gaps: values between the places must stay unchanged.
    std::vector<std::uint64_t> spread(expected.size() + 10 * size + 5, 99);
    std::vector<std::uint64_t> expected_spread(spread);
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t i = 0; i < counts[r]; ++i) {
        expected_spread[displacements[r] + i] = marked_value(static_cast<int>(r), shift, i);
      }
    }
    std::vector<std::uint64_t> in_place(spread);
    ranks.all_gather(std::span<const std::uint64_t>(mine), std::span(spread), counts, displacements);
    EXPECT_EQ(spread, expected_spread);
    const std::span own =
        std::span(in_place).subspan(displacements[static_cast<std::size_t>(ranks.rank())], mine.size());
    std::copy(mine.begin(), mine.end(), own.begin());
    ranks.all_gather(std::span<const std::uint64_t>(own), std::span(in_place), counts, displacements);
    EXPECT_EQ(in_place, expected_spread);

    // To one rank only; the arrays of the other ranks must stay unchanged.
    const int root = shift % ranks.size();
    std::vector<std::uint64_t> gathered(expected_spread.size(), 99);
    const std::vector<std::uint64_t> untouched(gathered);
    ranks.gather(std::span<const std::uint64_t>(mine), std::span(gathered), counts, displacements, root);
    EXPECT_EQ(gathered, ranks.rank() == root ? expected_spread : untouched);
    ranks.gather(std::span<const std::uint64_t>(own), std::span(in_place), counts, displacements, root);
    EXPECT_EQ(in_place, expected_spread) << "this rank's part is already in place";
  }
}

inline void check_all_to_alls(const Communicator& ranks) {
  for (int round = 0; round < 5; ++round) {  // back to back: a round must not receive values of another round
    std::vector<std::uint64_t> send;
    std::vector<std::uint64_t> expected;
    std::vector<std::size_t> send_counts;
    std::vector<std::size_t> expected_counts;
    for (int other = 0; other < ranks.size(); ++other) {
      send_counts.push_back(uneven_count(ranks.rank() + round, other));
      expected_counts.push_back(uneven_count(other + round, ranks.rank()));
      for (std::size_t i = 0; i < send_counts.back(); ++i)
        send.push_back(marked_value(ranks.rank(), other + 16 * round, i));
      for (std::size_t i = 0; i < expected_counts.back(); ++i) {
        expected.push_back(marked_value(other, ranks.rank() + 16 * round, i));
      }
    }
    EXPECT_EQ(ranks.exchange_counts(send_counts), expected_counts);
    const auto [values, counts] = ranks.all_to_all(std::span<const std::uint64_t>(send), send_counts);
    EXPECT_EQ(values, expected);
    EXPECT_EQ(counts, expected_counts);
    std::vector<std::uint64_t> received(expected.size());
    ranks.all_to_all(std::span<const std::uint64_t>(send), send_counts, std::span(received), expected_counts);
    EXPECT_EQ(received, expected);
  }
}

inline void check_all_collectives(const Communicator& ranks) {
  check_reductions(ranks);
  check_reduce_scatters<std::uint32_t>(ranks);
  check_reduce_scatters<std::uint64_t>(ranks);
  check_pending_unions(ranks);
  check_broadcasts(ranks);
  check_all_gathers(ranks);
  check_all_to_alls(ranks);
  ranks.barrier();
}

}  // namespace breadth::test
