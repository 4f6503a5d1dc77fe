// Test cases that run on several ranks.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "comm/communicator.hpp"

namespace breadth::test {

/// All ranks of the test program. A case that uses it runs the same steps on every rank.
const Communicator& world();

/// Prints failures, and nothing else, with the rank they happened on.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", world().rank(), result.file_name(), result.line_number(),
                 result.message());
  }
};

}  // namespace breadth::test
