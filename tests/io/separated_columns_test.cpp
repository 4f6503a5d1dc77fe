// .csv and .tsv files whose first line has the separator of their ending: only that separates columns, and quotes
// count.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "file_support.hpp"
#include "io/files/line_columns.hpp"
#include "io/files/line_parser.hpp"
#include "io/text/text_head.hpp"
#include "support/rounds.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::edges_of;
using test::error_of;
using test::in_pieces;
using test::on_threads;
using test::PlainEdge;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

/// The words of lines, or the line and the reason of a refusal.
std::vector<std::string> parsed_words(std::string_view text, const LineRules& rules) {
  ParsedLines lines;
  if (const auto bad = parse_word_lines(text, rules, lines)) return {fmt::format("{}: {}", bad->offset, bad->what)};
  return {lines.words.begin(), lines.words.end()};
}

std::string integers_refused(std::string_view text, const LineRules& rules) {
  ParsedLines lines;
  const auto bad = parse_integer_lines(text, rules, lines);
  return bad ? fmt::format("{}: {}", bad->offset, bad->what) : "";
}

constexpr LineRules commas{.separator = ','};
constexpr LineRules tabs{.separator = '\t'};

TEST(SeparatedColumns, KeepBlanksInsideValuesOnly) {
  EXPECT_THAT(parsed_words("New York,Boston\n \tNew\tYork\v , 9 \r\n", commas),
              ElementsAre("New York", "Boston", "New\tYork", "9"));
  EXPECT_THAT(parsed_words("New York\tSan  Jose, CA\n ,a \t b \r\n", tabs),
              ElementsAre("New York", "San  Jose, CA", ",a", "b"));
  EXPECT_THAT(parsed_words("a,b\n,\n , \n\n # c,d\n,#\n%\nc,d # e", commas), ElementsAre("a", "b", "c", "d # e"));
  for (std::size_t length = 1; length < 40; ++length) {
    const std::string word(length, 'x');
    const std::string blanks = word + " \t" + word;
    EXPECT_THAT(parsed_words(fmt::format("{0},{1}\n{1} ,  {0}\t\n{1},{0}", word, blanks), commas),
                ElementsAre(word, blanks, blanks, word, blanks, word));
  }
}

TEST(SeparatedColumns, TakeValuesInQuotes) {
  EXPECT_THAT(parsed_words("\"a,b\",\" c \"\n \"#d\" , \"\"\"e\"\" f\" \r\n", commas),
              ElementsAre("a,b", " c ", "#d", "\"e\" f"));
  EXPECT_THAT(parsed_words("\"a\tb\"\t\"\"\"\"\nx\t\"y, z\"", tabs), ElementsAre("a\tb", "\"", "x", "y, z"));
  EXPECT_THAT(parsed_words("5\" pipe,it\"s\"\n\"%\",\"\"\"\"\"\"", commas),
              ElementsAre("5\" pipe", "it\"s\"", "%", "\"\""));
  const std::string_view text = "a,\"b\"\n\"c\",d";
  ParsedLines lines;
  ASSERT_FALSE(parse_word_lines(text, commas, lines));
  for (const std::string_view word : lines.words) {
    EXPECT_TRUE(word.data() >= text.data() && word.data() < text.data() + text.size()) << "word outside of the text";
  }
}

TEST(SeparatedColumns, TakeNumbersInQuotesAsNumbers) {
  ParsedLines lines;
  const LineRules weighted{.separator = ',', .weighted = true};
  ASSERT_FALSE(parse_integer_lines("\"1\",2,\"0.5\"\n +3 , \"-4\" , 1e3 \n\"007\",\"8\",\"+7\"", weighted, lines));
  EXPECT_THAT(lines.integers, ElementsAre(1, 2, 3, -4, 7, 8));
  EXPECT_THAT(lines.weights, ElementsAre(0.5F, 1000.F, 7.F));
}

TEST(SeparatedColumns, SayWhatIsWrongWithALine) {
  for (const bool integers : {false, true}) {
    const auto complain = [&](std::string_view text) {
      return integers ? integers_refused(text, commas) : parsed_words(text, commas).front();
    };
    for (const std::string_view end : {"\n", "", "\r\n", "\n5,6\n"}) {
      const auto of_line = [&](std::string_view line) { return complain(fmt::format("1,2\n{}{}", line, end)); };
      EXPECT_EQ(
          of_line("1,\"2"),
          "4: column 2 begins with a quote that this line does not close; close it, or write it twice in a value in "
          "quotes");
      EXPECT_THAT(of_line("\"1,2"), HasSubstr("4: column 1 begins with a quote"));
      EXPECT_THAT(of_line("1,\"2\"\""), HasSubstr("4: column 2 begins with a quote"));
      EXPECT_EQ(of_line("\"1\"x\"y\",2"),
                fmt::format("4: column 1 has 'x\"y\",2{}' after its closing quote; a quote inside a value is written "
                            "twice",
                            end.starts_with('\r') ? "?" : ""));
      for (const std::string_view empty : {"1,", ",2", "1, ", " ,2", "\"\",2", "1,\"\"", "1,,2", "1,2,"}) {
        EXPECT_EQ(of_line(empty), "4: a column is empty: there is nothing before or after a comma") << empty;
      }
      EXPECT_EQ(of_line("1 2"),
                "4: 1 column, but the first edge has 2; only a comma separates columns, because the first line has a "
                "comma");
      EXPECT_EQ(of_line("1,2,3"), "4: 3 columns, but the first edge has 2");
    }
  }
  EXPECT_EQ(integers_refused("1,2\n1 2,3\n", commas), "4: label '1 2' is not an integer");
  EXPECT_EQ(integers_refused("1,2\n\"x\",3\n", commas), "4: label 'x' is not an integer");
  EXPECT_EQ(integers_refused("1,2\n\" 1\",3\n", commas), "4: label ' 1' is not an integer");
  EXPECT_EQ(integers_refused("1,2\n\"1\"\"\",3\n", commas), "4: label '1\"' is not an integer");
  EXPECT_EQ(integers_refused("1\t2\n\"1\",3\t9\n", tabs),
            "4: column 1 has ',3\t9' after its closing quote; a quote inside a value is written twice");
  EXPECT_EQ(integers_refused("1\t2\n\t9\n", tabs), "4: a column is empty: there is nothing before or after a tab");
  EXPECT_EQ(integers_refused("1\t2\n1,9\n", tabs),
            "4: 1 column, but the first edge has 2; only a tab separates columns, because the first line has a tab");
  EXPECT_EQ(integers_refused("1,2,3\n1,2,\"x\"\n", {.separator = ',', .weighted = true}),
            "6: weight 'x' is not a number");
  EXPECT_EQ(integers_refused("1,2,3\n1,2,\"-1\"\n", {.separator = ',', .weighted = true, .min_weight = 0}),
            "6: weight '-1' is below 0");
  EXPECT_THAT(integers_refused(std::string_view("1,\"\0\"\n", 6), commas),
              HasSubstr("byte 0x00 at column 4: this is not text"));
}

void expect_table(const std::string& path, std::vector<PlainEdge> expected, bool weighted, NameKind kind) {
  std::sort(expected.begin(), expected.end());
  on_threads([&](const Context& context) {
    for (const ReadOptions& options : {ReadOptions{}, in_pieces}) {
      SCOPED_TRACE(path + ", blocks of " + std::to_string(options.block_bytes));
      const GraphFile graph = read_graph(path, options, context);
      EXPECT_EQ(graph.weighted, weighted);
      EXPECT_EQ(graph.names.kind(), kind);
      EXPECT_EQ(edges_of(graph), expected);
    }
  });
}

TEST(Table, FirstLineSaysWhatSeparatesItsColumns) {
  const TemporaryDirectory directory;
  const std::vector<PlainEdge> cities{{"New York", "Boston", 3}, {"San Jose, CA", "\"the\" city", 2}};
  const std::string text = "New York,Boston,3\n\"San Jose, CA\",\"\"\"the\"\" city\",\"2\"\n";
  for (const std::string head : {"", "source,target,weight\n", "# a\n\n\"from\",\"to\",\"km\"\n", "a, b, c\n"}) {
    expect_table(directory.write("cities.csv", head + text), cities, true, NameKind::strings);
    expect_table(directory.write("cities.CSV.gz", test::gzip(head + text)), cities, true, NameKind::strings);
    expect_table(directory.write("cities.csv.zst", test::zstd(head + text)), cities, true, NameKind::strings);
  }
  expect_table(
      directory.write("cities.tsv", "from\tto\tkm\nNew York\tBoston\t3\nSan Jose, CA\t\"\"\"the\"\" city\"\t2"), cities,
      true, NameKind::strings);
  // Without the separator, white space separates columns, and quotes have no meaning.
  expect_table(directory.write("spaces.csv", "\"a\" b\nc,d\n"), {{"\"a\"", "b"}, {"c", "d"}}, false, NameKind::strings);
  expect_table(directory.write("commas.tsv", "a,b\nc\td\n"), {{"a", "b"}, {"c", "d"}}, false, NameKind::strings);
  expect_table(directory.write("commas.txt", "\"a\",b\nc d\n"), {{"\"a\"", "b"}, {"c", "d"}}, false, NameKind::strings);
  // Quotes do not make strings of integers.
  expect_table(directory.write("numbers.csv", "\"source\",\"target\"\n\"1\",\"2\"\n2,\"03\"\n"),
               {{"1", "2"}, {"2", "3"}}, false, NameKind::range);
  expect_table(directory.write("marked.csv", std::string(byte_order_mark) + "\"#a\",b\n%c,d\n"), {{"#a", "b"}}, false,
               NameKind::strings);
}

TEST(Table, NamesTheLineThatIsWrong) {
  const std::string rows = "name 2 columns, but line 2 has 3; name the weights, or leave out the numbers of rows";
  test::expect_bad_files("graph.csv",
                         {{"source,target\nNew York,Boston\n\"a\",\"b\n", ":3: column 2 begins with a quote"},
                          {"\"a,b\n\"c\",d\n", ":1: column 1 begins with a quote"},
                          {"a,b\nc,\"d\" e\n", ":2: column 2 has 'e' after its closing quote"},
                          {"a b,c\nd e\n", ":2: 1 column, but the first edge has 2; only a comma separates"},
                          {"a,b,c,d\n", ":1: 4 columns, but an edge has two labels and perhaps a weight"},
                          {"\"\",\"source\",\"target\"\n\"1\",\"a\",\"b\"\n", ":1: 'source' and 'target' " + rows},
                          {",source,target\n1,a,b\n", ":1: 'source' and 'target' " + rows},
                          {"\"\",\"u\",\"v\"\n\"0\",\"1\",\"2\"\n", ":1: 'u' and 'v' " + rows},
                          {"\"id\",\"source\",\"target\"\n7,1,2\n", ":1: 'source' and 'target' are columns 2 and 3"},
                          {"\"\",\"b\"\n", ":1: a column is empty"},
                          {"1,2\n\"3\",\"x\"\n", ":2: label 'x' is not an integer"}},
                         {ReadOptions{}, in_pieces});
}

TEST(Table, EstimatesItsEdgesWithoutItsComments) {
  const TemporaryDirectory directory;
  std::string text = "source,target\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("\"#{}\",a b\n#{},a b\n", i, i);
  EXPECT_NEAR(static_cast<double>(estimate_text_size(directory.write("a.csv", text), file_kind("a.csv")).edges), 100,
              5);
}

/// A value of a few characters that make a difference, neither empty nor a number.
std::string random_value(std::mt19937_64& random) {
  static constexpr std::string_view letters = "ab, \"\t#%\r\v-x\xC3\xA9";
  std::string name(random() % 12 + 1, ' ');
  for (char& letter : name) letter = letters[random() % letters.size()];
  return random() % 8 == 0 ? std::string(byte_order_mark) + name : name;
}

std::string in_quotes(const std::string& name) {
  std::string value = "\"";
  for (const char c : name) value += c == '"' ? "\"\"" : std::string(1, c);
  return value + '"';
}

TEST(Table, KeepsAnyNamesWhenItIsWritten) {
  const TemporaryDirectory directory;
  for (unsigned seed = 0; seed < test::rounds(20U, 200U); ++seed) {
    std::mt19937_64 random(seed);
    const bool weighted = seed % 2 == 1;
    std::vector<PlainEdge> edges;
    std::string text = weighted ? "source,target,weight\n" : "source,target\n";
    for (std::size_t i = 0; i < random() % 60 + 1; ++i) {
      const std::string source = random_value(random);
      edges.push_back({source, random_value(random), weighted ? static_cast<float>(random() % 100) / 4 : 0});
      text += fmt::format("{},{}", in_quotes(edges.back().source), in_quotes(edges.back().target));
      text += weighted ? fmt::format(",\"{}\"\n", edges.back().weight) : "\n";
    }
    expect_table(directory.write("in.csv", text), edges, weighted, NameKind::strings);
    on_threads([&](const Context& context) {
      const GraphFile graph = read_graph(directory.file("in.csv"), in_pieces, context);
      for (const char* name : {"out.csv", "out.tsv", "out.breadth"}) {
        SCOPED_TRACE(name);
        GraphOutput(directory.file(name), test::world()).write(graph, context);
        EXPECT_EQ(edges_of(read_graph(directory.file(name), {}, context)), edges_of(graph));
        if (!std::string_view(name).ends_with(".breadth")) {
          EXPECT_EQ(edges_of(read_graph(directory.file(name), in_pieces, context)), edges_of(graph));
        }
      }
    });
  }
}

TEST(Table, QuotesOnlyWhatNeedsIt) {
  const TemporaryDirectory directory;
  const std::string text = "\"New York\",\"#a\"\n\"b,c\",\"d\te\"\n\" f\",\"g\"\"h\"\n\"-\",\"%\"\n\"i#\",\"j\rk\"\n";
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const GraphFile graph = read_graph(directory.write("a.csv", text), {}, context);
  GraphOutput(directory.file("b.csv"), test::world()).write(graph, context);
  GraphOutput(directory.file("b.tsv"), test::world()).write(graph, context);
  EXPECT_EQ(content_of(directory.file("b.csv")),
            "New York,\"#a\"\n\"b,c\",\"d\te\"\n\" f\",\"g\"\"h\"\n-,\"%\"\ni#,\"j\rk\"\n");
  EXPECT_EQ(content_of(directory.file("b.tsv")),
            "New York\t\"#a\"\nb,c\t\"d\te\"\n\" f\"\t\"g\"\"h\"\n-\t\"%\"\ni#\t\"j\rk\"\n");
}

TEST(GraphOutput, RefusesNamesThatWhiteSpaceWouldDivide) {
  const TemporaryDirectory directory;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const auto refused = [&](const std::string& text, const std::string& name) {
    const GraphFile graph = read_graph(directory.write("a.csv", text), {}, context);
    return error_of([&] { GraphOutput(directory.file(name), test::world()).write(graph, context); });
  };
  EXPECT_THAT(refused("x,New York\n", "b.txt"),
              HasSubstr("'New York' has white space or a comma, which would separate columns in '" +
                        directory.file("b.txt") + "'; a .csv or .breadth file keeps it"));
  EXPECT_THAT(refused("\"a,b\",c\n", "b.el"), HasSubstr("'a,b' has white space or a comma"));
  EXPECT_THAT(refused("\"# a\",c\n", "b.txt"), HasSubstr("'# a' would begin a comment"));
  EXPECT_THAT(refused("New York,Boston\n", "b.mtx"), HasSubstr("cannot hold the names"));
  EXPECT_EQ(refused("a b,c\nfrom,to\n1,2\n", "e.csv"), "");
  EXPECT_THAT(refused("source,target\n\"Source\",TARGET\na b,c\n", "e.tsv"),
              HasSubstr("'Source' and 'TARGET' would be read as the names of columns"));
  EXPECT_FALSE(std::filesystem::exists(directory.file("b.txt")));
}

}  // namespace
}  // namespace breadth
