// The main function of every test program in a build whose ranks are threads of one process, for thread sanitizers.
// Runs each case on TEST_RANKS ranks at the same time (on one without that variable). The main thread is rank 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comm/threads/thread_ranks.hpp"
#include "core/errors.hpp"
#include "support/case_list.hpp"
#include "support/ranks.hpp"

namespace {

/// Gives access to GoogleTest's private members: access is not checked in an explicit instantiation.
template <class Name, typename Name::Type member>
struct Reveal {
  friend typename Name::Type reveal(Name) { return member; }
};
struct Factory {
  using Type = testing::internal::TestFactoryBase* const testing::TestInfo::*;
  friend Type reveal(Factory);
};
struct Body {
  using Type = void (testing::Test::*)();
  friend Type reveal(Body);
};
template struct Reveal<Factory, &testing::TestInfo::factory_>;
template struct Reveal<Body, &testing::Test::TestBody>;

struct SetUpAndTearDown : testing::Test {
  static constexpr auto set_up = &SetUpAndTearDown::SetUp;
  static constexpr auto tear_down = &SetUpAndTearDown::TearDown;
};

thread_local const breadth::Communicator* world_of_thread = nullptr;

/// Runs every case on the other ranks. GoogleTest sees only the run on rank 0, and accepts failures from any thread.
class OtherRanks : public testing::EmptyTestEventListener {
 public:
  explicit OtherRanks(int count) : worlds_(breadth::ranks_of_threads(count)) { world_of_thread = &worlds_.front(); }

  /// Called when rank 0 needs the other ranks. They start no earlier, because GoogleTest sets a case's parameter when
  /// it makes rank 0's test.
  void start() {
    if (waiting_.empty()) return;
    const auto tests = std::exchange(waiting_, {});
    for (std::size_t rank = 1; rank < worlds_.size(); ++rank) {
      threads_.emplace_back([this, rank, test = tests[rank - 1]] { run(rank, *test); });
    }
  }

 private:
  void OnTestStart(const testing::TestInfo& info) override {
    for (std::size_t rank = 1; rank < worlds_.size(); ++rank) {
      world_of_thread = &worlds_[rank];
      tests_.emplace_back((info.*reveal(Factory()))->CreateTest());
      waiting_.push_back(tests_.back().get());
    }
    world_of_thread = &worlds_.front();
  }

  void OnTestEnd(const testing::TestInfo& /*info*/) override {
    start();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    tests_.clear();
  }

  void run(std::size_t rank, testing::Test& test) {
    world_of_thread = &worlds_[rank];
    const testing::ScopedTrace trace(__FILE__, __LINE__, "on rank " + std::to_string(rank));
    try {
      (test.*SetUpAndTearDown::set_up)();
      if (!testing::Test::HasFatalFailure() && !testing::Test::IsSkipped()) (test.*reveal(Body()))();
      (test.*SetUpAndTearDown::tear_down)();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "exception: " << error.what();
    }
  }

  std::vector<breadth::Communicator> worlds_;
  std::vector<std::unique_ptr<testing::Test>> tests_;
  std::vector<testing::Test*> waiting_;
  std::vector<std::thread> threads_;
};

OtherRanks* other_ranks = nullptr;
}  // namespace

const breadth::Communicator& breadth::test::world() {
  if (world_of_thread == nullptr) breadth::fail("world() is for the threads that are ranks, not for their teams");
  if (world_of_thread->rank() == 0) other_ranks->start();
  return *world_of_thread;
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* const ranks = std::getenv("TEST_RANKS");
  other_ranks = new OtherRanks(ranks == nullptr ? 1 : std::max(1, std::atoi(ranks)));
  testing::UnitTest& cases = *testing::UnitTest::GetInstance();
  cases.listeners().Append(new breadth::test::CaseList);
  cases.listeners().Append(other_ranks);  // the last listener is informed first that a case ends
  if (RUN_ALL_TESTS() != 0 || !breadth::test::any_case_matches()) return EXIT_FAILURE;
  return breadth::test::status_without_failures(cases.successful_test_count() > 0);
}
