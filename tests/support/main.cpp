// The main function of every test program: starts message passing, runs the cases on every rank, and fails on every
// rank when a case failed on any. Only rank 0 reports progress.
#include <gtest/gtest.h>

#include <memory>

#include "support/ranks.hpp"

namespace {
std::unique_ptr<breadth::Communicator> world_communicator;
}

const breadth::Communicator& breadth::test::world() { return *world_communicator; }

int main(int argc, char** argv) {
  const breadth::MessagePassing message_passing(argc, argv);
  world_communicator = std::make_unique<breadth::Communicator>(message_passing.world());
  testing::InitGoogleTest(&argc, argv);
  if (world_communicator->rank() != 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    testing::TestEventListener* printer = listeners.Release(listeners.default_result_printer());
    delete printer;
    listeners.Append(new breadth::test::FailurePrinter);
  }
  const std::int64_t failed = RUN_ALL_TESTS() != 0 ? 1 : 0;
  const bool failed_anywhere = world_communicator->all_reduce(failed, breadth::Reduction::maximum) != 0;
  world_communicator.reset();
  return failed_anywhere ? 1 : 0;
}
