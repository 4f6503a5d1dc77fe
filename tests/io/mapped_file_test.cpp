#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

#include "file_support.hpp"
#include "io/file_descriptor.hpp"
#include "io/mapped_edge_list.hpp"
#include "io/page_fault.hpp"

namespace breadth {
namespace {

using test::error_of;
using test::TemporaryDirectory;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t page = 4096;
constexpr std::size_t pages = 8;

/// A file of one rank's own, so that ranks can cut theirs at any time.
std::string write_own(const TemporaryDirectory& directory, const std::string& name) {
  const std::string path = directory.file(name + std::to_string(test::world().rank()));
  std::ofstream(path, std::ios::binary) << std::string(pages * page, 'x');
  return path;
}

void cut(const std::string& path, std::size_t bytes) {
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(bytes)), 0);
}

/// What stands for a reader: a value that every byte goes into.
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
  file.check();
  cut(path, 3 * page);
  EXPECT_EQ(sum_of(file.bytes().first(3 * page)), 3 * page * 'x');
  file.check();
  EXPECT_EQ(sum_of(file.bytes()), 3 * page * 'x') << "what is gone reads as zero";
  EXPECT_THAT(error_of([&] { file.check(); }), AllOf(HasSubstr(path), HasSubstr("became shorter")));
}

TEST(MappedFile, KeepsFilesApart) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "cut");
  const std::string other_path = write_own(directory, "whole");
  MappedFile file(path);
  const MappedFile other(other_path);
  cut(path, 0);
  EXPECT_EQ(sum_of(file.bytes().last(1)), 0U);
  EXPECT_EQ(sum_of(other.bytes()), pages * page * 'x');
  other.check();
  MappedFile moved(std::move(file));
  EXPECT_THAT(error_of([&] { moved.check(); }), HasSubstr(path));
  moved = MappedFile(other_path);
  moved.check();
  EXPECT_EQ(sum_of(moved.bytes()), pages * page * 'x');
}

TEST(MappedFile, CanBeMadeAgainAsOftenAsOneLikes) {
  const TemporaryDirectory directory;
  const std::string path = write_own(directory, "file");
  for (std::size_t i = 0; i < 2 * most_guarded_ranges; ++i) EXPECT_EQ(MappedFile(path).size(), pages * page);
  std::vector<MappedFile> at_once;
  EXPECT_THAT(error_of([&] {
                while (at_once.size() <= most_guarded_ranges) at_once.emplace_back(path);
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
        std::_Exit(0);  // which is no death
      },
      "");
}

}  // namespace
}  // namespace breadth
