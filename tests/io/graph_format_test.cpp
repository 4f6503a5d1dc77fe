#include "io/graph_format.hpp"

#include <gtest/gtest.h>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(FileKind, FollowsTheEnding) {
  using namespace graph_formats;
  EXPECT_EQ(file_kind("graph.txt"), (FileKind{&edge_list(), ".txt"}));
  EXPECT_EQ(file_kind("a.b/roads.el"), (FileKind{&edge_list(), ".el"}));
  EXPECT_EQ(file_kind("/x/GRAPH.TSV"), (FileKind{&edge_list(), ".tsv"}));
  EXPECT_EQ(file_kind("graph.v2.csv.gz"), (FileKind{&edge_list(), ".csv", Compression::gzip}));
  EXPECT_EQ(file_kind("graph.txt.zst"), (FileKind{&edge_list(), ".txt", Compression::zstd}));
  EXPECT_EQ(file_kind("graph.mtx"), (FileKind{&matrix_market(), ".mtx"}));
  EXPECT_EQ(file_kind("graph.mtx.gz"), (FileKind{&matrix_market(), ".mtx", Compression::gzip}));
  EXPECT_EQ(file_kind("scale20.g500"), (FileKind{&packed(), ".g500"}));
  EXPECT_EQ(file_kind("graph.breadth"), (FileKind{&binary(), ".breadth"}));
}

TEST(FileKind, HasOneFormatForEachEnding) {
  for (const auto& row : graph_formats::all) {
    EXPECT_FALSE(row().endings.empty()) << row().name;
    for (const std::string& ending : row().endings) EXPECT_EQ(file_kind("graph" + ending), (FileKind{&row(), ending}));
  }
}

TEST(FileKind, RefusesOthers) {
  for (const char* path : {"graph", "graph.xyz", "", "txt", "graph.gz", "dir.txt/graph", "graph."}) {
    EXPECT_THAT(error_of([&] { file_kind(path); }), HasSubstr("no ending that tells its format")) << path;
  }
  const std::string refusal = error_of([] { file_kind("graph.xyz"); });
  EXPECT_THAT(refusal, HasSubstr(".csv .tsv (text, also with .gz or .zst), .mtx (matrix market, also with .gz"));
  EXPECT_THAT(refusal, HasSubstr(", .g500 (packed), .breadth (breadth)"));
  EXPECT_THAT(error_of([] { file_kind("graph.g500.gz"); }), HasSubstr("cannot be compressed"));
  EXPECT_THAT(error_of([] { file_kind("graph.breadth.zst"); }), HasSubstr("cannot be compressed"));
  EXPECT_EQ(endings_read_in_place(), ".g500 or .breadth");
}

}  // namespace
}  // namespace breadth
