#include "io/files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "file_support.hpp"
#include "io/binary/packed_file.hpp"

namespace breadth {
namespace {

using test::error_of;
using test::TemporaryDirectory;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t page = 4096;
constexpr std::size_t pages = 8;

/// Writes a file that only this rank uses, so that each rank can cut its own at any time. The file gets an old time,
/// because another write in the same milliseconds would not change its time.
std::string write_own(const TemporaryDirectory& directory, const std::string& name, std::size_t bytes = pages * page) {
  const std::string path = directory.file(name + std::to_string(test::world().rank()));
  std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  return path;
}

/// Overwrites a byte of a file.
void write_byte(const std::string& path, std::size_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.put('y');
}

void cut(const std::string& path, std::size_t bytes) {
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(bytes)), 0);
}

/// Stands in for a reader: sums up all bytes.
std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (const std::byte one : bytes) sum += std::to_integer<std::uint64_t>(one);
  return sum;
}

TEST(MappedFile, SaysSoWhenItBecomesShorterWhileItIsRead) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "cut");
  const MappedFile file(path);
  EXPECT_EQ(sum_of(file.bytes()), pages * page * 'x');
  file.check_pages();
  cut(path, 3 * page);
  EXPECT_EQ(sum_of(file.bytes().first(3 * page)), 3 * page * 'x');
  file.check_pages();
  EXPECT_EQ(sum_of(file.bytes()), 3 * page * 'x') << "missing bytes read as zero";
  EXPECT_THAT(error_of([&] { file.check_pages(); }), AllOf(HasSubstr(path), HasSubstr("became shorter")));
}

/// The cut leaves a part of the last page. No page is missing, and the missing bytes read as zero.
TEST(MappedFile, SaysSoWhenItIsCutInsideAPage) {
  const TemporaryDirectory directory;
  for (const std::size_t bytes : {std::size_t{4080}, page, pages * page}) {
    for (const std::size_t left : {std::size_t{1}, std::size_t{2040}, bytes - page / 2, bytes - 1}) {
      const std::string path = write_own(directory, "cut", bytes);
      const MappedFile file(path);
      EXPECT_EQ(sum_of(file.bytes()), bytes * 'x');
      file.check_unchanged();
      cut(path, left);
      EXPECT_EQ(sum_of(file.bytes()), left * 'x');
      EXPECT_THAT(error_of([&] { file.check_unchanged(); }),
                  AllOf(HasSubstr("'" + path + "' changed while it was read"), HasSubstr("became shorter"),
                        HasSubstr(fmt::format("{} bytes instead of {}", left, bytes))));
    }
  }
}

TEST(MappedFile, SaysSoWhenItIsWrittenTo) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "file");
  const MappedFile file(path);
  write_byte(path, 5 * page);
  EXPECT_THAT(error_of([&] { file.check_unchanged(); }),
              AllOf(HasSubstr("'" + path + "' changed while it was read"), HasSubstr("others wrote to it")));
  const MappedFile again(path);
  again.check_unchanged();
  std::filesystem::resize_file(path, pages * page + 1);
  EXPECT_THAT(error_of([&] { again.check_unchanged(); }), HasSubstr("became longer"));
}

/// rsync restores the time of writing, and so does cp when it preserves times.
TEST(MappedFile, SaysSoWhenTheTimeOfWritingIsPutBack) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "file");
  const MappedFile file(path);
  const std::filesystem::file_time_type before = std::filesystem::last_write_time(path);
  const FileDescriptor beside(path, O_RDONLY);
  const auto opened = beside.state().st_ctim.tv_nsec;
  while (beside.state().st_ctim.tv_nsec == opened) {  // a file system's clock advances in steps
    write_byte(path, 0);
    std::filesystem::last_write_time(path, before);
  }
  EXPECT_THAT(error_of([&] { file.check_unchanged(); }), HasSubstr("others wrote to it"));
}

/// The mapped content stays the same when the file is renamed, or another file takes its name.
TEST(MappedFile, StaysWhatItIsWhereItsNameGoes) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "file");
  const MappedFile replaced(path);
  std::filesystem::rename(write_own(directory, "other", page), path);
  replaced.check_unchanged();
  const MappedFile moved(path);
  const std::string elsewhere = path + ".old";
  std::filesystem::rename(path, elsewhere);
  moved.check_unchanged();
  std::filesystem::permissions(elsewhere, std::filesystem::perms::owner_read);
  moved.check_unchanged();
  std::filesystem::remove(elsewhere);
  moved.check_unchanged();
  EXPECT_EQ(sum_of(replaced.bytes()), pages * page * 'x');
}

TEST(MappedFile, KeepsFilesApart) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "cut");
  const std::string other_path = write_own(directory, "whole");
  const MappedFile file(path);
  const MappedFile other(other_path);
  cut(path, 0);
  EXPECT_EQ(sum_of(file.bytes().last(1)), 0U);
  EXPECT_EQ(sum_of(other.bytes()), pages * page * 'x');
  other.check_unchanged();
  EXPECT_THAT(error_of([&] { file.check_unchanged(); }), HasSubstr(path));
}

TEST(MappedFile, CanBeMadeAgainAsOftenAsOneLikes) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "file");
  for (std::size_t i = 0; i < 2 * MappedFile::max_at_once; ++i) EXPECT_EQ(MappedFile(path).size(), pages * page);
  std::deque<MappedFile> at_once;
  EXPECT_THAT(error_of([&] {
                while (at_once.size() <= MappedFile::max_at_once) at_once.emplace_back(path);
              }),
              AllOf(HasSubstr(path), HasSubstr("files are mapped")));
}

TEST(MappedFile, IsWhatAnEdgeListFailsTogetherWith) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "edges.g500");
  const std::string weights_path = write_own(directory, "weights");
  constexpr std::size_t count = page / sizeof(float);
  MappedEdgeList edges(std::make_shared<const MappedFile>(path), 0, count);
  edges.add_weights(std::make_shared<const MappedFile>(weights_path), 0);
  std::vector<Edge> block(count, Edge{no_label, no_label});
  std::vector<float> weights(count);
  edges.read(0, block, weights);
  cut(weights_path, 0);
  edges.read(0, block, {});
  EXPECT_THAT(error_of([&] { edges.read(0, block, weights); }), HasSubstr(weights_path));
  cut(path, page);
  edges.read(0, std::span(block).first(page / sizeof(PackedEdge)), {});
  EXPECT_THAT(error_of([&] { edges.read(0, block, {}); }), HasSubstr(path));
}

TEST(MappedFile, IsWatchedByAnEdgeList) {
  const TemporaryDirectory directory;
  constexpr std::size_t count = page / sizeof(float);
  for (const bool weights_change : {false, true}) {
    const std::string path = write_own(directory, "edges.g500");
    const std::string weights_path = write_own(directory, "weights");
    MappedEdgeList edges(std::make_shared<const MappedFile>(path), 0, count);
    edges.add_weights(std::make_shared<const MappedFile>(weights_path), 0);
    EXPECT_TRUE(edges.may_change());
    edges.check_unchanged();
    EXPECT_THAT(error_of([&] { edges.report_change(); }), HasSubstr(path)) << "without a visible change";
    const std::string& changed = weights_change ? weights_path : path;
    write_byte(changed, 100);
    EXPECT_THAT(error_of([&] { edges.check_unchanged(); }), HasSubstr(changed));
    EXPECT_THAT(error_of([&] { edges.report_change(); }), HasSubstr(changed));
  }
}

TEST(MappedFileDeathTest, LeavesFaultsElsewhereAlone) {
  if (test::world().size() > 1) GTEST_SKIP() << "MPI does not like forks";
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "file");
  EXPECT_DEATH(
      {
        const MappedFile guarded(path);
        const FileDescriptor file(path, O_RDONLY);
        const void* memory = mmap(nullptr, pages * page, PROT_READ, MAP_SHARED, file.get(), 0);
        cut(path, 0);
        static_cast<void>(*static_cast<const volatile char*>(memory));
        std::_Exit(0);  // which does not count as a death
      },
      "");
}

}  // namespace
}  // namespace breadth
