// The main function of every test program: starts message passing, runs the cases on every rank, and fails on every
// rank if a case failed on any rank or no case ran. Only rank 0 reports progress. If all cases were skipped, the
// program exits with 77, so that ctest counts it as skipped instead of passed.
#include <gtest/gtest.h>

#include <memory>

#include "support/case_list.hpp"
#include "support/ranks.hpp"

namespace breadth::test {
namespace {

std::unique_ptr<Communicator> world_communicator;

/// Runs the cases. Returns the exit status, the same on every rank.
int run_cases() {
  testing::UnitTest& cases = *testing::UnitTest::GetInstance();
  testing::TestEventListeners& listeners = cases.listeners();
  if (world().rank() == 0) {
    listeners.Append(new CaseList);
  } else {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  const bool good = RUN_ALL_TESTS() == 0 && any_case_matches();
  if (world().all_reduce(std::int64_t{good ? 0 : 1}, Reduction::maximum) != 0) return EXIT_FAILURE;
  const std::int64_t passed = cases.successful_test_count();
  return status_without_failures(world().all_reduce(passed, Reduction::maximum) > 0);
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
