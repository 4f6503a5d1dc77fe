// Suggestions of the known word that was probably meant.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/options/option_set.hpp"
#include "core/text.hpp"

namespace breadth::cli {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("scale", "sacle"), 1U);
  EXPECT_EQ(edit_distance("scale", "scales"), 1U);
  EXPECT_EQ(edit_distance("abcd", "abcd"), 0U);
}

TEST(Nearest, IsTheFirstOfTheNearest) {
  const std::vector<std::string> known = {"alpha", "beta", "betas"};
  EXPECT_EQ(nearest("bta", known), "beta");
  EXPECT_EQ(nearest("beta", known), "beta");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest_if_near("bta", known, "--"), "; the nearest is --beta");
  EXPECT_EQ(nearest_if_near("gamma", known), "");
  EXPECT_EQ(nearest_if_near("x", {}), "");
}

}  // namespace
}  // namespace breadth::cli
