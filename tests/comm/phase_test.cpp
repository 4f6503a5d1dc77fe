#include "comm/phase.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "comm/exchange/message_exchange.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

constexpr double never_in_a_test = 1e6;  // seconds

TEST(Phase, NamesWhatARankIsInFromTheOutsideIn) {
  PhaseSlot slot{};
  EXPECT_EQ(slot.text(), "");
  {
    const Phase outer(&slot, "kernel 1");
    EXPECT_EQ(slot.text(), "kernel 1");
    {
      const Phase inner(&slot, "all-to-all");
      EXPECT_EQ(slot.text(), "kernel 1 > all-to-all");
    }
    EXPECT_EQ(slot.text(), "kernel 1");
    const Phase next(&slot, "sort");
    EXPECT_EQ(slot.text(), "kernel 1 > sort") << "a shorter name overwrites the whole longer name";
  }
  EXPECT_EQ(slot.text(), "");
}

TEST(Phase, CutsNamesAndDepthsThatHaveNoRoom) {
  PhaseSlot slot{};
  const std::string longest(PhaseSlot::longest_name, 'x');
  {
    const Phase phase(&slot, (longest + "yz").c_str());
    EXPECT_EQ(slot.text(), longest);
  }
  std::string expected;
  for (std::size_t depth = 0; depth < PhaseSlot::deepest + 3; ++depth) {
    slot.enter("in");
    if (depth < PhaseSlot::deepest) expected += depth == 0 ? "in" : " > in";
    EXPECT_EQ(slot.text(), expected);
  }
  for (std::size_t depth = 0; depth < PhaseSlot::deepest + 3; ++depth) slot.leave();
  EXPECT_EQ(slot.text(), "");
}

TEST(Phase, EveryStepIsASignOfLife) {
  PhaseSlot slot{};
  std::uint64_t before = slot.changes();
  const auto changed = [&] { return std::exchange(before, slot.changes()) != slot.changes(); };
  EXPECT_FALSE(changed());
  {
    const Phase phase(&slot, "push");
    EXPECT_TRUE(changed());
    EXPECT_FALSE(changed());
    phase.progress();
    EXPECT_TRUE(changed());
  }
  EXPECT_TRUE(changed());
}

/// watchdog_test.py tests what the watchdog reads of the other ranks of its machine.
TEST(Watchdog, HasPhasesPublishedWhileItLives) {
  EXPECT_EQ(world().phases(), nullptr);
  {
    const Watchdog watchdog(world(), never_in_a_test);
    const Phase phase(world(), "a phase");
    EXPECT_EQ(world().phases()->text(), "a phase");
  }
  EXPECT_EQ(world().phases(), nullptr);
}

TEST(Watchdog, SeesCollectivesAndMessagesOfGroupsMadeWhileItLives) {
  const Watchdog watchdog(world(), never_in_a_test);
  const PhaseSlot* slot = world().phases();
  ASSERT_NE(slot, nullptr);
  std::uint64_t before = slot->changes();
  const auto expect_change = [&](const char* what) {
    const bool changed = slot->changes() != before;
    EXPECT_TRUE(changed || world().size() == 1) << what;
    before = slot->changes();
  };
  const Communicator half = world().split(world().rank() % 2, 0);
  expect_change("split");
  EXPECT_EQ(half.phases(), slot);
  static_cast<void>(world().all_reduce(std::int64_t{1}, Reduction::sum));
  expect_change("all-reduce");
  static_cast<void>(world().all_gather(1));
  expect_change("all-gather");
  static_cast<void>(world().exchange_counts(std::vector<std::size_t>(static_cast<std::size_t>(world().size()))));
  expect_change("all-to-all");
  world().barrier();
  expect_change("barrier");
  Mailbox mailbox(world(), 8, [](int, std::span<std::byte>) {});
  before = slot->changes();
  mailbox.finish();
  expect_change("mailbox");
  EXPECT_EQ(slot->text(), "");
}

}  // namespace
}  // namespace breadth
