#include "core/memory/buffer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.hpp"

namespace breadth {
namespace {

static_assert(!std::is_copy_constructible_v<Buffer<int>> && !std::is_copy_assignable_v<Buffer<int>>);
static_assert(std::is_nothrow_move_constructible_v<Buffer<int>> && std::is_nothrow_move_assignable_v<Buffer<int>>);

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// The number of pages from `address` on that the kernel holds memory for.
std::size_t resident_pages(const void* address, std::size_t bytes) {
  std::vector<unsigned char> present((bytes + page() - 1) / page());
  EXPECT_EQ(mincore(const_cast<void*>(address), bytes, present.data()), 0);
  return static_cast<std::size_t>(std::count_if(present.begin(), present.end(), [](auto p) { return (p & 1) != 0; }));
}

TEST(Buffer, HoldsNothingAtFirst) {
  const Buffer<int> none;
  const Buffer<int> zero(0);
  EXPECT_TRUE(none.empty() && zero.empty());
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(zero.span().size(), 0U);
  EXPECT_EQ(none.begin(), none.end());
}

TEST(Buffer, IsZeroedAndAlignedAtEverySize) {
  for (const std::size_t size : {1U, 7U, 63U, 64U, 65U, 4095U, 4097U, (1U << 20) - 1U, 1U << 20, (5U << 20) + 3U}) {
    Buffer<std::uint8_t> dirty(size);  // so that the allocator has memory to reuse that is not zero
    std::fill(dirty.begin(), dirty.end(), std::uint8_t{0xAB});
    dirty = {};
    Buffer<std::uint8_t> buffer(size);
    ASSERT_EQ(buffer.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    EXPECT_EQ(std::count(buffer.begin(), buffer.end(), std::uint8_t{0}), static_cast<std::ptrdiff_t>(size));
    std::iota(buffer.begin(), buffer.end(), std::uint8_t{0});
    EXPECT_EQ(buffer[size - 1], static_cast<std::uint8_t>(size - 1));
  }
}

TEST(Buffer, TakesAddressSpaceOnlyUntilWritten) {
  constexpr std::size_t bytes = std::size_t{64} << 30;
  Buffer<std::uint64_t> buffer(bytes / 8);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % (std::size_t{2} << 20), 0U) << "huge pages need this";
  buffer[0] = 1;
  buffer[buffer.size() / 2] = 2;
  buffer[buffer.size() - 1] = 3;
  EXPECT_EQ(buffer[0] + buffer[buffer.size() / 2] + buffer[buffer.size() - 1], 6U);
  EXPECT_EQ(buffer[12345], 0U);
}

TEST(Buffer, RefusesWhatNoMachineHas) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {most, most / 8, most / 8 + 2, most / 4, most / 16}) {
    try {
      const Buffer<std::uint64_t> buffer(size);
      FAIL() << size << " elements were allocated";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cannot allocate"), std::string::npos) << error.what();
    }
  }
}

TEST(Buffer, MovesItsMemory) {
  Buffer<int> first(10);
  first[3] = 42;
  const int* memory = first.data();
  Buffer<int> second(std::move(first));
  EXPECT_EQ(second.data(), memory);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): a moved-from buffer is promised to be empty
  Buffer<int> third(std::size_t{1} << 20);
  const void* old_memory = third.data();
  third = std::move(second);
  EXPECT_EQ(third[3], 42);
  EXPECT_EQ(third.size(), 10U);
  EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move)
  unsigned char present = 0;
  EXPECT_NE(mincore(const_cast<void*>(old_memory), page(), &present), 0) << "the old memory is still mapped";
  Buffer<int>& same = third;
  third = std::move(same);
  EXPECT_EQ(third[3], 42);
}

TEST(Buffer, ShrinksAndGivesPagesBack) {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  Buffer<std::uint8_t> buffer(bytes);
  std::fill(buffer.begin(), buffer.end(), std::uint8_t{7});
  ASSERT_EQ(resident_pages(buffer.data(), bytes), bytes / page());
  buffer.shrink(3 * page() + 1);
  EXPECT_EQ(buffer.size(), 3 * page() + 1);
  EXPECT_EQ(buffer.span().size(), 3 * page() + 1);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), std::uint8_t{7}), static_cast<std::ptrdiff_t>(buffer.size()));
  EXPECT_EQ(resident_pages(buffer.data(), bytes), 4U);
  buffer.shrink(0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(resident_pages(buffer.data(), bytes), 0U);
}

TEST(Buffer, DiscardsWholePagesOnly) {
  for (const std::size_t bytes : {std::size_t{12} * page(), std::size_t{4} << 20}) {  // from the heap, and mapped
    Buffer<std::uint8_t> buffer(bytes);
    std::fill(buffer.begin(), buffer.end(), std::uint8_t{7});
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
    const std::size_t to_page = (page() - address % page()) % page();
    const std::size_t first = to_page + 2 * page() - 5;
    const std::size_t last = to_page + 6 * page() + 5;
    buffer.discard(first, last);
    for (std::size_t i = 0; i < bytes; ++i) {
      const bool in_whole_page = i >= first + 5 && i < last - 5;
      ASSERT_EQ(buffer[i], in_whole_page ? 0 : 7) << i << " of " << bytes;
    }
    buffer.discard(100, 100);
    buffer.discard(to_page + 7 * page() + 1, to_page + 8 * page());
    EXPECT_EQ(buffer[to_page + 7 * page() + 1], 7);
  }
}

TEST(BufferPool, HandsMemoryOnAsItIs) {
  BufferPool pool;
  const void* memory = nullptr;
  {
    Buffer<std::uint32_t> first(1000, &pool);
    first[7] = 42;
    memory = first.data();
    Buffer<std::uint32_t> moved(std::move(first));
    EXPECT_EQ(moved.data(), memory);
  }
  const Buffer<std::uint64_t> second(500, &pool);
  EXPECT_EQ(second.data(), memory);
  EXPECT_EQ(second[3] >> 32U, 42U);
  const Buffer<std::uint32_t> third(1000, &pool);
  EXPECT_NE(third.data(), memory) << "the memory is in use";
  EXPECT_EQ(pool.bytes(), 8000U);
  EXPECT_EQ(Buffer<int>(0, &pool).data(), nullptr);
}

TEST(BufferPool, TakesTheSmallestThatIsLargeEnoughAndNotFarTooLarge) {
  BufferPool pool;
  const void* large = nullptr;
  const void* medium = nullptr;
  {
    const Buffer<std::uint8_t> one(8192, &pool);
    const Buffer<std::uint8_t> two(4096, &pool);
    large = one.data();
    medium = two.data();
  }
  EXPECT_EQ(Buffer<std::uint8_t>(3000, &pool).data(), medium);
  EXPECT_EQ(Buffer<std::uint8_t>(4097, &pool).data(), large);
  const Buffer<std::uint8_t> small(1000, &pool);
  EXPECT_NE(small.data(), medium) << "4096 bytes are more than four times as many";
  EXPECT_EQ(pool.bytes(), 8192U + 4096 + 1000);
}

TEST(BufferPool, ReplacesWhatIsTooSmall) {
  BufferPool pool;
  constexpr std::size_t bytes = std::size_t{4} << 20;  // mapped
  { const Buffer<std::uint8_t> small(bytes, &pool); }
  const Buffer<std::uint8_t> larger(bytes + 1, &pool);
  EXPECT_EQ(pool.bytes(), bytes + 1);
  EXPECT_THROW(Buffer<std::uint64_t>(SIZE_MAX / 8, &pool), Error);
  EXPECT_THROW(Buffer<std::uint64_t>(SIZE_MAX / 2, &pool), Error);
  EXPECT_EQ(pool.bytes(), bytes + 1);
}

}  // namespace
}  // namespace breadth
