#include "io/graph_format.hpp"

#include <gtest/gtest.h>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(FileKind, FollowsTheEnding) {
  EXPECT_EQ(file_kind("graph.txt"), (FileKind{GraphFormat::text, Compression::none}));
  EXPECT_EQ(file_kind("a.b/roads.el"), (FileKind{GraphFormat::text, Compression::none}));
  EXPECT_EQ(file_kind("/x/GRAPH.TSV"), (FileKind{GraphFormat::text, Compression::none, true}));
  EXPECT_EQ(file_kind("graph.v2.csv.gz"), (FileKind{GraphFormat::text, Compression::gzip, true}));
  EXPECT_EQ(file_kind("graph.txt.zst"), (FileKind{GraphFormat::text, Compression::zstd}));
  EXPECT_EQ(file_kind("graph.mtx"), (FileKind{GraphFormat::matrix_market, Compression::none}));
  EXPECT_EQ(file_kind("graph.mtx.gz"), (FileKind{GraphFormat::matrix_market, Compression::gzip}));
  EXPECT_EQ(file_kind("scale20.g500"), (FileKind{GraphFormat::packed, Compression::none}));
  EXPECT_EQ(file_kind("graph.breadth"), (FileKind{GraphFormat::breadth, Compression::none}));
}

TEST(FileKind, RefusesOthers) {
  for (const char* path : {"graph", "graph.xyz", "", "txt", "graph.gz", "dir.txt/graph", "graph."}) {
    EXPECT_THAT(error_of([&] { file_kind(path); }), HasSubstr("no ending that tells its format")) << path;
  }
  EXPECT_THAT(error_of([] { file_kind("graph.g500.gz"); }), HasSubstr("cannot be compressed"));
  EXPECT_THAT(error_of([] { file_kind("graph.breadth.zst"); }), HasSubstr("cannot be compressed"));
}

}  // namespace
}  // namespace breadth
