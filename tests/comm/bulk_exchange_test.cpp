#include "comm/exchange/message_exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/errors.hpp"
#include "message_storm.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

void expect_all_arrive(const test::Storm& storm, bool check_each_superstep, std::size_t round_bytes) {
  test::expect_all_arrive(
      storm, check_each_superstep, [round_bytes](std::size_t message_bytes, MessageExchange::Handler handler) {
        return std::make_unique<BulkExchange>(world(), message_bytes, std::move(handler), round_bytes);
      });
}

TEST(BulkExchange, DeliversInOneRound) {
  expect_all_arrive({64, 3000, 6, true, false}, true, BulkExchange::default_round_bytes);
}
// Rounds that one message fills, that several messages fill, and that are too small for one message.
TEST(BulkExchange, DeliversInManyRounds) {
  for (const std::size_t round_bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4096}}) {
    expect_all_arrive({64, 300, 4, false, false}, true, round_bytes);
  }
}
TEST(BulkExchange, DeliversSuperstepsBackToBack) {
  expect_all_arrive({32, 100, 100, false, false}, false, std::size_t{1} << 10);
}
TEST(BulkExchange, DeliversEmptySupersteps) {
  expect_all_arrive({32, 0, 20, false, false}, true, BulkExchange::default_round_bytes);
}

TEST(BulkExchange, KeepsToItsRounds) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has nobody to write to";
  // Only rank 0 sends: 10 messages to rank 1 that take 24 bytes each, in rounds that hold 2 for each rank.
  const std::size_t others = static_cast<std::size_t>(world().size()) - 1;
  int received = 0;
  BulkExchange exchange(
      world(), 16, [&](int, std::span<std::byte>) { ++received; }, 48 * others);
  if (world().rank() == 0) {
    for (int i = 0; i < 10; ++i) exchange.send(1, std::vector<std::byte>(16));
  }
  EXPECT_EQ(exchange.messages(), 0U) << "nothing is sent before finish()";
  exchange.finish();
  EXPECT_EQ(received, world().rank() == 1 ? 10 : 0);
  EXPECT_EQ(exchange.messages(), world().rank() == 0 ? 5U : 0U);
  EXPECT_EQ(exchange.bytes(), world().rank() == 0 ? 240U : 0U);
}

TEST(BulkExchange, RefusesWhatItCannotDeliver) {
  BulkExchange exchange(world(), 8, [](int, std::span<std::byte>) {});
  const std::vector<std::byte> message(9);
  const int next = (world().rank() + 1) % world().size();
  EXPECT_THROW(exchange.send(next, message), Error) << "larger than declared";
  EXPECT_THROW(exchange.send(next, {}), Error) << "empty";
  EXPECT_THROW(exchange.send(world().rank(), std::span(message).first(1)), Error) << "to itself";
  EXPECT_THROW(exchange.send(world().size(), std::span(message).first(1)), Error);
  EXPECT_THROW(exchange.send(-1, std::span(message).first(1)), Error);
  exchange.finish();
  EXPECT_EQ(exchange.messages(), 0U);
}

}  // namespace
}  // namespace breadth
