#include "io/files/line_parser.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "file_support.hpp"
#include "io/names/name_list.hpp"

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
  return bad ? fmt::format("{}: {}", bad->offset, bad->what) : "";
}

void expect_edges(const ParsedLines& lines, const std::vector<std::pair<std::int64_t, std::int64_t>>& expected) {
  std::vector<std::int64_t> ends;
  for (const auto& [source, target] : expected) ends.insert(ends.end(), {source, target});
  EXPECT_EQ(lines.integers, ends);
  EXPECT_TRUE(lines.words.empty());
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
    EXPECT_THAT(complaint(fmt::format("5 6\n1 {}\n", label)), HasSubstr(fmt::format("4: label '{}", label))) << label;
    EXPECT_THAT(complaint(fmt::format("1 {}", label)), HasSubstr("does not fit in 64 bits")) << label;
  }
}

TEST(LineParser, ReadsWeights) {
  const LineRules weighted{.weighted = true};
  const ParsedLines lines = parse("1 2 0.5\n3,4,-1e3\n5\t6\t+7\n8 9 1e-60\n8 9 -1e-400\n1 1 3.4e38", weighted);
  EXPECT_EQ(lines.integers.size(), 12U);
  EXPECT_THAT(lines.weights, testing::ElementsAre(0.5F, -1000.F, 7.F, 0.F, 0.F, 3.4e38F));
  EXPECT_THAT(complaint("1 2 nan\n", weighted), HasSubstr("weight 'nan' is not finite"));
  EXPECT_THAT(complaint("1 2 -inf\n", weighted), HasSubstr("weight '-inf' is not finite"));
  EXPECT_THAT(complaint("1 2 1e39\n", weighted), HasSubstr("weight '1e39' does not fit in 32 bits"));
  EXPECT_THAT(complaint("1 2 1e999\n", weighted), HasSubstr("weight '1e999' does not fit in 32 bits"));
  EXPECT_THAT(complaint("1 2 x\n", weighted), HasSubstr("weight 'x' is not a number"));
  EXPECT_THAT(complaint("1 2 3x\n", weighted), HasSubstr("weight '3x' is not a number"));
  EXPECT_THAT(complaint("1 2 +-5\n", weighted), HasSubstr("weight '+-5' is not a number"));
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
  EXPECT_THAT(complaint(fmt::format("1 {:y>100}", "")), HasSubstr(fmt::format("'{:y>40}…'", "")));
  EXPECT_EQ(complaint("1 2\nx y,z\n"), "4: 3 columns, but the first edge has 2; white space separates columns, too");
  EXPECT_EQ(complaint("1 2\n3, 4, 5\n"), "4: 3 columns, but the first edge has 2");
  EXPECT_THAT(complaint("1 2 3\na,b c\n", {.weighted = true}), HasSubstr("label 'a' is not an integer"));
  EXPECT_THAT(complaint("1,2 \"3\"\n", {.weighted = true}),
              HasSubstr("weight '\"3\"' is not a number; quotes have no meaning"));
  const LineRules bounded{.first_label = 1, .last_label = 9};
  EXPECT_EQ(complaint("1 9\n0 1", bounded), "4: label 0 is outside 1 to 9");
  EXPECT_EQ(complaint("1 9\n1 10\n", bounded), "4: label 10 is outside 1 to 9");
  EXPECT_EQ(complaint("1 9\n-3 1\n", bounded), "4: label -3 is negative");
}

TEST(LineParser, MissesNoColumnThatIsEmpty) {
  const std::string reason = ": a column is empty: there is nothing before or after a comma";
  for (const std::string_view line : {"1,,2", "1, ,2", ",1,2", " , 1 2", "1,2,", "1 2 ,", "1,2 , ", "1,,", ",1"}) {
    for (const bool weighted : {false, true}) {
      for (const std::string_view end : {"\n", "", "\r\n"}) {
        const std::string before = weighted ? "5,6,7\n" : "5,6\n";
        const std::string text = fmt::format("{}{}{}", before, line, end);
        EXPECT_EQ(complaint(text, {.weighted = weighted}), fmt::format("{}{}", before.size(), reason)) << text;
        ParsedLines lines;
        const auto bad = parse_word_lines(text, {.weighted = weighted}, lines);
        ASSERT_TRUE(bad) << text;
        EXPECT_EQ(bad->offset, before.size());
      }
    }
  }
  EXPECT_THAT(complaint("1,2,3\n1,2,,3\n", {.weighted = true}), HasSubstr("6: a column is empty"));
  EXPECT_THAT(complaint("1,2,3\n1,2,3,\n", {.weighted = true}), HasSubstr("6: a column is empty"));
  // Lines of commas only, as spreadsheets write them, are ignored.
  expect_edges(parse("1,2\n,\n , ,\n3 , 4\n"), {{1, 2}, {3, 4}});
}

TEST(LineParser, TakesWords) {
  const std::string_view text = "anna bob\n# x y\nbob Zoë\nanna,anna\n12 bob";
  ParsedLines lines;
  EXPECT_FALSE(parse_word_lines(text, {}, lines));
  EXPECT_THAT(lines.words, testing::ElementsAre("anna", "bob", "bob", "Zoë", "anna", "anna", "12", "bob"));
  for (const std::string_view word : lines.words) {
    EXPECT_TRUE(word.data() >= text.data() && word.data() < text.data() + text.size()) << "word outside of the text";
  }
  const auto bad = parse_word_lines("anna bob\nbob\n", {}, lines);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->what, "1 column, but the first edge has 2");
  EXPECT_TRUE(parse_word_lines("anna b\x01ob\n", {}, lines));
}

TEST(WordLines, HaveWordsOfAnyLengthAtAnyPlace) {
  for (const char* blank : {" ", ",", "\t", "\r "}) {
    std::string text;
    std::vector<std::string> expected;
    for (std::size_t length = 1; length <= 20; ++length) {
      for (std::size_t other = 1; other <= 20; ++other) {
        // Characters next to those that end a word, and characters with the high bit set.
        const std::string source(length, "+-!~\x80\xAC\xFF"[other % 7]);
        const std::string target(other, "z\xA0\x8D."[length % 4]);
        fmt::format_to(std::back_inserter(text), "{}{}{}\n", source, blank, target);
        expected.push_back(source);
        expected.push_back(target);
      }
    }
    ParsedLines lines;
    ASSERT_FALSE(parse_word_lines(text, {}, lines));
    EXPECT_EQ(std::vector<std::string>(lines.words.begin(), lines.words.end()), expected);
  }
}

TEST(NameTable, NumbersNamesInTheOrderOfTheirAppearance) {
  NameTable table;
  const std::vector<std::string_view> words{"b", "a", "b", "", "c", "", "a"};
  std::vector<std::uint64_t> numbers(words.size());
  table.insert(words, numbers);
  EXPECT_THAT(numbers, testing::ElementsAre(0, 1, 0, 2, 3, 2, 1));
  EXPECT_EQ(table.names()[3], "c");
  NameTable integers;
  const std::vector<std::int64_t> values{7, -1, 0, 7, INT64_MIN, -1};
  numbers.resize(values.size());
  integers.insert(values, numbers);
  EXPECT_THAT(numbers, testing::ElementsAre(0, 1, 2, 0, 3, 1));
  EXPECT_EQ(decode_integer(integers.names()[3]), INT64_MIN);
}

TEST(NameTable, TellsWordsOfAnyLengthApart) {
  // For each length, words that differ in one character at any place, each several times.
  std::vector<std::string> words;
  for (std::size_t length = 0; length <= 40; ++length) {
    words.emplace_back(length, 'a');
    for (std::size_t i = 0; i < length; ++i) words.emplace_back(length, 'a').at(i) = i % 2 == 0 ? 'b' : '\xFF';
  }
  const std::vector<std::string_view> once(words.begin(), words.end());
  NameTable table;
  std::vector<std::uint64_t> numbers(once.size());
  for (int round = 0; round < 3; ++round) {
    table.insert(once, numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i) << once[i];
  }
  ASSERT_EQ(table.names().size(), once.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(table.names()[i], once[i]);
}

TEST(NameTable, KeepsManyNames) {
  NameTable table;
  constexpr std::int64_t count = 50'000;
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t first = 0; first < count; first += 1000) {
      std::vector<std::int64_t> values;
      for (std::int64_t i = 0; i < 1000; ++i) values.push_back((first + i) * 1'000'003 - 77);
      std::vector<std::uint64_t> numbers(values.size());
      table.insert(values, numbers);
      for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<std::uint64_t>(first) + i);
    }
  }
  EXPECT_EQ(table.take().size(), static_cast<std::size_t>(count));
  EXPECT_TRUE(table.names().empty());
}

}  // namespace
}  // namespace breadth
