#include <gtest/gtest.h>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::error_of;
using test::TemporaryDirectory;
using testing::EndsWith;
using testing::HasSubstr;

class RequireVertex : public testing::Test {
 protected:
  GraphFile graph(const std::string& name, const std::string& content) {
    return read_graph(directory_.write(name, content), {}, context_);
  }
  std::string refusal(const GraphFile& graph, const std::string& name) {
    return error_of([&] { require_vertex(graph, name, context_); });
  }

  TemporaryDirectory directory_;
  ThreadTeam threads_{2};
  Context context_{test::world(), threads_};
};

TEST_F(RequireVertex, OfLabelsThatAreKept) {
  const GraphFile some = graph("a.txt", "1 2\n2 8\n8 20\n");
  EXPECT_EQ(require_vertex(some, "8", context_), Label{8});
  EXPECT_EQ(require_vertex(some, "+20", context_), Label{20});
  EXPECT_THAT(refusal(some, "5"), EndsWith("its vertices run from 1 to 20, and the nearest are 2 and 8"));
  EXPECT_THAT(refusal(some, "0"), EndsWith("vertex 0 is not in '" + some.path + "'; its vertices run from 1 to 20"));
  EXPECT_THAT(refusal(some, "21"), EndsWith("its vertices run from 1 to 20"));
  EXPECT_THAT(refusal(some, "-1"), EndsWith("its vertices run from 1 to 20"));
  EXPECT_THAT(refusal(some, "9223372036854775807"), EndsWith("its vertices run from 1 to 20"));
  EXPECT_THAT(refusal(some, "alice"), HasSubstr("vertex 'alice' is not in"));
  EXPECT_THAT(refusal(some, ""), HasSubstr("vertices are integers"));
  EXPECT_THAT(refusal(some, "1.0"), HasSubstr("vertices are integers"));
}

TEST_F(RequireVertex, OfRows) {
  const GraphFile some = graph("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n2 3\n");
  EXPECT_EQ(require_vertex(some, "9", context_), Label{8});
  EXPECT_THAT(refusal(some, "0"), EndsWith("its vertices run from 1 to 9"));
  EXPECT_THAT(refusal(some, "10"), EndsWith("its vertices run from 1 to 9"));
}

TEST_F(RequireVertex, OfADictionary) {
  const GraphFile integers = graph("a.txt", "-5 7000000000000\n-5 12\n");
  EXPECT_EQ(require_vertex(integers, "12", context_), Label{1});
  EXPECT_THAT(refusal(integers, "13"), EndsWith("run from '-5' to '7000000000000'. Did you mean '12'?"));
  EXPECT_THAT(refusal(integers, "x"), HasSubstr("vertices are integers"));
  const GraphFile words = graph("b.txt", "alice bob\nbob carol\n");
  EXPECT_EQ(require_vertex(words, "bob", context_), Label{1});
  EXPECT_THAT(refusal(words, "Carol"), EndsWith("run from 'alice' to 'carol'. Did you mean 'carol'?"));
  EXPECT_THAT(refusal(words, "7"), EndsWith("its vertices run from 'alice' to 'carol'"));
}

TEST_F(RequireVertex, OfAPackedFile) {
  const GraphFile some = graph("a.g500", std::string("\x03\0\0\0\x09\0\0\0\0\0\0\0", 12));
  EXPECT_EQ(require_vertex(some, "9", context_), Label{9});
  EXPECT_THAT(refusal(some, "4"), EndsWith("its vertices run from 3 to 9, and the nearest are 3 and 9"));
}

}  // namespace
}  // namespace breadth
