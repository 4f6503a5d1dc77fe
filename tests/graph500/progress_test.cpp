#include "graph500/report/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace breadth {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The output of a printer when `use` calls it.
template <class Use>
std::string printed(ProgressStyle style, Use&& use) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  ProgressPrinter printer(stream, style);
  use(printer);
  std::fclose(stream);
  std::string copy(text, size);
  std::free(text);
  return copy;
}

TEST(Progress, SaysHowFarAndHowLong) {
  EXPECT_EQ(progress_text("bfs", 16, 64, 10, 2e9), "bfs [########........................] 16/64  2 GTEPS  30 s left");
  EXPECT_EQ(progress_text("bfs", 0, 64, 10, 0), "bfs [................................] 0/64");
  EXPECT_EQ(progress_text("bfs", 64, 64, 10, 1.5e9), "bfs [################################] 64/64  1.5 GTEPS");
  EXPECT_THAT(progress_text("bfs", 0, 0, 0, 0), HasSubstr("0/0"));
}

TEST(Progress, SpeaksOfTimeAsPeopleDo) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(0.2), "1 s");
  EXPECT_EQ(duration_text(59.5), "1 min 0 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

TEST(Progress, OnATerminalDrawsOneLineAgainAndAgain) {
  const std::string text = printed(ProgressStyle::terminal, [](ProgressPrinter& printer) {
    printer.searches_begin("bfs", 3);
    for (int i = 0; i < 3; ++i) printer.search_done(1, 1000000000);
    printer.searches_end();
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 4);
  EXPECT_THAT(text, HasSubstr("3/3  1 GTEPS"));
}

TEST(Progress, ElsewhereWritesAFewPlainLines) {
  const std::string text = printed(ProgressStyle::lines, [](ProgressPrinter& printer) {
    printer.step("building");
    printer.searches_begin("bfs", 64);
    for (int i = 0; i < 64; ++i) printer.search_done(1, 1000);
    printer.searches_end();
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(text, HasSubstr("64/64"));
}

}  // namespace
}  // namespace breadth
