#include "core/errors.hpp"

#include <gtest/gtest.h>

namespace breadth {
namespace {

TEST(Fail, ThrowsTheFormattedMessage) {
  try {
    fail("{}:{}: no number: {}", "graph.txt", 17, "x7");
  } catch (const UsageError&) {
    FAIL() << "a plain Error was expected";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "graph.txt:17: no number: x7");
  }
}

TEST(Fail, ThrowsTheTypeAskedFor) {
  EXPECT_THROW(fail<UsageError>("--scale {}", 99), UsageError);
  EXPECT_THROW(fail<UsageError>("--scale {}", 99), Error);
}

}  // namespace
}  // namespace breadth
