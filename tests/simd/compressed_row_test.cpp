// Compressed rows compared with the rows that they encode, on every instruction set.
#include "simd/compressed_row.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <limits>
#include <map>
#include <new>
#include <random>
#include <vector>

#include "core/data/bitmap.hpp"
#include "support/instruction_sets.hpp"
#ifdef BREADTH_TEST_STREAMVBYTE
#include <streamvbytedelta.h>
#endif

namespace breadth {
namespace {

class CompressedRowTest : public test::InstructionSetTest {
 protected:
  std::mt19937_64 random_{11};

  /// Increasing numbers with steps of many widths; the first number may be 0.
  template <class Number>
  std::vector<Number> rising(std::size_t count, Number bound) {
    std::vector<Number> row;
    Number next = 0;
    for (std::size_t i = 0; i < count && next < bound; ++i) {
      row.push_back(next);
      const int bits = static_cast<int>(random_() % (i % 50 == 7 ? std::numeric_limits<Number>::digits : 12));
      const Number step = static_cast<Number>(1 + (random_() >> 1) % (std::uint64_t{1} << bits));
      if (step >= bound - next) break;
      next += step;
    }
    return row;
  }

  template <class Number>
  static std::vector<std::uint8_t> compress(const std::vector<Number>& row) {
    using Code = RowCode<Number>;
    std::vector<std::uint8_t> bytes(Code::max_bytes(row.size()));
    const std::size_t size = Code::compress(row, bytes.data());
    EXPECT_LE(size, bytes.size());
    bytes.resize(size);
    bytes.resize(size + Code::slack_bytes, 0xEE);
    return bytes;
  }

  template <class Number>
  static std::vector<Number> decompress(const std::vector<std::uint8_t>& bytes, std::size_t count, RotatedBits code) {
    std::vector<Number> row;
    for (std::size_t piece = 0; piece < RowCode<Number>::pieces(count); ++piece) {
      std::vector<Number> numbers(RowCode<Number>::piece + 1, 99);
      decompress_piece(bytes.data(), count, piece, code, numbers.data());
      EXPECT_EQ(numbers.back(), Number{99}) << "written beyond a piece";
      numbers.resize(RowCode<Number>::count_in_piece(count, piece));
      row.insert(row.end(), numbers.begin(), numbers.end());
    }
    return row;
  }

  template <class Number>
  void check_rows_of_all_lengths() {
    for (const std::size_t count :
         std::vector<std::size_t>{1, 2, 3, 4, 5, 8, 31, 511, 512, 513, 516, 1024, 1030, 5000}) {
      for (int round = 0; round < 20; ++round) {
        const std::vector<Number> row = rising<Number>(count, std::numeric_limits<Number>::max());
        EXPECT_EQ(decompress<Number>(compress(row), row.size(), {}), row);
      }
    }
  }

  template <class Number>
  void check_steps_of_every_width() {
    for (int bits = 0; bits < std::numeric_limits<Number>::digits; ++bits) {
      const auto power = static_cast<Number>(Number{1} << bits);
      for (const Number first : {static_cast<Number>(power - 1), power, static_cast<Number>(power + power - 1)}) {
        for (const Number step : {Number{1}, Number{255}, Number{256}, Number{65536}}) {
          if (first > std::numeric_limits<Number>::max() - step) continue;
          const std::vector<Number> row = {first, static_cast<Number>(first + step)};
          EXPECT_EQ(decompress<Number>(compress(row), row.size(), {}), row);
        }
      }
    }
  }

  template <class Number>
  void check_rotation() {
    const RotatedBits code{.rank_bits = 3, .local_bits = 20};
    const std::vector<Number> row = rising<Number>(700, Number{1} << 23);
    std::vector<Number> expected;
    for (const Number order : row) expected.push_back(static_cast<Number>((order % 8) * (1 << 20) + order / 8));
    EXPECT_EQ(decompress<Number>(compress(row), row.size(), code), expected);
  }

  template <class Number>
  void check_search() {
    constexpr std::size_t bound = 40000;
    constexpr std::size_t max_rows = 100;
    const RotatedBits code{.rank_bits = 1, .local_bits = 16};
    CompressedRowSearch<Number> search(max_rows);
    for (const unsigned one_in : {1U, 4U, 100U, 3000U, 1000000U}) {
      Bitmap frontier(std::size_t{2} << 16);
      for (std::size_t i = 0; i < frontier.size(); ++i) {
        if (random_() % one_in == 0) frontier.insert(i);
      }
      std::vector<std::vector<std::uint8_t>> rows;
      std::map<std::uint32_t, Number> expected;
      std::uint64_t looked_at = 0;
      search.start(code);
      for (std::uint32_t vertex = 0; vertex < max_rows; ++vertex) {
        const auto row = rising<Number>(1 + random_() % (vertex % 10 == 0 ? 3000 : 9), bound);
        rows.push_back(compress(row));
        search.add({rows.back().data(), vertex, static_cast<std::uint32_t>(row.size())});
        for (const Number order : row) {
          ++looked_at;
          const auto global_id = static_cast<Number>((order % 2) * (1 << 16) + order / 2);
          if (!frontier.contains(global_id)) continue;
          expected[vertex] = global_id;
          break;
        }
      }
      EXPECT_EQ(search.run(FrontierBits{frontier.words().data()}), looked_at);
      std::map<std::uint32_t, Number> found;
      for (std::size_t i = 0; i < search.found_vertices().size(); ++i) {
        found[search.found_vertices()[i]] = search.found_neighbours()[i];
      }
      EXPECT_EQ(found, expected);
    }
  }
};

TEST_P(CompressedRowTest, RowsComeBackAsTheyWere) {
  check_rows_of_all_lengths<std::uint32_t>();
  check_rows_of_all_lengths<std::uint64_t>();
}

// What is written beyond the end of a row shows which loops ran.
TEST_P(CompressedRowTest, ScalarLoopsTakeNumbersOneByOne) {
  const std::vector<std::uint8_t> bytes = compress(std::vector<std::uint32_t>{3, 5, 8});
  std::vector<std::uint32_t> numbers(RowCode<std::uint32_t>::piece, 99);
  decompress_piece(bytes.data(), 3, 0, {}, numbers.data());
  EXPECT_EQ(numbers[3] == 99, GetParam() == HWY_SCALAR);
}

TEST_P(CompressedRowTest, StepsOfEveryWidthComeBack) {
  check_steps_of_every_width<std::uint32_t>();
  check_steps_of_every_width<std::uint64_t>();
}

TEST_P(CompressedRowTest, RanksMoveAboveLocalIds) {
  check_rotation<std::uint32_t>();
  check_rotation<std::uint64_t>();
}

TEST_P(CompressedRowTest, RowsAreSearchedToTheFirstHit) {
  check_search<std::uint32_t>();
  check_search<std::uint64_t>();
}

/// A bitmap that ends at the end of a page. The next page is inaccessible.
class GuardedBitmap {
 public:
  GuardedBitmap() {
    void* memory = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(static_cast<std::byte*>(memory) + page_, page_, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
    memory_ = memory;
  }
  GuardedBitmap(const GuardedBitmap&) = delete;
  GuardedBitmap& operator=(const GuardedBitmap&) = delete;
  ~GuardedBitmap() { munmap(memory_, 2 * page_); }

  [[nodiscard]] const std::uint64_t* words() const { return static_cast<const std::uint64_t*>(memory_); }
  [[nodiscard]] std::size_t size() const { return 8 * page_; }

 private:
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory_ = nullptr;
};

// The bytes behind a row's last number would decode to ids beyond the frontier.
TEST_P(CompressedRowTest, NothingBeyondTheFrontierIsRead) {
  const GuardedBitmap frontier;
  for (std::size_t count = 1; count <= 4; ++count) {
    std::vector<std::uint32_t> row;
    for (std::size_t left = count; left > 0; --left) row.push_back(static_cast<std::uint32_t>(frontier.size() - left));
    const std::vector<std::uint8_t> bytes = compress(row);
    CompressedRowSearch<std::uint32_t> search(1);
    search.start({});
    search.add({bytes.data(), 0, static_cast<std::uint32_t>(row.size())});
    EXPECT_EQ(search.run(FrontierBits{frontier.words()}), count);
    EXPECT_TRUE(search.found_vertices().empty());
  }
}

TEST_P(CompressedRowTest, SmallStepsTakeAByteAndAQuarter) {
  std::vector<std::uint32_t> row(400);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint32_t>(200 * i);
  EXPECT_EQ(compress(row).size() - RowCode<std::uint32_t>::slack_bytes, 500U);
}

#ifdef BREADTH_TEST_STREAMVBYTE
TEST_P(CompressedRowTest, PiecesAreStreamVByteAsItsLibraryHasIt) {
  for (const std::size_t count : std::vector<std::size_t>{1, 3, 4, 64, 500, 512}) {
    const auto row = rising<std::uint32_t>(count, std::numeric_limits<std::uint32_t>::max());
    const auto length = static_cast<std::uint32_t>(row.size());
    const std::vector<std::uint8_t> bytes = compress(row);
    std::vector<std::uint32_t> decoded(row.size());
    const std::size_t read = streamvbyte_delta_decode(bytes.data(), decoded.data(), length, 0);
    EXPECT_EQ(decoded, row);
    EXPECT_EQ(read, bytes.size() - RowCode<std::uint32_t>::slack_bytes);
    std::vector<std::uint8_t> encoded(RowCode<std::uint32_t>::max_bytes(row.size()));
    encoded.resize(streamvbyte_delta_encode(row.data(), length, encoded.data(), 0) + 16);
    EXPECT_EQ(decompress<std::uint32_t>(encoded, row.size(), {}), row);
  }
}
#endif

INSTANTIATE_TEST_SUITE_P(InstructionSets, CompressedRowTest, test::instruction_sets(), test::instruction_set_name);

}  // namespace
}  // namespace breadth
