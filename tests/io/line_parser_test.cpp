#include "io/line_parser.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "file_support.hpp"

namespace breadth {
namespace {

using testing::HasSubstr;

ParsedLines parse(std::string_view text, const LineRules& rules = {}) {
  ParsedLines lines;
  const auto bad = parse_integer_lines(text, rules, lines);
  EXPECT_FALSE(bad) << bad->what;
  return lines;
}

std::string complaint(std::string_view text, const LineRules& rules = {}) {
  ParsedLines lines;
  const auto bad = parse_integer_lines(text, rules, lines);
  return bad ? std::to_string(bad->offset) + ": " + bad->what : "";
}

void expect_edges(const ParsedLines& lines, const std::vector<std::pair<std::int64_t, std::int64_t>>& expected) {
  ASSERT_EQ(lines.edges.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(lines.edges[i].source, expected[i].first) << i;
    EXPECT_EQ(lines.edges[i].target, expected[i].second) << i;
  }
}

TEST(LineParser, TakesAnySeparatorsCommentsAndLineEnds) {
  expect_edges(parse("1 2\n"), {{1, 2}});
  expect_edges(parse("1 2"), {{1, 2}});
  expect_edges(parse(""), {});
  expect_edges(parse("\n\n \t\n"), {});
  expect_edges(parse("# 7 8\n% 9 10\n  # indented\n1\t2\r\n3,4\n 5 , 6 \n\n7\v\f8\n"),
               {{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  expect_edges(parse("# only a comment"), {});
  expect_edges(parse("+1 -2\n-0 007\n"), {{1, -2}, {0, 7}});
}

TEST(LineParser, TakesEveryIntegerOf64Bits) {
  constexpr auto low = std::numeric_limits<std::int64_t>::min();
  constexpr auto high = std::numeric_limits<std::int64_t>::max();
  expect_edges(parse("9223372036854775807 -9223372036854775808\n"), {{high, low}});
  expect_edges(parse("999999999999999999 0000000000000000000000000001"), {{999999999999999999, 1}});
  expect_edges(parse("1000000000000000000 +9223372036854775807"), {{1000000000000000000, high}});
  for (const char* label :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999", "+18446744073709551617"}) {
    EXPECT_THAT(complaint(std::string("5 6\n1 ") + label + "\n"), HasSubstr("4: label '" + std::string(label)))
        << label;
    EXPECT_THAT(complaint(std::string("1 ") + label), HasSubstr("does not fit in 64 bits")) << label;
  }
}

TEST(LineParser, ReadsWeights) {
  const LineRules weighted{.weighted = true};
  const ParsedLines lines = parse("1 2 0.5\n3,4,-1e3\n5\t6\t+7\n8 9 1e-60\n8 9 -1e-400\n1 1 3.4e38", weighted);
  EXPECT_EQ(lines.edges.size(), 6U);
  EXPECT_THAT(lines.weights, testing::ElementsAre(0.5F, -1000.F, 7.F, 0.F, 0.F, 3.4e38F));
  EXPECT_THAT(complaint("1 2 nan\n", weighted), HasSubstr("weight 'nan' is not finite"));
  EXPECT_THAT(complaint("1 2 -inf\n", weighted), HasSubstr("weight '-inf' is not finite"));
  EXPECT_THAT(complaint("1 2 1e39\n", weighted), HasSubstr("weight '1e39' does not fit in 32 bits"));
  EXPECT_THAT(complaint("1 2 1e999\n", weighted), HasSubstr("weight '1e999' does not fit in 32 bits"));
  EXPECT_THAT(complaint("1 2 x\n", weighted), HasSubstr("weight 'x' is not a number"));
  EXPECT_THAT(complaint("1 2 3x\n", weighted), HasSubstr("weight '3x' is not a number"));
  EXPECT_THAT(complaint("1 2 0x1p3\n", weighted), HasSubstr("weight '0x1p3' is not a number"));
}

TEST(LineParser, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("1 2\n3\n"), "4: 1 column, but the first edge has 2");
  EXPECT_EQ(complaint("1 2\n\n3 4 5\n6"), "5: 3 columns, but the first edge has 2");
  EXPECT_EQ(complaint("1 2\n3 4 #\n"), "4: 3 columns, but the first edge has 2");
  EXPECT_EQ(complaint("1 2 3\n4 5", {.weighted = true}), "6: 2 columns, but the first edge has 3");
  EXPECT_EQ(complaint("1 2\na 4\n"), "4: label 'a' is not an integer");
  EXPECT_EQ(complaint("1 2\n3 4x\n"), "4: label '4x' is not an integer");
  EXPECT_EQ(complaint("1 2\n3 1.5\n"), "4: label '1.5' is not an integer");
  EXPECT_EQ(complaint("1 2\n3 -\n"), "4: label '-' is not an integer");
  EXPECT_EQ(complaint("1 2\n3 --4\n"), "4: label '--4' is not an integer");
  EXPECT_EQ(complaint("1 2\n3 +-4\n"), "4: label '+-4' is not an integer");
  EXPECT_EQ(complaint(std::string_view("1 2\n3 \0\n", 8)), "4: byte 0x00 at column 3: this is not text");
  EXPECT_THAT(complaint("1 " + std::string(100, 'y')), HasSubstr("'" + std::string(40, 'y') + "…'"));
  const LineRules bounded{.first_label = 1, .last_label = 9};
  EXPECT_EQ(complaint("1 9\n0 1", bounded), "4: label 0 is outside 1 to 9");
  EXPECT_EQ(complaint("1 9\n1 10\n", bounded), "4: label 10 is outside 1 to 9");
  EXPECT_EQ(complaint("1 9\n-3 1\n", bounded), "4: label -3 is negative");
}

TEST(LineParser, NumbersNamesInTheOrderOfTheirAppearance) {
  NameTable names;
  ParsedLines lines;
  EXPECT_FALSE(parse_named_lines("anna bob\n# x y\nbob Zoë\nanna,anna\n12 bob", {}, names, lines));
  expect_edges(lines, {{0, 1}, {1, 2}, {0, 0}, {3, 1}});
  ASSERT_EQ(names.names().size(), 4U);
  EXPECT_EQ(names.names()[2], "Zoë");
  EXPECT_EQ(names.names()[3], "12");
  const auto bad = parse_named_lines("anna bob\nbob\n", {}, names, lines);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->what, "1 column, but the first edge has 2");
  EXPECT_TRUE(parse_named_lines("anna b\x01ob\n", {}, names, lines));
}

TEST(NameTable, KeepsManyNames) {
  NameTable names;
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t i = 0; i < 50000; ++i) ASSERT_EQ(names.insert("name" + std::to_string(i)), i);
  }
  EXPECT_EQ(names.insert(""), 50000U);
  EXPECT_EQ(names.insert(""), 50000U);
}

}  // namespace
}  // namespace breadth
