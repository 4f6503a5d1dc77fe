// Plans for made-up machines.
#include "placement/binding_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "placement/machines.hpp"

namespace breadth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A machine and all ranks on it.
struct Scene {
  Topology topology;
  std::vector<RankOnMachine> ranks;

  [[nodiscard]] BindingPlan plan(std::size_t self, BindingPolicy policy) const {
    return plan_binding(topology, ranks, self, policy);
  }
};

std::vector<int> all_processors(const Topology& topology) {
  std::vector<int> numbers;
  for (const Processor& processor : topology) numbers.push_back(processor.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Ranks with equal numbers of threads that may use the whole machine.
Scene whole_machine(const test::MachineShape& shape, std::size_t ranks, int threads) {
  const Topology topology = test::make_machine(shape);
  return {topology, std::vector<RankOnMachine>(ranks, {.threads = threads, .usable = all_processors(topology)})};
}

std::set<int> processors_of(const BindingPlan& plan) {
  std::set<int> all;
  for (const std::vector<int>& thread : plan.processors) all.insert(thread.begin(), thread.end());
  return all;
}

const Processor& find(const Topology& topology, int number) {
  return *std::find_if(topology.begin(), topology.end(),
                       [number](const Processor& processor) { return processor.number == number; });
}

std::set<int> domains_of(const Topology& topology, const std::set<int>& processors) {
  std::set<int> domains;
  for (const int processor : processors) domains.insert(find(topology, processor).numa_domain);
  return domains;
}

/// Checks that every plan that binds must pass, on any machine.
void check_plans(const Scene& scene, BindingPolicy policy) {
  std::map<int, std::size_t> owner;  // the rank of each processor that a thread is bound to
  for (std::size_t rank = 0; rank < scene.ranks.size(); ++rank) {
    const BindingPlan plan = scene.plan(rank, policy);
    ASSERT_EQ(plan.binding, policy == BindingPolicy::core ? Binding::core : Binding::numa);
    EXPECT_THAT(plan.reason, IsEmpty());
    const auto threads = static_cast<std::size_t>(scene.ranks[rank].threads);
    ASSERT_EQ(plan.processors.size(), threads);
    EXPECT_GE(processors_of(plan).size(), threads);
    for (const int processor : processors_of(plan)) {
      EXPECT_TRUE(std::binary_search(scene.ranks[rank].usable.begin(), scene.ranks[rank].usable.end(), processor));
      EXPECT_TRUE(owner.emplace(processor, rank).second) << "two ranks have processor " << processor;
    }
    std::set<int> taken;
    for (const std::vector<int>& processors : plan.processors) {
      ASSERT_FALSE(processors.empty());
      EXPECT_TRUE(std::is_sorted(processors.begin(), processors.end()));
      const std::set<int> own(processors.begin(), processors.end());
      EXPECT_EQ(domains_of(scene.topology, own).size(), 1U) << "a thread's memory is in one domain";
      if (policy != BindingPolicy::core) continue;
      for (const int processor : processors) EXPECT_TRUE(taken.insert(processor).second) << "two threads share it";
      for (const int processor : processors) {
        EXPECT_EQ(find(scene.topology, processor).core, find(scene.topology, processors.front()).core);
      }
    }
  }
}

TEST(BindingPlan, FitsTogetherOnEveryMachine) {
  for (const test::MachineShape shape : std::vector<test::MachineShape>{
           {1, 1, 1, 1}, {1, 1, 2, 1}, {2, 2, 4, 2}, {2, 1, 3, 1}, {1, 3, 5, 4}, {4, 2, 8, 2}, {1, 1, 7, 2}}) {
    const std::size_t processors = test::make_machine(shape).size();
    for (const std::size_t ranks : {1U, 2U, 3U, 4U, 7U, 8U}) {
      for (int threads = 1; static_cast<std::size_t>(threads) * ranks <= processors; ++threads) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks of " << threads << " on " << processors);
        check_plans(whole_machine(shape, ranks, threads), BindingPolicy::core);
        check_plans(whole_machine(shape, ranks, threads), BindingPolicy::numa);
      }
    }
  }
}

TEST(BindingPlan, GivesRanksTheirOwnDomains) {
  const test::MachineShape shape{2, 2, 4, 2};
  for (const auto policy : {BindingPolicy::core, BindingPolicy::numa}) {
    for (const std::size_t ranks : {4U, 8U, 16U}) {  // as many as there are domains, and multiples
      const Scene scene = whole_machine(shape, ranks, 32 / static_cast<int>(ranks));
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        EXPECT_THAT(domains_of(scene.topology, processors_of(scene.plan(rank, policy))),
                    ElementsAre(static_cast<int>(rank * 4 / ranks)));
      }
    }
    const Scene scene = whole_machine(shape, 2, 16);  // a socket each
    EXPECT_THAT(domains_of(scene.topology, processors_of(scene.plan(0, policy))), ElementsAre(0, 1));
    EXPECT_THAT(domains_of(scene.topology, processors_of(scene.plan(1, policy))), ElementsAre(2, 3));
  }
}

TEST(BindingPlan, KeepsRanksInOneDomainThoughSomeGetMore) {
  const Scene scene = whole_machine({2, 1, 4, 1}, 3, 2);
  EXPECT_THAT(processors_of(scene.plan(0, BindingPolicy::numa)), ElementsAre(0, 1));
  EXPECT_THAT(processors_of(scene.plan(1, BindingPolicy::numa)), ElementsAre(2, 3));
  EXPECT_THAT(processors_of(scene.plan(2, BindingPolicy::numa)), ElementsAre(4, 5, 6, 7));
  const Scene pairs = whole_machine({2, 2, 1, 1}, 3, 1);
  EXPECT_THAT(processors_of(pairs.plan(0, BindingPolicy::core)), ElementsAre(0)) << "the rank has one of two domains";
  EXPECT_THAT(processors_of(pairs.plan(1, BindingPolicy::core)), ElementsAre(2));
}

TEST(BindingPlan, KeepsThreadsOfOneRankInItsDomains) {
  const Scene scene = whole_machine({2, 1, 4, 2}, 1, 8);
  const BindingPlan plan = scene.plan(0, BindingPolicy::numa);
  for (std::size_t thread = 0; thread < 8; ++thread) {
    const std::vector<int> first = {0, 1, 2, 3, 8, 9, 10, 11};
    const std::vector<int> second = {4, 5, 6, 7, 12, 13, 14, 15};
    EXPECT_EQ(plan.processors[thread], thread < 4 ? first : second);
  }
}

TEST(BindingPlan, BindsToWholeCoresAsLongAsThereAreEnough) {
  const Topology topology = test::make_machine({1, 1, 4, 2});
  EXPECT_THAT(whole_machine({1, 1, 4, 2}, 1, 4).plan(0, BindingPolicy::core).processors,
              ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5), ElementsAre(2, 6), ElementsAre(3, 7)));
  EXPECT_THAT(whole_machine({1, 1, 4, 2}, 1, 2).plan(0, BindingPolicy::core).processors,
              ElementsAre(ElementsAre(0, 4), ElementsAre(2, 6)))
      << "threads are spread out";
  EXPECT_THAT(whole_machine({1, 1, 2, 2}, 1, 4).plan(0, BindingPolicy::core).processors,
              ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(1), ElementsAre(3)));
  EXPECT_THAT(whole_machine({1, 1, 1, 2}, 2, 1).plan(1, BindingPolicy::core).processors, ElementsAre(ElementsAre(1)))
      << "more ranks than cores";
}

TEST(BindingPlan, CutsDomainsWhereTheyDifferTooMuch) {
  Scene scene = whole_machine({2, 1, 4, 1}, 2, 3);
  for (RankOnMachine& rank : scene.ranks) rank.usable = {3, 4, 5, 6, 7};  // one processor of domain 0
  for (RankOnMachine& rank : scene.ranks) rank.threads = 2;
  EXPECT_THAT(processors_of(scene.plan(0, BindingPolicy::core)), ElementsAre(3, 4));
  EXPECT_THAT(processors_of(scene.plan(0, BindingPolicy::numa)), ElementsAre(3, 4, 5));
  EXPECT_THAT(processors_of(scene.plan(1, BindingPolicy::numa)), ElementsAre(6, 7));
  for (RankOnMachine& rank : scene.ranks) rank.threads = 1;
  EXPECT_THAT(processors_of(scene.plan(0, BindingPolicy::numa)), ElementsAre(3));
  check_plans(scene, BindingPolicy::numa);
}

TEST(BindingPlan, GivesRanksWithMoreThreadsEnough) {
  Scene scene = whole_machine({1, 1, 4, 2}, 2, 1);
  scene.ranks[0].threads = 4;
  scene.ranks[1].threads = 4;
  check_plans(scene, BindingPolicy::core);
  scene.ranks[0].threads = 5;
  EXPECT_EQ(scene.plan(1, BindingPolicy::core).binding, Binding::none);
}

TEST(BindingPlan, IsNoneWithMoreThreadsThanProcessors) {
  for (const auto policy : {BindingPolicy::automatic, BindingPolicy::core, BindingPolicy::numa}) {
    for (const auto& scene :
         {whole_machine({2, 1, 4, 2}, 1, 17), whole_machine({2, 1, 4, 2}, 17, 1), whole_machine({2, 1, 4, 2}, 4, 5)}) {
      for (std::size_t rank = 0; rank < scene.ranks.size(); ++rank) {
        const BindingPlan plan = scene.plan(rank, policy);
        EXPECT_EQ(plan.binding, Binding::none);
        EXPECT_THAT(plan.reason, HasSubstr("more threads than processors"));
        EXPECT_THAT(plan.processors, IsEmpty());
      }
    }
  }
}

TEST(BindingPlan, LeavesALaunchersBindingAlone) {
  for (const auto policy : {BindingPolicy::automatic, BindingPolicy::none, BindingPolicy::core, BindingPolicy::numa}) {
    Scene scene = whole_machine({2, 1, 4, 1}, 2, 2);
    scene.ranks[1] = {.threads = 2, .usable = {4, 5}, .narrowed = true};
    for (const std::size_t rank : {0U, 1U}) {
      EXPECT_EQ(scene.plan(rank, policy).binding, Binding::launcher);
      EXPECT_THAT(scene.plan(rank, policy).processors, IsEmpty());
    }
    scene.ranks[0].usable = {0, 1, 2, 3};  // two overlapping control groups
    scene.ranks[1] = {.threads = 2, .usable = {3, 4, 5}};
    for (const std::size_t rank : {0U, 1U}) EXPECT_EQ(scene.plan(rank, policy).binding, Binding::launcher);
  }
}

TEST(BindingPlan, StaysInsideControlGroupsOfTheirOwn) {
  Scene scene = whole_machine({2, 1, 4, 1}, 4, 2);
  for (const std::size_t rank : {0U, 1U}) scene.ranks[rank].usable = {0, 1, 4, 5};
  scene.ranks[2].usable = {2, 3};
  scene.ranks[3].usable = {6, 7};
  check_plans(scene, BindingPolicy::core);
  check_plans(scene, BindingPolicy::numa);
  EXPECT_THAT(processors_of(scene.plan(1, BindingPolicy::core)), ElementsAre(4, 5));
  EXPECT_THAT(processors_of(scene.plan(2, BindingPolicy::core)), ElementsAre(2, 3));
}

TEST(BindingPlan, ChoosesDomainsWhereThereAreSeveralAndNoCoreIsLeft) {
  EXPECT_EQ(whole_machine({2, 1, 4, 2}, 2, 4).plan(0, BindingPolicy::automatic).binding, Binding::numa);
  EXPECT_EQ(whole_machine({2, 1, 4, 2}, 1, 16).plan(0, BindingPolicy::automatic).binding, Binding::numa);
  EXPECT_EQ(whole_machine({2, 1, 4, 2}, 1, 7).plan(0, BindingPolicy::automatic).binding, Binding::none);
  EXPECT_EQ(whole_machine({2, 1, 4, 2}, 2, 3).plan(0, BindingPolicy::automatic).binding, Binding::none);
  for (const std::size_t ranks : {1U, 2U}) {
    const Scene scene = whole_machine({1, 1, 8, 2}, ranks, 16 / static_cast<int>(ranks));
    EXPECT_EQ(scene.plan(0, BindingPolicy::automatic).binding, Binding::none);
    EXPECT_THAT(scene.plan(0, BindingPolicy::automatic).reason, HasSubstr("one NUMA domain"));
  }
}

TEST(BindingPlan, IsNoneWhereNothingIsKnown) {
  Scene scene = whole_machine({2, 1, 4, 1}, 2, 4);
  scene.topology.clear();
  EXPECT_EQ(scene.plan(0, BindingPolicy::core).binding, Binding::none);
  EXPECT_THAT(scene.plan(0, BindingPolicy::core).reason, HasSubstr("not known"));
  EXPECT_EQ(whole_machine({2, 1, 4, 1}, 1, 8).plan(0, BindingPolicy::none).binding, Binding::none);
}

TEST(FairThreads, AreTheProcessorsOverThoseWhoShareThem) {
  Scene scene = whole_machine({1, 1, 8, 1}, 3, 0);
  EXPECT_EQ(fair_threads(scene.ranks, 0), 2);
  scene.ranks.resize(1);
  EXPECT_EQ(fair_threads(scene.ranks, 0), 8);
  scene.ranks.resize(9, scene.ranks[0]);
  EXPECT_EQ(fair_threads(scene.ranks, 8), 1);
  scene.ranks.resize(2);
  scene.ranks[0].usable = {0, 1, 2};
  scene.ranks[1].usable = {2, 3, 4, 5, 6, 7};
  EXPECT_EQ(fair_threads(scene.ranks, 0), 2);
  EXPECT_EQ(fair_threads(scene.ranks, 1), 5);
}

}  // namespace
}  // namespace breadth
