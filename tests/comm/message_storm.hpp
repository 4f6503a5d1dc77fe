// Random messages from every rank to every other, through any exchange.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "support/ranks.hpp"

namespace breadth::test {

/// The sum of all messages that one rank sent to another or received from it. Two sums can be compared although
/// messages of different ranks arrive in any order.
struct SentSum {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;

  void add(std::span<const std::byte> message) {
    std::uint64_t hash = 1469598103934665603U;
    for (const std::byte byte : message) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
    ++messages;
    bytes += message.size();
    checksum += hash * (messages + 1);  // depends on the order: messages from one rank do not overtake each other
  }
  friend bool operator==(const SentSum&, const SentSum&) = default;
};

/// Supersteps of messages of random sizes to random ranks. After each superstep every rank must have received exactly
/// what the others sent to it. The test may put a barrier of its own between supersteps, or none.
struct Storm {
  std::size_t message_bytes;
  std::size_t messages;  ///< at most this many per superstep and rank
  int supersteps;
  bool poll;
  bool one_by_one = true;  ///< messages are sent unpacked, and each is counted
  bool straight = true;    ///< messages go directly to their destinations, so that counts match what was sent
};

/// make(message_bytes, handler) returns the exchange.
template <class Make>
void expect_all_arrive(const Storm& storm, bool check_each_superstep, Make&& make) {
  const auto size = static_cast<std::size_t>(world().size());
  std::vector<SentSum> sent(size);
  std::vector<SentSum> received(size);
  const std::unique_ptr<MessageExchange> exchange = make(
      storm.message_bytes,
      [&](int source, std::span<const std::byte> message) { received[static_cast<std::size_t>(source)].add(message); });
  std::mt19937_64 random(static_cast<std::uint64_t>(world().rank()) + 1);
  const auto expect_same = [&] {
    const std::vector<std::size_t> ones(size, 1);
    std::vector<SentSum> expected(size);
    world().all_to_all(std::span<const SentSum>(sent), ones, std::span(expected), ones);
    EXPECT_EQ(received, expected);
  };
  for (int superstep = 0; superstep < storm.supersteps; ++superstep) {
    // Some ranks are silent in some supersteps, so that others run ahead.
    const std::size_t messages = world().size() == 1 || random() % 4 == 0 ? 0 : random() % (storm.messages + 1);
    for (std::size_t i = 0; i < messages; ++i) {
      std::vector<std::byte> message(1 + random() % storm.message_bytes);
      for (std::byte& byte : message) byte = static_cast<std::byte>(random());
      const auto step = 1 + static_cast<int>(random() % (size - 1));
      const int destination = (world().rank() + step) % world().size();
      sent[static_cast<std::size_t>(destination)].add(message);
      exchange->send(destination, message);
      if (storm.poll && i % 8 == 0) exchange->poll();
    }
    exchange->finish();
    if (check_each_superstep) expect_same();
  }
  expect_same();
  if (!storm.straight) return;
  const std::span<const SentTraffic> counted = exchange->sent();
  ASSERT_EQ(counted.size(), size);
  SentTraffic all;
  for (std::size_t destination = 0; destination < size; ++destination) {
    const SentSum& to_one = sent[destination];
    all.messages += counted[destination].messages;
    all.bytes += counted[destination].bytes;
    if (storm.one_by_one) {
      EXPECT_EQ(counted[destination], (SentTraffic{to_one.messages, to_one.bytes}));
    } else {
      EXPECT_LE(counted[destination].messages, to_one.messages);
      EXPECT_GE(counted[destination].bytes, to_one.bytes + 8 * to_one.messages);
      EXPECT_LE(counted[destination].bytes, to_one.bytes + 15 * to_one.messages);
    }
  }
  EXPECT_EQ(exchange->messages(), all.messages);
  EXPECT_EQ(exchange->bytes(), all.bytes);
}

}  // namespace breadth::test
