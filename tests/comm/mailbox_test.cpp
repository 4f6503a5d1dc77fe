#include "comm/exchange/message_exchange.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "message_storm.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

const char* name_of(Termination ending) {
  switch (ending) {
    case Termination::marks: return "marks";
    case Termination::consensus: return "consensus";
    case Termination::counts: return "counts";
  }
  return "";
}

/// Every case runs for each way to detect the end of a superstep.
class MailboxEnding : public testing::TestWithParam<Termination> {
 protected:
  static void expect_all_arrive(const test::Storm& storm, bool check_each_superstep) {
    const auto make = [](std::size_t message_bytes, MessageExchange::Handler handler) {
      return std::make_unique<Mailbox>(world(), message_bytes, std::move(handler), GetParam());
    };
    test::expect_all_arrive(storm, check_each_superstep, make);
  }
};
INSTANTIATE_TEST_SUITE_P(All, MailboxEnding,
                         testing::Values(Termination::marks, Termination::consensus, Termination::counts),
                         [](const auto& ending) { return std::string(name_of(ending.param)); });

// Far more messages than a mailbox has slots.
TEST_P(MailboxEnding, DeliversStormsOfSmallMessages) { expect_all_arrive({16, 3000, 6, false}, true); }
TEST_P(MailboxEnding, DeliversWhilePolling) { expect_all_arrive({64, 3000, 6, true}, true); }
// Larger than MPI's eager limit: the receiver must consent first.
TEST_P(MailboxEnding, DeliversLargeMessages) { expect_all_arrive({std::size_t{256} << 10, 40, 4, true}, true); }
TEST_P(MailboxEnding, DeliversSuperstepsBackToBack) { expect_all_arrive({32, 100, 200, false}, false); }
TEST_P(MailboxEnding, DeliversEmptySupersteps) { expect_all_arrive({32, 0, 100, false}, true); }

TEST_P(MailboxEnding, SuperstepsDoNotMix) {
  if (world().size() == 1) return;
  int superstep = 0;
  std::uint64_t mixed = 0;
  const auto check = [&](int, std::span<const std::byte> message) {
    int of_message = 0;
    std::memcpy(&of_message, message.data(), sizeof(of_message));
    if (of_message != superstep) ++mixed;
  };
  Mailbox mailbox(world(), sizeof(int), check, GetParam());
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
