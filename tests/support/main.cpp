// The main function of every test program: starts message passing, runs the cases on every rank, and fails on every
// rank when a case failed on any, or when no case ran. Only rank 0 reports progress. A program all of whose cases were
// skipped exits with 77, so that ctest counts it as skipped instead of passed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "support/ranks.hpp"

namespace breadth::test {
namespace {

constexpr int skipped_status = 77;
std::unique_ptr<Communicator> world_communicator;

/// Appends a line for each case to the file that BREADTH_TEST_CASES names: its name, and why it was skipped if it was.
/// `tools/test` sums up what was skipped and what ran nowhere.
class CaseList : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& info) override {
    const char* path = std::getenv("BREADTH_TEST_CASES");
    if (path == nullptr) return;
    std::string reason;
    for (int i = 0; i < info.result()->total_part_count(); ++i) {
      const testing::TestPartResult& part = info.result()->GetTestPartResult(i);
      if (part.skipped()) reason = part.message();
    }
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    std::ofstream(path, std::ios::app) << info.test_suite_name() << '.' << info.name() << '\t' << reason << '\n';
  }
};

/// Runs the cases; the status to exit with, the same on every rank.
int run_cases() {
  testing::UnitTest& cases = *testing::UnitTest::GetInstance();
  testing::TestEventListeners& listeners = cases.listeners();
  if (world().rank() == 0) {
    listeners.Append(new CaseList);
  } else {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  std::int64_t failed = RUN_ALL_TESTS() != 0 ? 1 : 0;
  if (cases.test_to_run_count() == 0) {
    std::fprintf(stderr, "no case matches the filter '%s'\n", testing::GTEST_FLAG(filter).c_str());
    failed = 1;
  }
  if (world().all_reduce(failed, Reduction::maximum) != 0) return EXIT_FAILURE;
  if (testing::GTEST_FLAG(list_tests)) return EXIT_SUCCESS;
  const std::int64_t passed = cases.successful_test_count();
  return world().all_reduce(passed, Reduction::maximum) == 0 ? skipped_status : EXIT_SUCCESS;
}

}  // namespace

const Communicator& world() { return *world_communicator; }

}  // namespace breadth::test

int main(int argc, char** argv) {
  using breadth::test::world_communicator;
  const breadth::MessagePassing message_passing(argc, argv);
  world_communicator = std::make_unique<breadth::Communicator>(message_passing.world());
  testing::InitGoogleTest(&argc, argv);
  const int status = breadth::test::run_cases();
  world_communicator.reset();
  return status;
}
