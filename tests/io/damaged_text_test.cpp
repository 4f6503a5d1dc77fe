// Text files that cannot be read: each causes one message, the same on every rank, with the right line number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::error_of;
using test::in_pieces;
using test::on_threads;
using test::TemporaryDirectory;
using testing::HasSubstr;

void expect_refused(const std::string& path, const std::string& reason) {
  on_threads([&](const Context& context) {
    for (const ReadOptions& options : {ReadOptions{}, in_pieces}) {
      const std::string message = error_of([&] { read_graph(path, options, context); });
      EXPECT_THAT(message, HasSubstr(reason)) << path;
      EXPECT_THAT(message, HasSubstr(path));
      EXPECT_EQ(test::world().broadcast(message, 0), message) << "not the same on every rank";
    }
  });
}

/// Checks that the text is refused in a plain, a gzip and a zstd file.
void expect_text_refused(const std::string& text, const std::string& reason) {
  const TemporaryDirectory directory;
  expect_refused(directory.write("graph.txt", text), reason);
  expect_refused(directory.write("graph.txt.gz", test::gzip(text)), reason);
  expect_refused(directory.write("graph.txt.zst", test::zstd(text)), reason);
}

TEST(DamagedText, NothingToRead) {
  const TemporaryDirectory directory;
  expect_refused(directory.file("missing.txt"), "No such file or directory");
  expect_refused(directory.file("missing.txt.gz"), "No such file or directory");
  expect_refused(directory.write("graph.xyz", "1 2\n"), "no ending that tells its format");
  expect_refused("/tmp/.txt/", "no ending");
  if (test::world().rank() == 0) std::filesystem::create_directory(directory.file("directory.txt"));
  test::world().barrier();
  expect_refused(directory.file("directory.txt"), "is a directory");
  expect_text_refused("", "is empty");
  expect_text_refused("\n", "has no edges");
  expect_text_refused("# 1 2\n% 3 4\n", "has no edges");
}

TEST(DamagedText, NamesTheLine) {
  expect_text_refused("1 2\n3 4\n\n# x\n5 6 7\n8 9\n", ":5: 3 columns, but the first edge has 2");
  expect_text_refused("# a\n1 2 0.5\n3 4\n", ":3: 2 columns, but the first edge has 3");
  expect_text_refused("1 2\n3", ":2: 1 column,");
  expect_text_refused("1\n", ":1: 1 column, but an edge has two labels");
  expect_text_refused("New York,Los Angeles\n",
                      ":1: 4 columns, but an edge has two labels and perhaps a weight; white");
  expect_text_refused("1 2 3 4\n", ":1: 4 columns, but an edge has two labels");
  expect_text_refused("1 2\n3 99999999999999999999\n", ":2: label '99999999999999999999' does not fit in 64 bits");
  expect_text_refused("99999999999999999999 1\n", ":1: label '99999999999999999999' does not fit in 64 bits");
  expect_text_refused("1 2\n3 four\n", ":2: label 'four' is not an integer");
  expect_text_refused("1 2 nan\n", ":1: weight 'nan' is not finite");
  expect_text_refused("1 2 1\n1 2 2\n1 2 x\n", ":3: weight 'x' is not a number");
  expect_text_refused(std::string("1 2\n\0\x01\x02", 7), ":2: byte 0x00 at column 1");
}

TEST(DamagedText, CountsTheLineOfColumnNames) {
  const TemporaryDirectory directory;
  expect_refused(directory.write("graph.csv", "source,target\n1,2\n2,x\n"), "graph.csv:3: label 'x'");
  expect_refused(directory.write("graph.csv.gz", test::gzip("source,target\n1,2\n2,x\n")), "graph.csv.gz:3: label 'x'");
  expect_refused(directory.write("wide.csv", "a,b,c,d\n1,2,3,4\n"), "wide.csv:2: 4 columns");
  expect_refused(directory.write("names.csv", "source\n"), "names.csv:1: 1 column");
  expect_refused(directory.write("id.csv", "id,source,target\n7,1,2\n"),
                 "id.csv:1: 'source' and 'target' are columns 2 and 3");
  expect_refused(directory.write("turned.tsv", "# a\nto\tFrom\n1\t2\n"),
                 "turned.tsv:2: 'From' and 'to' are columns 2 and 1");
  expect_refused(directory.write("rows.csv", ",source,target\n0,1,2\n"),
                 "rows.csv:1: 'source' and 'target' name 2 columns, but line 2 has 3");
  for (const char* only : {"source,target\n", "from,to,weight\n# none\n"}) {
    expect_refused(directory.write("only.csv", only), "'" + directory.file("only.csv") + "' has no edges");
  }
  expect_refused(directory.write("first.csv", "1,2,\n"), "first.csv:1: a column is empty");
  expect_refused(directory.write("later.csv", "1,2,3\n1,,3\n"), "later.csv:2: a column is empty");
}

TEST(DamagedText, NamesTheFirstOfManyBadLines) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    const auto lines = static_cast<std::size_t>(random() % 60 + 1);
    const auto first_bad = static_cast<std::size_t>(random() % lines + 1);
    std::string text;
    for (std::size_t line = 1; line <= lines; ++line) {
      const bool bad = line == first_bad || (line > first_bad && random() % 4 == 0);
      text += bad ? "1 x\n" : fmt::format("{} {}\n", random() % 1000, random() % 1000);
    }
    if (first_bad == 1) text = "0 0\n" + text;
    expect_text_refused(text, fmt::format(":{}: label 'x' is not an integer", first_bad == 1 ? 2 : first_bad));
  }
}

TEST(DamagedText, NamesTheLineInALaterRoundOfACompressedFile) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "1234567 7654321\n";
  const TemporaryDirectory directory;
  const std::string path = directory.write("graph.txt.zst", test::zstd(text + "1 2 3\n" + text));
  ThreadTeam threads(2);
  EXPECT_EQ(error_of([&] {
              read_graph(path, {}, {test::world(), threads});
            }),
            path + ":100001: 3 columns, but the first edge has 2");
}

TEST(DamagedText, Garbage) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 30; ++round) {
    std::string bytes(random() % 3000 + 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    expect_text_refused("\x01" + bytes, "byte 0x01");
    const TemporaryDirectory directory;
    for (const char* name : {"a.txt", "a.mtx", "a.txt.gz", "a.mtx.zst", "a.breadth"}) {
      expect_refused(directory.write(name, bytes), name);
    }
  }
}

TEST(DamagedText, CompressedDataThatAreNotIntact) {
  const TemporaryDirectory directory;
  std::string text;
  std::mt19937_64 random(9);
  for (int i = 0; i < 1000; ++i) text += fmt::format("{} {}\n", random() % 100000, random() % 100000);
  const std::string gzip = test::gzip(text);
  const std::string zstd = test::zstd(text);
  expect_refused(directory.write("a.txt.gz", text), "is not intact gzip data");
  expect_refused(directory.write("a.txt.zst", text), "is not intact zstd data");
  expect_refused(directory.write("a.txt", gzip), "its name must end in .gz");
  expect_refused(directory.write("a.txt", zstd), "its name must end in .zst");
  expect_refused(directory.write("a.txt.gz", ""), "truncated");
  expect_refused(directory.write("a.txt.zst", ""), "truncated");
  for (const std::size_t left : {std::size_t{1}, std::size_t{5}, std::size_t{12}, gzip.size() / 2, gzip.size() - 1}) {
    expect_refused(directory.write("a.txt.gz", gzip.substr(0, left)), "is truncated: its gzip data end early");
  }
  for (const std::size_t left : {std::size_t{1}, std::size_t{5}, zstd.size() / 2, zstd.size() - 1}) {
    expect_refused(directory.write("a.txt.zst", zstd.substr(0, left)), "is truncated: its zstd data end early");
  }
  expect_refused(directory.write("a.txt.gz", gzip + "more"), "is not intact gzip data");
  expect_refused(directory.write("a.txt.zst", zstd + "more"), "is not intact zstd data");
  std::string damaged = gzip;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);  // the checksum
  expect_refused(directory.write("a.txt.gz", damaged), "is not intact gzip data");
}

TEST(DamagedText, AFileWithoutLineEnds) {
  const std::string line(std::size_t{3} << 20, '7');
  expect_text_refused(line, ":1: this line has no end within");
  expect_text_refused("# " + line, ":1: this line has no end within");
}

}  // namespace
}  // namespace breadth
