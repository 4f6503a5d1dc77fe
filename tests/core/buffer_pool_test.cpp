#include "core/memory/buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/errors.hpp"

namespace breadth {
namespace {

/// A pool that takes back, at the end of a test, all memory that the test still holds.
class TestPool {
 public:
  ~TestPool() {
    for (void* const memory : held_) pool_.give_back(memory);
  }
  void* take(std::size_t count, std::size_t element_bytes) {
    void* const memory = pool_.take(count, element_bytes);
    if (memory != nullptr) held_.push_back(memory);
    return memory;
  }
  void give_back(void* memory) {
    std::erase(held_, memory);
    pool_.give_back(memory);
  }
  [[nodiscard]] std::size_t bytes() const { return pool_.bytes(); }

 private:
  BufferPool pool_;
  std::vector<void*> held_;
};

TEST(BufferPool, HasNothingForNothing) {
  TestPool pool;
  EXPECT_EQ(pool.take(0, 8), nullptr);
  pool.give_back(nullptr);
  EXPECT_EQ(pool.bytes(), 0U);
}

TEST(BufferPool, GivesAlignedMemoryThatKeepsWhatItHeld) {
  TestPool pool;
  auto* const first = static_cast<std::uint8_t*>(pool.take(5001, 1));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
  std::fill_n(first, 5001, std::uint8_t{7});
  pool.give_back(first);
  EXPECT_EQ(pool.bytes(), 5001U) << "the pool keeps returned memory";
  auto* const second = static_cast<std::uint8_t*>(pool.take(625, 8));
  EXPECT_EQ(second, first);
  EXPECT_EQ(std::count(second, second + 5000, 7), 5000);
  EXPECT_EQ(pool.bytes(), 5001U);
}

TEST(BufferPool, GivesNoMemoryTwice) {
  TestPool pool;
  void* const first = pool.take(100, 8);
  void* const second = pool.take(100, 8);
  EXPECT_NE(first, second);
  EXPECT_EQ(pool.bytes(), 1600U);
}

TEST(BufferPool, ChoosesTheSmallestThatIsLargeEnough) {
  TestPool pool;
  void* const large = pool.take(900, 8);
  void* const small = pool.take(100, 8);
  void* const middle = pool.take(300, 8);
  for (void* const memory : {middle, large, small}) pool.give_back(memory);
  EXPECT_EQ(pool.take(200, 8), middle);
  EXPECT_EQ(pool.take(250, 8), large);
  EXPECT_EQ(pool.take(100, 8), small);
  EXPECT_EQ(pool.bytes(), 8U * (100 + 300 + 900));
}

TEST(BufferPool, LeavesWhatIsMuchTooLarge) {
  TestPool pool;
  void* const large = pool.take(400, 8);
  pool.give_back(large);
  void* const small = pool.take(99, 8);
  EXPECT_NE(small, large) << "more than four times as large";
  EXPECT_EQ(pool.bytes(), 8U * (400 + 99));
  EXPECT_EQ(pool.take(100, 8), large) << "four times as large";
}

TEST(BufferPool, ReplacesTheLargestThatIsTooSmall) {
  TestPool pool;
  void* const small = pool.take(100, 8);
  void* const larger = pool.take(200, 8);
  pool.give_back(small);
  pool.give_back(larger);
  (void)pool.take(1000, 8);
  EXPECT_EQ(pool.bytes(), 8U * (100 + 1000)) << "the 200 elements went back to the system";
  EXPECT_EQ(pool.take(100, 8), small);
}

TEST(BufferPool, SurvivesThatThereIsNotEnough) {
  TestPool pool;
  EXPECT_THROW((void)pool.take(std::numeric_limits<std::size_t>::max() / 2, 8), OutOfMemory);
  EXPECT_EQ(pool.bytes(), 0U);
  void* const memory = pool.take(10, 8);
  ASSERT_NE(memory, nullptr);
  pool.give_back(memory);
  EXPECT_EQ(pool.take(10, 8), memory);
}

TEST(BufferPool, ServesBuffersThatMove) {
  BufferPool pool;
  const std::uint64_t* place = nullptr;
  {
    Buffer<std::uint64_t> first(1000, &pool);
    place = first.data();
    const Buffer<std::uint64_t> second(std::move(first));
    EXPECT_EQ(second.data(), place);
    const Buffer<std::uint64_t> other(1000, &pool);
    EXPECT_NE(other.data(), place) << "the second buffer still holds this memory";
  }
  EXPECT_EQ(pool.bytes(), 16000U) << "each buffer gave its memory back once";
  Buffer<std::uint64_t> one(1000, &pool);
  Buffer<std::uint64_t> two(1000, &pool);
  EXPECT_NE(one.data(), two.data());
  EXPECT_TRUE(one.data() == place || two.data() == place);
  EXPECT_EQ(pool.bytes(), 16000U);
}

}  // namespace
}  // namespace breadth
