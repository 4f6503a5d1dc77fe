// Ranks that place their threads on the real machine.
#include "placement/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/ranks.hpp"

namespace breadth {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

/// Restores the binding of this thread after each case.
class PlacementTest : public testing::Test {
 protected:
  void TearDown() override { ASSERT_TRUE(bind_this_thread(before_)); }

  /// Whether every rank may run on two processors or more.
  [[nodiscard]] bool all_have_two() const {
    return test::world().all_reduce(static_cast<std::int64_t>(before_.size()), Reduction::minimum) >= 2;
  }

  const std::vector<int> before_ = usable_processors();
  const bool is_last_ = test::world().rank() + 1 == test::world().size();
};

/// The processors that each thread of a team may run on.
std::vector<std::vector<int>> usable_by(ThreadTeam& team) {
  std::vector<std::vector<int>> usable(static_cast<std::size_t>(team.size()));
  team.run([&](int thread) { usable[static_cast<std::size_t>(thread)] = usable_processors(); });
  return usable;
}

TEST_F(PlacementTest, BindsTheThreadsAsPlannedOrNotAtAll) {
  for (const auto policy : {BindingPolicy::automatic, BindingPolicy::none, BindingPolicy::core, BindingPolicy::numa}) {
    for (const int wanted : {0, 1, 2, 3}) {
      ASSERT_TRUE(bind_this_thread(before_));
      Placement placement = place_rank(policy, wanted, test::world());
      EXPECT_GE(placement.threads, 1);
      if (wanted > 0) {
        EXPECT_EQ(placement.threads, wanted);
      }
      EXPECT_EQ(placement.usable, before_);
      ThreadTeam team(placement.threads);
      bind_threads(placement, team, test::world());
      if (placement.plan.processors.empty()) {
        EXPECT_THAT(usable_by(team), Each(before_));
        EXPECT_NE(placement.plan.reason, "");
      } else {
        EXPECT_EQ(usable_by(team), placement.plan.processors);
        EXPECT_EQ(placement.plan.reason, "");
      }
    }
  }
}

TEST_F(PlacementTest, BindsWhereNothingElseDid) {
  const auto ranks = static_cast<std::size_t>(test::world().node().size());
  const Placement placement = place_rank(BindingPolicy::core, 1, test::world());
  const auto allowed = static_cast<std::size_t>(std::count_if(placement.topology.begin(), placement.topology.end(),
                                                              [](const Processor& one) { return one.allowed; }));
  const std::int64_t narrowed = before_.size() < allowed ? 1 : 0;
  if (allowed == 0 || test::world().all_reduce(narrowed, Reduction::maximum) != 0) {
    GTEST_SKIP() << "hwloc is absent, or a launcher bound the ranks";
  }
  if (ranks <= allowed) {
    EXPECT_EQ(placement.plan.binding, Binding::core);
    EXPECT_THAT(placement.warning, IsEmpty());
  } else {
    EXPECT_EQ(placement.plan.binding, Binding::none);
    EXPECT_THAT(placement.warning, HasSubstr("--bind core has no effect: more threads than processors"));
  }
}

TEST_F(PlacementTest, StaysUnboundOnEveryRankWhereTheSystemRefusesOne) {
  Placement placement = place_rank(BindingPolicy::none, 2, test::world());
  constexpr int no_such_processor = 100'000;
  placement.plan = {.binding = Binding::core,
                    .processors = {{before_.front()}, {is_last_ ? no_such_processor : before_.back()}}};
  ThreadTeam team(2);
  bind_threads(placement, team, test::world());
  EXPECT_THAT(usable_by(team), Each(before_));
  EXPECT_EQ(placement.plan.binding, Binding::none);
  EXPECT_THAT(placement.plan.reason, HasSubstr("refused"));
}

TEST_F(PlacementTest, WarnsOfABindingThatLeavesTooLittleRoom) {
  if (!all_have_two()) GTEST_SKIP() << "needs two processors that nothing narrowed";
  if (is_last_) {
    ASSERT_TRUE(bind_this_thread(std::vector<int>{before_.front()}));
  }
  const Placement placement = place_rank(BindingPolicy::core, 2, test::world());
  EXPECT_THAT(placement.warning, HasSubstr("2 threads run on 1 of " + std::to_string(before_.size())));
  EXPECT_EQ(placement.plan.binding, Binding::launcher);
  EXPECT_THAT(place_rank(BindingPolicy::automatic, 1, test::world()).warning, IsEmpty());
}

TEST_F(PlacementTest, WarnsOfProcessorsThatALauncherLeavesIdle) {
  if (!all_have_two()) GTEST_SKIP() << "needs two processors that nothing narrowed";
  ASSERT_TRUE(bind_this_thread(std::vector<int>{before_.front()}));
  const Placement placement = place_rank(BindingPolicy::automatic, 0, test::world());
  EXPECT_EQ(placement.plan.binding, Binding::launcher);
  EXPECT_EQ(placement.threads, 1);
  if (test::world().size() == 1) {
    EXPECT_THAT(placement.warning, IsEmpty()) << "one process alone is bound on purpose";
  } else {
    EXPECT_THAT(placement.warning, HasSubstr("use 1 of its " + std::to_string(before_.size())));
  }
  EXPECT_THAT(place_rank(BindingPolicy::automatic, 1, test::world()).warning, IsEmpty());
}

}  // namespace
}  // namespace breadth
