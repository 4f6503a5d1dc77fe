#include "core/parallel/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/errors.hpp"

namespace breadth {
namespace {

class ThreadTeams : public testing::TestWithParam<int> {
 protected:
  int size() const { return GetParam(); }
  std::size_t count() const { return static_cast<std::size_t>(size()); }
};

TEST_P(ThreadTeams, RunABodyOnceOnEachThread) {
  ThreadTeam threads(size());
  EXPECT_EQ(threads.size(), size());
  const std::thread::id caller = std::this_thread::get_id();
  for (int round = 0; round < 3000; ++round) {
    std::vector<int> calls(count());
    std::vector<std::thread::id> on(count());
    threads.run([&](int thread) {
      ++calls[static_cast<std::size_t>(thread)];
      on[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
    });
    ASSERT_EQ(calls, std::vector<int>(count(), 1));
    ASSERT_EQ(on[0], caller);
    for (std::size_t i = 1; i < count(); ++i) ASSERT_NE(on[i], caller);
  }
}

TEST_P(ThreadTeams, SeeWhatRoundsBeforeWrote) {
  ThreadTeam threads(size());
  std::vector<int> values(count());
  for (int round = 0; round < 500; ++round) {
    threads.run([&](int thread) {  // each adds one to the value that another thread wrote in the round before
      const auto next = static_cast<std::size_t>((thread + round) % size());
      ++values[next];
    });
  }
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 500 * size());
}

TEST_P(ThreadTeams, MeetAtBarriers) {
  ThreadTeam threads(size());
  std::vector<int> step(count());
  std::atomic<int> ahead{0};
  threads.run([&](int thread) {
    const auto self = static_cast<std::size_t>(thread);
    for (int round = 1; round <= 1000; ++round) {
      step[self] = round;
      threads.barrier();
      for (const int other : step) ahead += other == round ? 0 : 1;
      threads.barrier();
    }
  });
  EXPECT_EQ(ahead, 0);
}

TEST_P(ThreadTeams, ThrowWhatABodyThrewAndStayUsable) {
  ThreadTeam threads(size());
  for (int thrower = 0; thrower < size(); ++thrower) {
    std::atomic<int> finished{0};
    try {
      threads.run([&](int thread) {
        if (thread == thrower) throw Error("thread " + std::to_string(thread));
        ++finished;
      });
      FAIL() << "the exception of thread " << thrower << " was lost";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "thread " + std::to_string(thrower));
    }
    EXPECT_EQ(finished, size() - 1);
    std::atomic<int> calls{0};
    threads.run([&](int) { ++calls; });
    EXPECT_EQ(calls, size());
  }
}

TEST_P(ThreadTeams, ThrowOneExceptionWhenAllThreadsThrow) {
  ThreadTeam threads(size());
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(threads.run([](int thread) { throw std::out_of_range(std::to_string(thread)); }), std::out_of_range);
  }
  EXPECT_NO_THROW(threads.run([](int) {}));
}

TEST_P(ThreadTeams, WakeAfterAnIdleTime) {
  ThreadTeam threads(size());
  std::atomic<int> calls{0};
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // long enough for waiting threads to be asleep
    threads.run([&](int thread) {
      if (thread == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      threads.barrier();
      ++calls;
    });
  }
  EXPECT_EQ(calls, 3 * size());
}

TEST_P(ThreadTeams, TakeBodiesOfEveryKind) {
  ThreadTeam threads(size());
  static std::atomic<int> calls;
  calls = 0;
  struct Counter {
    void operator()(int) const { ++calls; }
  };
  const Counter constant;
  threads.run(constant);
  threads.run(Counter{});
  threads.run(+[](int) { ++calls; });
  EXPECT_EQ(calls, 3 * size());
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadTeams, testing::Values(1, 2, 3, 8));

TEST(ThreadTeam, NeedsAThread) {
  EXPECT_THROW(ThreadTeam(0), Error);
  EXPECT_THROW(ThreadTeam(-3), Error);
}

TEST(ThreadTeam, MayEndWithoutEverRunning) {
  for (int round = 0; round < 50; ++round) ThreadTeam(3);
}

TEST(ThreadTeam, TeamsDoNotDisturbEachOther) {
  ThreadTeam first(3);
  ThreadTeam second(2);
  std::atomic<int> calls{0};
  for (int round = 0; round < 200; ++round) {
    first.run([&](int thread) {
      if (thread == 0) second.run([&](int) { ++calls; });  // another team may work inside a body
      ++calls;
    });
  }
  EXPECT_EQ(calls, 200 * 5);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers need the address space
TEST(ThreadTeam, SaysWhenTheMachineGivesNoMoreThreads) {
  std::uint64_t mapped_pages = 0;
  std::ifstream("/proc/self/statm") >> mapped_pages;
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &limit), 0);
  rlimit tight = limit;  // enough for some stacks, not for 5000
  tight.rlim_cur = mapped_pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{1} << 28);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  std::string message;
  try {
    const ThreadTeam threads(5000);
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_AS, &limit);
  EXPECT_NE(message.find("cannot start 5000 threads, only "), std::string::npos) << message;
}
#endif

}  // namespace
}  // namespace breadth
