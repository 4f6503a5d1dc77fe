#include "traverse/exchange/query_exchange.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace breadth {
namespace {

TEST(ThreadQueue, IsFirstInFirstOutAndBounded) {
  ThreadQueue<int> queue(3);
  int value = 0;
  EXPECT_FALSE(queue.pop(value));
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 3; ++i) {
      value = 10 * round + i;
      EXPECT_TRUE(queue.push(value));
    }
    value = 99;
    EXPECT_FALSE(queue.push(value));
    EXPECT_EQ(value, 99);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(queue.pop(value));
      EXPECT_EQ(value, 10 * round + i);
    }
    EXPECT_FALSE(queue.pop(value));
  }
}

TEST(ThreadQueue, HoldsOneAtLeast) {
  ThreadQueue<int> queue(0);
  int value = 5;
  EXPECT_TRUE(queue.push(value));
  EXPECT_FALSE(queue.push(value));
  EXPECT_TRUE(queue.pop(value));
  EXPECT_EQ(value, 5);
}

TEST(ThreadQueue, GivesRoomBack) {
  ThreadQueue<std::vector<int>> queue(1);
  std::vector<int> value(100, 1);
  const int* room = value.data();
  EXPECT_TRUE(queue.push(value));
  EXPECT_TRUE(value.empty());
  std::vector<int> taken;
  EXPECT_TRUE(queue.pop(taken));
  EXPECT_EQ(taken.data(), room);
  EXPECT_TRUE(queue.push(value));
  EXPECT_TRUE(queue.pop(taken));
  EXPECT_TRUE(queue.push(taken));
  EXPECT_EQ(taken.data(), room) << "push() returns the memory of the vector that pop() filled";
}

TEST(ThreadQueue, CarriesValuesBetweenThreads) {
  constexpr int count = 100000;
  ThreadQueue<std::vector<int>> queue(8);
  std::thread writer([&queue] {
    for (int i = 0; i < count; ++i) {
      std::vector<int> value{i, -i};
      while (!queue.push(value)) std::this_thread::yield();
    }
  });
  int wrong = 0;
  std::vector<int> value;
  for (int i = 0; i < count; ++i) {
    while (!queue.pop(value)) std::this_thread::yield();
    if (value != std::vector<int>{i, -i}) ++wrong;
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace breadth
