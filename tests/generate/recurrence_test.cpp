#include "generate/recurrence.hpp"

#include <gtest/gtest.h>

namespace breadth {
namespace {

TEST(Recurrence, DefaultSeedsStartAtThreeOneFourOneOne) {
  EXPECT_EQ(Recurrence::seeded(2, 3), (Recurrence::State{3, 1, 4, 1, 1}));
}

TEST(Recurrence, EveryBitOfTheSeedsCounts) {
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_NE(Recurrence::seeded(std::uint64_t{1} << bit, 0), Recurrence::seeded(0, 0));
    EXPECT_NE(Recurrence::seeded(0, std::uint64_t{1} << bit), Recurrence::seeded(0, 0));
  }
}

TEST(Recurrence, AJumpIsThatManySteps) {
  for (const std::uint64_t times : {0U, 1U, 2U, 5U, 64U, 1000U}) {
    Recurrence walked(Recurrence::seeded(2, 3));
    for (std::uint64_t i = 0; i < times; ++i) (void)walked.next();
    Recurrence jumped(Recurrence::apply(Recurrence::step(), times, Recurrence::seeded(2, 3)));
    for (int i = 0; i < 10; ++i) EXPECT_EQ(walked.next(), jumped.next());
  }
}

TEST(Recurrence, JumpsComposeAndDouble) {
  const Recurrence::Jump step = Recurrence::step();
  Recurrence::Jump three = Recurrence::compose(step, Recurrence::compose(step, step));
  const Recurrence::State state = Recurrence::seeded(7, 9);
  EXPECT_EQ(Recurrence::apply(three, state), Recurrence::apply(step, 3, state));
  EXPECT_EQ(Recurrence::apply(Recurrence::repeat_doubling(step, 10), state), Recurrence::apply(step, 1024, state));
}

}  // namespace
}  // namespace breadth
