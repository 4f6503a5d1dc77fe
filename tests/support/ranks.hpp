// Test cases that run on several ranks.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "comm/communicator.hpp"

namespace breadth::test {

/// All ranks of the test program. A case that uses it must run the same steps on every rank.
const Communicator& world();

/// Whether the running case has failed on any rank. All ranks get the same answer, so that a loop that ends at the
/// first failure ends on all of them and no rank waits for the others. Collective.
inline bool failed_anywhere() {
  const std::int64_t failed = testing::Test::HasFailure() ? 1 : 0;
  return world().all_reduce(failed, Reduction::maximum) != 0;
}

/// Prints failures only, with the rank on which they happened.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", world().rank(), result.file_name(), result.line_number(),
                 result.message());
  }
};

}  // namespace breadth::test
