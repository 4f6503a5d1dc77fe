#include "io/files/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::error_of;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Runs a step on the first rank while the others wait.
template <class Step>
void on_first_rank(Step&& step) {
  if (test::world().rank() == 0) step();
  test::world().barrier();
}

TEST(OutputFile, IsThereOnceCommitted) {
  const TemporaryDirectory directory;
  on_first_rank([&] {
    OutputFile file(directory.file("out.txt"));
    file.write("one ");
    file.write("two");
    EXPECT_FALSE(std::filesystem::exists(directory.file("out.txt")));
    file.commit();
    EXPECT_EQ(content_of(directory.file("out.txt")), "one two");
  });
  EXPECT_THAT(directory.names(), ElementsAre("out.txt"));
}

TEST(OutputFile, LeavesTheOldFileUntilTheNewOneIsWhole) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("out.txt", "old");
  on_first_rank([&] {
    {
      OutputFile abandoned(path);
      abandoned.write("half");
      EXPECT_EQ(content_of(path), "old");
    }
    EXPECT_THAT(directory.names(), ElementsAre("out.txt"));
    OutputFile whole(path);
    whole.write("new");
    whole.commit();
    EXPECT_EQ(content_of(path), "new");
  });
}

/// A killed process leaves its file behind, but not its lock.
TEST(OutputFile, RemovesWhatKilledWritersLeft) {
  const TemporaryDirectory directory;
  for (const char* left : {".out.txt.partial-1-0", ".out.txt.partial-2-7", ".other.txt.partial-1-0"}) {
    EXPECT_EQ(content_of(directory.write(left, "half")), "half");
  }
  on_first_rank([&] {
    OutputFile alive(directory.file("out.txt"));
    alive.write("whole");
    {
      const OutputFile another(directory.file("out.txt"));
      const std::string partial = std::filesystem::path(alive.temporary_path()).filename();
      const std::string other = std::filesystem::path(another.temporary_path()).filename();
      EXPECT_THAT(directory.names(), UnorderedElementsAre(".other.txt.partial-1-0", partial, other));
    }
    alive.commit();
    EXPECT_EQ(content_of(directory.file("out.txt")), "whole");
  });
  EXPECT_THAT(directory.names(), ElementsAre(".other.txt.partial-1-0", "out.txt"));
}

/// A signal handler calls remove_partial_files().
TEST(OutputFile, RemovesWhatIsNotComplete) {
  const TemporaryDirectory directory;
  on_first_rank([&] {
    OutputFile complete(directory.file("complete.txt"));
    complete.commit();
    const OutputFile partial(directory.file("partial.txt"));
    const OutputFile another(directory.file("another.txt"));
    EXPECT_EQ(directory.names().size(), 3);
    remove_partial_files();
    EXPECT_THAT(directory.names(), ElementsAre("complete.txt"));
  });
}

TEST(OutputFile, FollowsLinksAndKeepsThem) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("real.txt", "old");
  on_first_rank([&] {
    std::filesystem::create_symlink(path, directory.file("link.txt"));
    OutputFile file(directory.file("link.txt"));
    file.write("new");
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link.txt")));
    EXPECT_EQ(content_of(path), "new");
  });
}

TEST(OutputFile, FindsOutEarlyWhatCannotBeWritten) {
  const TemporaryDirectory directory;
  on_first_rank([&] {
    const auto refusal = [](const std::string& path) { return error_of([&] { OutputFile file(path); }); };
    EXPECT_THAT(refusal(directory.file("missing/out.txt")), HasSubstr("missing/out.txt': No such file or directory"));
    EXPECT_THAT(refusal(directory.file("")), HasSubstr("it is a directory"));
    EXPECT_THAT(refusal(directory.file("new/")), HasSubstr("directory"));
    EXPECT_THAT(refusal("/dev/null"), HasSubstr("not a regular file"));
    EXPECT_THAT(refusal(""), HasSubstr("without a name"));
    EXPECT_THAT(refusal("-"), HasSubstr("not standard output"));
    std::filesystem::create_symlink("nowhere", directory.file("link"));
    EXPECT_THAT(refusal(directory.file("link")), HasSubstr("broken symbolic link"));
    std::filesystem::remove(directory.file("link"));
    if (::geteuid() != 0) {  // root may write everywhere
      std::filesystem::permissions(directory.file(""), std::filesystem::perms::owner_read);
      EXPECT_THAT(refusal(directory.file("out.txt")), HasSubstr("Permission denied"));
      std::filesystem::permissions(directory.file(""), std::filesystem::perms::owner_all);
    }
    EXPECT_THAT(directory.names(), IsEmpty());
  });
}

TEST(SharedOutputFile, IsWrittenByAllRanks) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("out.txt");
  const auto rank = static_cast<std::uint64_t>(test::world().rank());
  {
    SharedOutputFile file(path, test::world());
    file.write_at(3 * rank, "abc");
    test::world().barrier();
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
  }
  std::string expected;
  for (int r = 0; r < test::world().size(); ++r) expected += "abc";
  EXPECT_EQ(content_of(path), expected);
  EXPECT_THAT(directory.names(), ElementsAre("out.txt"));
}

TEST(SharedOutputFile, FailsOnAllRanksAlike) {
  const TemporaryDirectory directory;
  const std::string message =
      error_of([&] { SharedOutputFile file(directory.file("missing/out.txt"), test::world()); });
  EXPECT_THAT(message, HasSubstr("missing/out.txt"));
  {
    SharedOutputFile abandoned(directory.file("out.txt"), test::world());
    abandoned.write_at(0, "half");
    test::world().barrier();
  }
  test::world().barrier();
  EXPECT_THAT(directory.names(), IsEmpty());
}

}  // namespace
}  // namespace breadth
