#include "comm/agreement.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>

#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

/// The message of run_together when the ranks that `fails` selects fail, each with its own text; "" when it returns.
template <class Fails>
std::string message_when(Fails fails) {
  try {
    run_together(world(), [&] {
      if (fails(world().rank())) fail("rank {} cannot go on", world().rank());
    });
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "";
}

TEST(RunTogether, ReturnsWhenNoRankFails) {
  EXPECT_EQ(message_when([](int) { return false; }), "");
  EXPECT_EQ(run_together(world(), [] { return 10 * world().rank(); }), 10 * world().rank());
}

TEST(RunTogether, ReturnsValuesThatOnlyMove) {
  const std::unique_ptr<int> value = run_together(world(), [] { return std::make_unique<int>(world().rank()); });
  EXPECT_EQ(*value, world().rank());
}

TEST(RunTogether, ThrowsOnAllRanksWhenOneFails) {
  for (int failing = 0; failing < world().size(); ++failing) {
    std::string expected = "rank " + std::to_string(failing) + " cannot go on";
    if (world().size() > 1) {
      expected += " (on rank " + std::to_string(failing) + " of " + std::to_string(world().size()) + ")";
    }
    EXPECT_EQ(message_when([&](int rank) { return rank == failing; }), expected);
    EXPECT_EQ(message_when([](int) { return false; }), "") << "an earlier failure does not affect the next step";
  }
}

TEST(RunTogether, ThrowsTheLowestRanksMessageWhenSeveralFail) {
  if (world().size() < 3) return;
  EXPECT_EQ(message_when([](int rank) { return rank > 0; }),
            "rank 1 cannot go on (on rank 1 of " + std::to_string(world().size()) + ")");
}

TEST(RunTogether, NamesNoRankWhenAllFail) {
  EXPECT_EQ(message_when([](int) { return true; }), "rank 0 cannot go on");
}

TEST(RunTogether, FailsTogetherWhereAValueWasWanted) {
  const auto value_except_on_last = [] {
    if (world().rank() == world().size() - 1) throw std::bad_alloc();
    return std::string("a value");
  };
  try {
    static_cast<void>(run_together(world(), value_except_on_last));
    FAIL() << "the last rank had no memory";
  } catch (const AgreedOutOfMemory& error) {
    EXPECT_EQ(std::string(error.what()).rfind("out of memory", 0), 0U) << error.what();
  }
}

TEST(AgreeOnFailure, CarriesLongMessages) {
  std::optional<std::string> failure;
  if (world().rank() == world().size() / 2) failure = std::string(100000, 'x');
  try {
    agree_on_failure(world(), failure);
    FAIL();
  } catch (const AgreedError& error) {
    EXPECT_EQ(dynamic_cast<const AgreedOutOfMemory*>(&error), nullptr);
    EXPECT_EQ(std::string(error.what()).substr(0, 100000), std::string(100000, 'x'));
  }
}

}  // namespace
}  // namespace breadth
