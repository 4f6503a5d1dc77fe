// Estimates of the number of edges from a small part of a text.
#include "io/text/text_head.hpp"

#include <fmt/format.h>

#include <random>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::error_of;
using test::TemporaryDirectory;

constexpr std::uint64_t many = 400'000;

/// The text of edges with words or integers, and comments between them. With `sorted`, labels grow towards the end.
/// Only rank 0, which writes the file, gets the text.
std::string text_with(std::uint64_t edges, bool words, bool sorted) {
  if (test::world().rank() != 0) return "";
  std::mt19937_64 random(edges);
  std::string text = "# a comment\n\n";
  for (std::uint64_t i = 0; i < edges; ++i) {
    const std::uint64_t source = sorted ? i : random() % edges;
    fmt::format_to(std::back_inserter(text), "{0}{1} {0}{2}\n", words ? "user_" : "", source, random() % edges);
    if (i % 50 == 0) text += "% nothing\n";
  }
  return text;
}

/// Checks that the estimate is within `percent` of the number of edges, and that its lower bound is right. Collective.
void expect_estimate(const std::string& path, std::uint64_t edges, std::uint64_t percent) {
  const TextSize size = estimate_text_size(path, file_kind(path));
  EXPECT_LE(size.edges, edges + edges * percent / 100) << path;
  EXPECT_GE(size.edges, edges - edges * percent / 100) << path;
  EXPECT_LE(size.fewest_edges, edges) << path;
  EXPECT_GE(size.fewest_edges, edges * 2 / 5) << path;
  test::world().barrier();  // the next file may have the same name
}

TEST(EstimateTextSize, IsCloseWhateverTheLabels) {
  const TemporaryDirectory directory;
  for (const bool words : {false, true}) {
    const std::string text = text_with(many, words, false);
    expect_estimate(directory.write("graph.txt", text), many, 3);
    expect_estimate(directory.write("graph.txt.gz", test::gzip(text)), many, 3);
    expect_estimate(directory.write("graph.txt.zst", test::zstd(text)), many, 5);
  }
}

TEST(EstimateTextSize, IsNotTooHighWhereLabelsGrow) {
  const TemporaryDirectory directory;
  const std::string text = text_with(many, false, true);
  expect_estimate(directory.write("graph.txt", text), many, 3);
  expect_estimate(directory.write("graph.txt.gz", test::gzip(text)), many, 30);
}

TEST(EstimateTextSize, IsExactForWhatItSeesWhole) {
  const TemporaryDirectory directory;
  const std::string text = text_with(1000, true, false);
  for (const auto& [name, content] : {std::pair("graph.txt", text), std::pair("graph.txt.gz", test::gzip(text)),
                                      std::pair("graph.txt.zst", test::zstd(text))}) {
    const std::string path = directory.write(name, content);
    EXPECT_NEAR(static_cast<double>(estimate_text_size(path, file_kind(path)).edges), 1000, 1) << name;
  }
  const std::string last = directory.write("last.txt", "1 2\n3 4");
  EXPECT_LE(estimate_text_size(last, file_kind(last)).fewest_edges, 2U);
}

TEST(EstimateTextSize, BelievesTheHeaderOfAMatrix) {
  const TemporaryDirectory directory;
  const std::string path =
      directory.write("graph.mtx", "%%MatrixMarket matrix coordinate real general\n9 9 1000000000000\n1 2 0.5\n");
  const TextSize size = estimate_text_size(path, file_kind(path));
  EXPECT_EQ(size.edges, 1'000'000'000'000U);
  EXPECT_EQ(size.fewest_edges, size.edges);
  EXPECT_TRUE(size.head.weighted);
}

TEST(EstimateTextSize, ReadsLittleOfALongFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("graph.txt", text_with(many, false, false));
  constexpr std::uint64_t length = std::uint64_t{1} << 40;
  if (test::world().rank() == 0) std::filesystem::resize_file(path, length);  // a hole of zeros, without any lines
  test::world().barrier();
  const TextSize size = estimate_text_size(path, file_kind(path));
  EXPECT_GT(size.edges, length / 16 / 16);  // only one sample in 16 has lines, of 14 characters or less
  EXPECT_LT(size.edges, length / 16 / 8);
}

TEST(EstimateTextSize, NamesTheFileThatIsNone) {
  const TemporaryDirectory directory;
  const std::string empty = directory.write("empty.txt", "");
  EXPECT_NE(error_of([&] { estimate_text_size(empty, file_kind(empty)); }).find("empty.txt"), std::string::npos);
}

}  // namespace
}  // namespace breadth
