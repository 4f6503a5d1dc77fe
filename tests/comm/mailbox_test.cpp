#include "comm/mailbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "core/errors.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

/// What one rank sent to another, or received from it: comparable when the order is not.
struct Tally {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;

  void add(std::span<const std::byte> message) {
    std::uint64_t hash = 1469598103934665603U;
    for (const std::byte byte : message) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
    ++messages;
    bytes += message.size();
    checksum += hash * (messages + 1);  // order counts too: messages from one rank do not overtake each other
  }
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Supersteps of messages of random sizes to random ranks. After each, every rank must have got just what the others
/// sent it in this superstep, before any rank may enter the next with a barrier of the test's own, or without one.
struct Storm {
  std::size_t message_bytes;
  std::size_t messages;  ///< a superstep and rank at the most
  int supersteps;
  bool poll;
};

void expect_all_arrive(const Storm& storm, bool check_each_superstep) {
  const auto size = static_cast<std::size_t>(world().size());
  std::vector<Tally> sent(size);
  std::vector<Tally> received(size);
  Mailbox mailbox(world(), storm.message_bytes, [&](int source, std::span<const std::byte> message) {
    received[static_cast<std::size_t>(source)].add(message);
  });
  std::mt19937_64 random(static_cast<std::uint64_t>(world().rank()) + 1);
  const auto expect_same = [&] {
    const std::vector<std::size_t> ones(size, 1);
    std::vector<Tally> expected(size);
    world().all_to_all(std::span<const Tally>(sent), ones, std::span(expected), ones);
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
      mailbox.send(destination, message);
      if (storm.poll && i % 8 == 0) mailbox.poll();
    }
    mailbox.finish();
    if (check_each_superstep) expect_same();
  }
  expect_same();
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  for (const Tally& tally : sent) {
    messages += tally.messages;
    bytes += tally.bytes;
  }
  EXPECT_EQ(mailbox.messages(), messages);
  EXPECT_EQ(mailbox.bytes(), bytes);
}

// Far more messages than a mailbox has slots.
TEST(Mailbox, DeliversStormsOfSmallMessages) { expect_all_arrive({16, 3000, 6, false}, true); }
TEST(Mailbox, DeliversWhilePolling) { expect_all_arrive({64, 3000, 6, true}, true); }
// Larger than what MPI sends without the receiver's consent.
TEST(Mailbox, DeliversLargeMessages) { expect_all_arrive({std::size_t{256} << 10, 40, 4, true}, true); }
TEST(Mailbox, DeliversSuperstepsBackToBack) { expect_all_arrive({32, 100, 200, false}, false); }
TEST(Mailbox, DeliversEmptySupersteps) { expect_all_arrive({32, 0, 100, false}, true); }

TEST(Mailbox, SuperstepsDoNotMix) {
  if (world().size() == 1) return;
  int superstep = 0;
  std::uint64_t mixed = 0;
  Mailbox mailbox(world(), sizeof(int), [&](int, std::span<const std::byte> message) {
    int of_message = 0;
    std::memcpy(&of_message, message.data(), sizeof(of_message));
    if (of_message != superstep) ++mixed;
  });
  for (; superstep < 500; ++superstep) {
    const int destination = (world().rank() + 1 + superstep % (world().size() - 1)) % world().size();
    mailbox.send(destination, std::as_bytes(std::span(&superstep, 1)));
    mailbox.finish();
  }
  EXPECT_EQ(mixed, 0U);
}

TEST(Mailbox, TwoDoNotTakeEachOthersMessages) {
  std::uint64_t first_received = 0;
  std::uint64_t second_received = 0;
  Mailbox first(world(), 8, [&](int, std::span<const std::byte> message) { first_received += message.size(); });
  Mailbox second(world(), 8, [&](int, std::span<const std::byte> message) { second_received += message.size(); });
  const std::vector<std::byte> message(8);
  const int next = (world().rank() + 1) % world().size();
  if (world().size() > 1) {
    for (int i = 0; i < 100; ++i) {
      second.send(next, std::span(message).first(3));
      first.send(next, message);
    }
  }
  first.finish();
  second.finish();
  EXPECT_EQ(first_received, world().size() > 1 ? 800U : 0U);
  EXPECT_EQ(second_received, world().size() > 1 ? 300U : 0U);
}

TEST(Mailbox, RefusesWhatItCannotDeliver) {
  Mailbox mailbox(world(), 8, [](int, std::span<const std::byte>) {});
  const std::vector<std::byte> message(9);
  const int next = (world().rank() + 1) % world().size();
  EXPECT_THROW(mailbox.send(next, message), Error) << "larger than declared";
  EXPECT_THROW(mailbox.send(next, {}), Error) << "empty";
  EXPECT_THROW(mailbox.send(world().rank(), std::span(message).first(1)), Error) << "to itself";
  EXPECT_THROW(mailbox.send(world().size(), std::span(message).first(1)), Error);
  EXPECT_THROW(mailbox.send(-1, std::span(message).first(1)), Error);
  mailbox.finish();
  EXPECT_EQ(mailbox.messages(), 0U);
  EXPECT_EQ(mailbox.bytes(), 0U);
}

}  // namespace
}  // namespace breadth
