// Ranks on machines with disks of their own: paths of their own stand for one path that leads to another file there.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::error_of;
using test::TemporaryDirectory;
using testing::AllOf;
using testing::HasSubstr;

bool on_last_rank() { return test::world().rank() == test::world().size() - 1; }

/// What reading a graph says whose file has other content on the last rank than on the others.
std::string error_between(const TemporaryDirectory& directory, const std::string& ending, const std::string& content,
                          const std::string& on_last) {
  const std::string path = directory.file("rank" + std::to_string(test::world().rank()) + ending);
  std::ofstream(path, std::ios::binary) << (on_last_rank() ? on_last : content);
  ThreadTeam threads(1);
  return error_of([&] { read_graph(path, {}, {test::world(), threads}); });
}

class SameFile : public testing::Test {
 protected:
  void SetUp() override {
    if (test::world().size() == 1) GTEST_SKIP() << "needs several ranks";
  }
  TemporaryDirectory directory_;
};

TEST_F(SameFile, IsTakenOfAnyFormatWhereItsCopiesAreAlike) {
  EXPECT_EQ(error_between(directory_, ".txt", "1 2\n", "1 2\n"), "");
  EXPECT_EQ(error_between(directory_, ".g500", std::string(12, '\0'), std::string(12, '\0')), "");
}

TEST_F(SameFile, MustHaveTheSameSize) {
  EXPECT_THAT(error_between(directory_, ".txt", "1 2\n2 3\n", "1 2\n2 3\n3 4\n"),
              AllOf(HasSubstr(".txt' has 12 bytes here, but 8 on rank 0"), HasSubstr("that all ranks share")));
  EXPECT_THAT(error_between(directory_, ".txt", "1 2\n", ""), HasSubstr("has 0 bytes here, but 4 on rank 0"));
}

TEST_F(SameFile, MustHaveTheSameContentAtItsEnds) {
  const std::string middle(1 << 16, '#');
  EXPECT_THAT(error_between(directory_, ".txt", "1 2\n" + middle, "1 3\n" + middle),
              HasSubstr("has other content here than on rank 0"));
  EXPECT_THAT(error_between(directory_, ".wel", "1 2 3\n#" + middle + "\n1 2 3\n", "1 2 3\n#" + middle + "\n1 2 4\n"),
              HasSubstr("has other content here than on rank 0"));
}

TEST_F(SameFile, MustBeThereOnAllRanks) {
  const std::string content = "1 2\n";
  const std::string path = directory_.file("rank" + std::to_string(test::world().rank()) + ".txt");
  if (!on_last_rank()) std::ofstream(path, std::ios::binary) << content;
  ThreadTeam threads(1);
  EXPECT_THAT(error_of([&] {
                read_graph(path, {}, {test::world(), threads});
              }),
              HasSubstr("No such file or directory (on rank"));
}

// One rank with weights and others without would not even do the same steps.
TEST_F(SameFile, IsThatOfWeightsToo) {
  const std::string weights = directory_.file("rank" + std::to_string(test::world().rank()) + ".g500.weights");
  const std::string edge(12, '\0');
  std::ofstream(weights, std::ios::binary) << std::string(4, on_last_rank() ? '\1' : '\0');
  EXPECT_THAT(error_between(directory_, ".g500", edge, edge),
              HasSubstr(".g500.weights' has other content here than on rank 0"));
  if (on_last_rank()) std::remove(weights.c_str());
  EXPECT_THAT(error_between(directory_, ".g500", edge, edge),
              AllOf(HasSubstr(".g500.weights'"), HasSubstr("No such file or directory")));
}

}  // namespace
}  // namespace breadth
