// Sources of options, and the messages for options that cannot be obeyed.
#include "cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/command.hpp"
#include "cli/options/option_set.hpp"
#include "cli/options/presets.hpp"
#include "support/ranks.hpp"

namespace breadth::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The settings that the commands of these tests set.
struct Settings {
  int size = 10;
  double factor = 1.5;
  std::string output;
  std::string file;
  std::string config;
  bool quick = false;
  std::array<std::uint64_t, 2> seed = {2, 3};
  int direction = 0;
};

class CommandLine : public testing::Test {
 protected:
  CommandLine() { reset(); }

  /// Restores the commands to their state before any option was given.
  void reset() {
    commands_.clear();
    Command build{.name = "build", .summary = "builds"};
    build.options.add_number("size", settings_.size, {1, 47}, {.meaning = "how large"});
    build.options.add_number("max-factor", settings_.factor, {1, 1e9},
                             {.group = OptionGroup::search, .meaning = "a factor", .was = "growth"});
    build.options.add_text("output", settings_.output, "a file", {.meaning = "where to"});
    build.options.add_flag(
        "quick", settings_.quick,
        {.meaning = "in a hurry", .excludes = {{&settings_.output, "nothing is written in a hurry"}}});
    build.options.add_pair("seed", settings_.seed, {.meaning = "of the random numbers"});
    build.options.add_choice("direction", settings_.direction, {{"auto", 0}, {"push", 1}}, {.meaning = "which way"});
    build.options.add_text("config", settings_.config, "a file", {.meaning = "options"});
    Command show{.name = "show", .summary = "shows"};
    show.options.add_argument("FILE", settings_.file, {.meaning = "what to show", .required = true});
    show.options.add_text("label", settings_.output, "a label",
                          {.meaning = "of a vertex", .required = true, .takes = Takes::vertex});
    commands_.push_back(std::move(build));
    commands_.push_back(std::move(show));
  }

  Invocation parse(const std::vector<std::string>& words, const Variables& variables = {}) {
    return parse_command_line(words, variables, commands_);
  }
  std::string error(const std::vector<std::string>& words, const Variables& variables = {}) {
    try {
      parse(words, variables);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }
  std::string config_file(const std::string& text) {
    const std::string path = testing::TempDir() + "options-" + std::to_string(test::world().rank()) + ".toml";
    std::ofstream(path) << text;
    return path;
  }

  Settings settings_;
  std::vector<Command> commands_;
};

TEST_F(CommandLine, SetsOptionsAndKeepsDefaults) {
  const Invocation invocation =
      parse({"build", "--size", "20", "--max-factor=2.25", "--quick", "--seed", "5,7", "--direction", "push"});
  ASSERT_NE(invocation.command, nullptr);
  EXPECT_EQ(invocation.command->name, "build");
  EXPECT_EQ(settings_.size, 20);
  EXPECT_EQ(settings_.factor, 2.25);
  EXPECT_TRUE(settings_.quick);
  EXPECT_EQ(settings_.seed, (std::array<std::uint64_t, 2>{5, 7}));
  EXPECT_EQ(settings_.direction, 1);
  EXPECT_EQ(settings_.output, "");
}

TEST_F(CommandLine, TakesFlagsAtTheirWord) {
  parse({"build", "--quick=true"});
  EXPECT_TRUE(settings_.quick);
  parse({"build", "--quick=false"});
  EXPECT_FALSE(settings_.quick);
  EXPECT_THAT(error({"build", "--quick=perhaps"}),
              AllOf(HasSubstr("--quick is 'perhaps'"), HasSubstr("true or false")));
}

TEST_F(CommandLine, TakesNegativeLabelsAndArguments) {
  parse({"show", "build", "--label", "-17"});
  EXPECT_EQ(settings_.file, "build");
  EXPECT_EQ(settings_.output, "-17");
  parse({"show", "--label=-", "--", "--label"});
  EXPECT_EQ(settings_.file, "--label");
  EXPECT_EQ(settings_.output, "-");
}

// A renamed option: its old name is accepted from every source, with a note that gives the new one.
TEST_F(CommandLine, TakesAnOldNameAndSaysTheNewOne) {
  const std::string said = "growth is now called max-factor; the next release will not accept the old name";
  EXPECT_THAT(parse({"build", "--max-factor", "2"}).notices, testing::IsEmpty());
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"build", "--growth", "3"}, {"build", "--growth=3"}}) {
    reset();
    EXPECT_THAT(parse(words).notices, testing::ElementsAre(said));
    EXPECT_EQ(settings_.factor, 3);
  }
  reset();
  const std::string file = config_file("growth = 4\n");
  EXPECT_THAT(parse({"build", "--config", file}).notices, testing::ElementsAre(said + " (in " + file + ":1)"));
  EXPECT_EQ(settings_.factor, 4);
  reset();
  EXPECT_THAT(parse({"build"}, {{"BREADTH_GROWTH", "5"}}).notices, testing::ElementsAre(said + " (in BREADTH_GROWTH)"));
  EXPECT_EQ(settings_.factor, 5);
  reset();
  EXPECT_THAT(parse({"build", "--max-factor", "6"}, {{"BREADTH_GROWTH", "5"}}).notices, testing::IsEmpty());
  EXPECT_EQ(settings_.factor, 6);
  EXPECT_THAT(error({"build", "--growth", "2", "--max-factor", "2"}),
              HasSubstr("--max-factor is given more than once"));
  EXPECT_THAT(error({"build", "--growth"}), HasSubstr("--max-factor needs a value"));
}

TEST_F(CommandLine, RefusesAValueThatIsGivenAgain) {
  EXPECT_EQ(error({"build", "--size", "20", "--size=21"}), "--size is given more than once");
}

TEST_F(CommandLine, SaysWhichCommandsHaveAnOption) {
  EXPECT_EQ(error({"build", "--label=x"}), "breadth build has no option --label; show has it");
  EXPECT_EQ(error({"show", "--size=3"}), "breadth show has no option --size; build has it");
  EXPECT_THAT(error({"build", "--sise=3"}), HasSubstr("unknown option --sise; the nearest is --size"));
}

TEST_F(CommandLine, SaysThatOptionsComeBeforeTheMarkOfArguments) {
  EXPECT_EQ(error({"build", "--", "--size", "3"}), "breadth build takes no argument '--size'; options come before --");
  EXPECT_EQ(error({"show", "x", "--", "y"}), "breadth show takes no argument 'y'; options come before --");
  EXPECT_EQ(error({"build", "x", "--"}), "breadth build takes no argument 'x'");
  EXPECT_EQ(error({"build", "--"}), "no error");
}

TEST_F(CommandLine, NamesWhatAnOptionWithoutValueNeeds) {
  EXPECT_EQ(error({"build", "--size"}), "--size needs a value: a whole number from 1 to 47");
  EXPECT_EQ(error({"build", "--quick", "--direction"}), "--direction needs a value: one of auto, push");
  EXPECT_EQ(error({"build", "--direction=", "--size=3"}), "--direction needs a value after =: one of auto, push");
  EXPECT_EQ(error({"build", "--quick=", "--size=3"}), "--quick needs a value after =: true or false");
  for (const char* next : {"--max-factor", "--max-factor=3"}) {
    EXPECT_EQ(error({"build", "--size", next, "3"}),
              "--size has no value before --max-factor; it needs a whole number from 1 to 47");
  }
  EXPECT_EQ(error({"build", "--output=--size"}), "no error");
}

TEST(OptionsCommand, TakesNamesWithDashes) {
  for (const char* word : {"route", "--route", "--json"}) {
    std::vector<Command> commands = all_commands();
    const std::vector<std::string> words = {"options", word};
    EXPECT_NE(parse_command_line(words, {}, commands).command, nullptr) << word;
  }
  std::vector<Command> commands = all_commands();
  const std::vector<std::string> unknown = {"options", "--rout"};
  EXPECT_THROW(parse_command_line(unknown, {}, commands), UsageError);
}

TEST_F(CommandLine, NamesTheFileWhateverAValueHolds) {
  const std::string path = config_file("size = \"1\\u0000\\u001B[2J\"\n");
  EXPECT_THAT(error({"build", "--config", path}), HasSubstr("--size is '1??[2J' in " + path + ":1; it must be"));
}

TEST_F(CommandLine, PrefersFlagsToTheFileAndTheFileToVariables) {
  const std::string path = config_file("size = 11\nseed = [1, 2]\n[build]\nmax_factor = 7.5\nsize = 12\n[show]\n");
  parse({"build", "--config", path, "--seed", "8,9"},
        {{"BREADTH_SIZE", "13"}, {"BREADTH_OUTPUT", "x"}, {"BREADTH_MAX_FACTOR", "3"}});
  EXPECT_EQ(settings_.size, 12);
  EXPECT_EQ(settings_.factor, 7.5);
  EXPECT_EQ(settings_.seed, (std::array<std::uint64_t, 2>{8, 9}));
  EXPECT_EQ(settings_.output, "x");
}

TEST_F(CommandLine, LetsACommandCompleteWhatNobodyGave) {
  commands_[0].complete = [](OptionSet& options) {
    for (const auto& [name, text] : {std::pair("size", "40"), {"output", "x"}}) {
      if (!options.given(name)) options.set_default(*options.find(name), text, "in a file");
    }
  };
  // Defaults do not conflict. A given --output would conflict with --quick.
  const Invocation invocation = parse({"build", "--quick"}, {{"BREADTH_SIZE", "13"}});
  EXPECT_EQ(settings_.size, 13);
  EXPECT_EQ(settings_.output, "x");
  EXPECT_FALSE(invocation.command->options.given("output"));
  commands_[0].complete = [](OptionSet& options) { options.set_default(*options.find("size"), "48", "in a file"); };
  EXPECT_THAT(error({"build"}), AllOf(HasSubstr("'48' in a file"), HasSubstr("from 1 to 47")));
}

TEST(Preset, HasOptionsThatTheirCommandsAccept) {
  const auto of = [](const char* name) {
    std::vector<Command> commands = all_commands();
    return parse_command_line(std::vector<std::string>{"graph500", "--scale", "10", "--preset", name}, {}, commands)
        .command->options.values();
  };
  EXPECT_EQ(of("auto").size(), 2U) << "the preset auto sets nothing";
  for (const Preset& preset : presets()) {
    const auto values = of(preset.name.c_str());
    for (const auto& value : values_of(preset)) {
      EXPECT_NE(std::find(values.begin(), values.end(), value), values.end()) << preset.name << " " << value.first;
    }
    EXPECT_FALSE(preset.meaning.empty());
    EXPECT_LE(preset.meaning.size(), longest_meaning) << preset.name;
  }
}

TEST_F(CommandLine, NamesWhereAValueComesFrom) {
  commands_[0].complete = [](OptionSet& options) {
    options.set_default(*options.find("size"), "40", "in a file");
    options.set_default(*options.find("size"), "41", "of a preset");
  };
  const OptionSet& options = parse({"build", "--output", "x"}).command->options;
  EXPECT_EQ(settings_.size, 41);
  EXPECT_EQ(options.named("size"), "--size 41 of a preset");
  EXPECT_EQ(options.named("output"), "--output x");
  EXPECT_EQ(options.values(), (std::vector<std::pair<std::string, std::string>>{{"size", "41"}, {"output", "x"}}));
}

TEST_F(CommandLine, FindsTheFileThatAVariableNames) {
  parse({"build"}, {{"BREADTH_CONFIG", config_file("quick = true\n")}});
  EXPECT_TRUE(settings_.quick);
}

TEST_F(CommandLine, LeavesOptionsOfOtherCommandsAlone) {
  parse({"build", "--config", config_file("label = 'a'\n[show]\nlabel = 'b'\n")}, {{"BREADTH_LABEL", "c"}});
  EXPECT_EQ(settings_.output, "");
}

TEST_F(CommandLine, NamesTheNearestOfWhatItDoesNotKnow) {
  EXPECT_THAT(error({"build", "--sizes", "3"}), AllOf(HasSubstr("--sizes"), HasSubstr("--size")));
  EXPECT_THAT(error({"build", "--max-fcator=3"}), AllOf(HasSubstr("--max-fcator;"), HasSubstr("--max-factor")));
  EXPECT_THAT(error({"biuld"}), AllOf(HasSubstr("biuld"), HasSubstr("nearest is build")));
  EXPECT_THAT(error({"build", "spare"}), HasSubstr("'spare'"));
  EXPECT_THAT(error({"build"}, {{"BREADTH_SIZZE", "3"}}), AllOf(HasSubstr("BREADTH_SIZZE"), HasSubstr("BREADTH_SIZE")));
  const std::string path = config_file("\nsizze = 3\n");
  EXPECT_THAT(error({"build", "--config", path}), AllOf(HasSubstr(path + ":2"), HasSubstr("sizze"), HasSubstr("size")));
  EXPECT_THAT(error({"build", "--config", config_file("[biuld]\nsize = 3\n")}), HasSubstr("[build]"));
  EXPECT_THAT(error({"build", "--config", config_file("[show]\nsize = 3\n")}), HasSubstr("unknown option size"));
}

TEST_F(CommandLine, NamesNothingWhereNothingIsNear) {
  EXPECT_EQ(error({"build", "--bogus"}), "unknown option --bogus; breadth build --help-all lists all");
  EXPECT_EQ(error({"build", "-x"}), "unknown option -x; breadth build --help-all lists all");
  EXPECT_EQ(error({"search"}), "unknown command search; breadth --help lists all");
  EXPECT_EQ(error({"build"}, {{"BREADTH_VERBOSE", "3"}}), "unknown variable BREADTH_VERBOSE in the environment");
  const std::string path = config_file("verbose = 3\n");
  EXPECT_EQ(error({"build", "--config", path}), path + ":1: unknown option verbose");
  const std::string table = config_file("[bsf]\n");
  EXPECT_EQ(error({"build", "--config", table}), table + ":1: unknown command [bsf]");
}

TEST_F(CommandLine, NamesOptionValueAndRange) {
  for (const char* value : {"0", "48", "-1", "x", "", "3.5", "12x", " 12", "99999999999999999999"}) {
    EXPECT_THAT(error({"build", "--size", value}),
                AllOf(HasSubstr("--size"), HasSubstr(fmt::format("'{}'", value)), HasSubstr("from 1 to 47")));
  }
  for (const char* value : {"0.5", "nan", "inf", "2e9", "1,5"}) {
    EXPECT_THAT(error({"build", "--max-factor", value}), AllOf(HasSubstr("--max-factor"), HasSubstr("from 1 to")));
  }
  for (const char* value : {"1", "1,2,3", "a,b", "-1,2", ","}) {
    EXPECT_THAT(error({"build", "--seed", value}), AllOf(HasSubstr("--seed"), HasSubstr("two whole numbers")));
  }
  EXPECT_THAT(error({"build", "--direction", "sideways"}), AllOf(HasSubstr("sideways"), HasSubstr("auto, push")));
  EXPECT_THAT(error({"build"}, {{"BREADTH_SIZE", "99"}}), AllOf(HasSubstr("'99'"), HasSubstr("BREADTH_SIZE")));
  EXPECT_THAT(error({"build"}, {{"BREADTH_QUICK", "yes"}}), HasSubstr("true or false"));
  const std::string path = config_file("size = 99\n");
  EXPECT_THAT(error({"build", "--config", path}), AllOf(HasSubstr("'99'"), HasSubstr(path + ":1")));
}

TEST_F(CommandLine, RefusesWhatIsMissingTwiceOrContradictory) {
  EXPECT_THAT(error({}), HasSubstr("build, show"));
  EXPECT_THAT(error({"show"}), HasSubstr("needs FILE"));
  EXPECT_THAT(error({"show", "x"}), HasSubstr("needs --label"));
  EXPECT_THAT(error({"build", "--size"}), HasSubstr("--size"));
  EXPECT_THAT(error({"build", "--size", "3", "--size", "4"}), HasSubstr("--size"));
  EXPECT_THAT(error({"build", "--quick", "--output", "x"}), AllOf(HasSubstr("--quick"), HasSubstr("--output")));
}

TEST_F(CommandLine, NamesLineOptionAndRangeOfWordsWithoutQuotes) {
  for (const char* value : {"ten", "", "1O", "ten # not eleven"}) {
    const std::string path = config_file(fmt::format("quick = true\n\nsize = {}\n", value));
    EXPECT_THAT(error({"build", "--config", path}),
                AllOf(HasSubstr("--size is '"), HasSubstr(path + ":3"), HasSubstr("from 1 to 47")));
  }
  const std::string choice = config_file("direction = sideways");
  EXPECT_THAT(error({"build", "--config", choice}), AllOf(HasSubstr(choice + ":1"), HasSubstr("auto, push")));
  const std::string quotes = config_file("\ndirection =  push \r\n");
  EXPECT_THAT(error({"build", "--config", quotes}),
              AllOf(HasSubstr(quotes + ":2"), HasSubstr("quotes"), HasSubstr("direction = \"push\"")));
  const std::string open = config_file("label = \"a\n");
  EXPECT_THAT(error({"build", "--config", open}), AllOf(HasSubstr(open + ":1"), Not(HasSubstr("must be in quotes"))));
}

TEST_F(CommandLine, RefusesFilesThatAreNoOptions) {
  EXPECT_THAT(error({"build", "--config", "/nowhere/options.toml"}), HasSubstr("/nowhere/options.toml"));
  EXPECT_THAT(error({"build", "--config", testing::TempDir()}), HasSubstr(testing::TempDir()));
  EXPECT_THAT(error({"build", "--config", config_file("size = \n")}), HasSubstr(":1"));
  EXPECT_THAT(error({"build", "--config", config_file("size = 2020-01-01\n")}), HasSubstr(":1"));
  const std::string twice = config_file("size = 3\nsize = 4\n");
  EXPECT_EQ(error({"build", "--config", twice}),
            twice + ":2: 'size = 4' repeats an option or table of an earlier line");
  const std::string open = config_file("seed = [1,\n2\n");
  EXPECT_EQ(error({"build", "--config", open}),
            open + ":2: the file ends, but its last value or bracket is not closed");
  const std::string before = config_file("seed = [2, 3\nsize = 4\n");
  EXPECT_EQ(error({"build", "--config", before}), before + ":2: a value or bracket before 'size = 4' is not closed");
}

TEST_F(CommandLine, RefusesWhatAFileWouldBeIgnoredFor) {
  const std::string other = config_file("size = 3\nconfig = 'other.toml'\n");
  EXPECT_EQ(error({"build", "--config", other}), other + ":2: an option file cannot name another one");
  const std::string table = config_file("size = 3\n[biuld]\n");
  EXPECT_EQ(error({"build", "--config", table}), table + ":2: unknown command [biuld]; the nearest is [build]");
  const std::string empty = config_file("[build]\n[show]\n");
  EXPECT_EQ(error({"build", "--config", empty}), "no error");
  for (const char* entry : {"output = true", "output = 3", "output = ['a']"}) {
    const std::string path = config_file(entry);
    EXPECT_EQ(error({"build", "--config", path}), path + ":1: output must be a text in quotes: a file");
    EXPECT_EQ(error({"build", "--output", "x", "--config", path}),
              path + ":1: output must be a text in quotes: a file");
  }
  for (const char* entry : {"[options]\nalpha = 20", "[tuning]\n", "[graph]\nscale = 3"}) {
    const std::string path = config_file(entry);
    EXPECT_EQ(error({"build", "--config", path}), path + " is a profile of breadth tune: breadth build takes none");
  }
}

TEST_F(CommandLine, PrintsHelpAndVersion) {
  EXPECT_THAT(parse({"--help"}).text, AllOf(HasSubstr("build"), HasSubstr("shows")));
  EXPECT_THAT(parse({"--version"}).text, testing::StartsWith("breadth "));
  const std::string help = parse({"build", "--help"}).text;
  EXPECT_THAT(help, AllOf(HasSubstr("\n  --size N "), HasSubstr("how large [10]"), HasSubstr("build --help-all")));
  EXPECT_THAT(help, AllOf(Not(HasSubstr("--max-factor")), Not(HasSubstr("from 1 to 47"))));
  const std::string all = parse({"build", "--help-all"}).text;
  EXPECT_THAT(all, AllOf(HasSubstr("how large\n"), HasSubstr("from 1 to 47 [10]"), HasSubstr("\nSearch (")));
  EXPECT_GT(all.find("--max-factor N"), all.find("\nSearch ("));
  EXPECT_THAT(parse({"show", "--help"}).text, AllOf(HasSubstr("Usage: breadth show --label VERTEX [OPTIONS] FILE\n"),
                                                    HasSubstr("\n  --label VERTEX ")));
  EXPECT_THAT(help,
              AllOf(HasSubstr("\n  --seed N,N "), HasSubstr("\n  --direction WORD "), HasSubstr("\n  --output FILE ")));
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(EveryOption, HasAGroupAndAMeaningOfOneLine) {
  for (const Command& command : all_commands()) {
    for (const Option& option : command.options.options()) {
      const std::string name = command.name + " " + option.name;
      EXPECT_TRUE(option.group) << name;
      EXPECT_LE(option.meaning.size(), longest_meaning) << name;
      EXPECT_FALSE(option.meaning.empty()) << name;
      EXPECT_EQ(option.meaning.find('\n'), std::string::npos) << name;
    }
  }
}

TEST(EveryCommand, HasShortHelpAndAllOfIt) {
  std::vector<Command> commands = all_commands();
  for (const Command& command : all_commands()) {
    const auto help = [&](const char* which) {
      const std::vector<std::string> words = {command.name, which};
      return parse_command_line(words, {}, commands).text;
    };
    const std::vector<std::string> lines = lines_in(help("--help"));
    EXPECT_LE(lines.size(), 26) << command.name;
    for (const std::string& line : lines) EXPECT_LE(line.size(), 100) << command.name << ": " << line;
    EXPECT_THAT(lines.back(), AllOf(HasSubstr("--help-all"), HasSubstr("breadth options"))) << command.name;
    const std::string all = help("--help-all");
    for (const Option& option : command.options.options()) {
      const std::string dashes = option.kind == OptionKind::argument ? "" : "--";
      EXPECT_THAT(all, HasSubstr("\n  " + dashes + option.name + " ")) << command.name;
      EXPECT_THAT(all, HasSubstr(option.meaning)) << command.name;
    }
  }
}

TEST(EveryCommand, HasAnExampleThatItTakes) {
  for (const Command& command : all_commands()) {
    std::vector<std::string> words = {command.name};
    std::istringstream example(command.example);
    for (std::string word; example >> word;) words.push_back(word);
    EXPECT_GT(words.size(), 1U) << command.name;
    std::vector<Command> commands = all_commands();
    EXPECT_NO_THROW(parse_command_line(words, {}, commands)) << command.name;
    words = {command.name, "--help"};
    EXPECT_THAT(parse_command_line(words, {}, commands).text,
                HasSubstr("\nExample: breadth " + command.name + " " + command.example + "\n"));
  }
}

TEST_F(CommandLine, IsTheSameOnAllRanksOrRefused) {
  const Communicator& ranks = test::world();
  const std::vector<std::string> same = {"build", "--size", "5"};
  EXPECT_NE(agree_on_command_line(same, {}, commands_, ranks).command, nullptr);
}

TEST_F(CommandLine, IsTheSameOnAllRanksWhateverTextsHold) {
  for (const std::string text : {"a\nb.txt", "\n", "a\n--size 3\n", "1:2"}) {
    const std::vector<std::string> words = {"show", text, "--label", text};
    EXPECT_NE(agree_on_command_line(words, {}, commands_, test::world()).command, nullptr);
    EXPECT_EQ(settings_.file, text);
  }
}

TEST_F(CommandLine, ThatDiffersBetweenRanksIsRefusedOnAll) {
  const Communicator& ranks = test::world();
  if (ranks.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const bool last = ranks.rank() == ranks.size() - 1;
  const auto message = [&](const std::vector<std::string>& words, const Variables& variables) -> std::string {
    try {
      agree_on_command_line(words, variables, commands_, ranks);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message({"build", "--size", last ? "6" : "5"}, {}), AllOf(HasSubstr("disagree"), HasSubstr("--size 6")));
  EXPECT_THAT(message({"show", last ? "a\nb" : "a", "--label", "x"}, {}), HasSubstr("it was given FILE a\nb, unlike"));
}

TEST_F(CommandLine, ThatIsWrongOnOneRankIsRefusedOnAll) {
  const Communicator& ranks = test::world();
  const bool last = ranks.rank() == ranks.size() - 1;
  const std::vector<std::string> words = {last ? "biuld" : "build"};
  try {
    agree_on_command_line(words, {}, commands_, ranks);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown command biuld"));
  }
}

TEST_F(CommandLine, ThatLacksAnOptionOnOneRankIsRefusedOnAll) {
  const Communicator& ranks = test::world();
  if (ranks.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const Variables variables = ranks.rank() == 0 ? Variables{{"BREADTH_SIZE", "7"}} : Variables{};
  const std::vector<std::string> words = {"build"};
  try {
    agree_on_command_line(words, variables, commands_, ranks);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--size 7"));
  }
}

/// Whether an option accepts a text.
bool takes(const Option& option, const std::string& text) {
  try {
    option.store(text);
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

TEST(EveryOption, TakesTheTextsThatItSaysItTakes) {
  std::size_t with_texts = 0;
  for (const Command& command : all_commands()) {
    for (const Option& option : command.options.options()) {
      SCOPED_TRACE(command.name + " --" + option.name);
      std::vector<std::string> texts = option.texts.words;
      if (const auto& numbers = option.texts.numbers) texts.insert(texts.end(), {numbers->minimum, numbers->maximum});
      for (const std::string& text : texts) EXPECT_TRUE(takes(option, text)) << text;
      if (texts.empty()) continue;
      EXPECT_FALSE(takes(option, "no such text"));
      ++with_texts;
      if (const auto& numbers = option.texts.numbers; numbers && numbers->whole) {
        EXPECT_EQ(takes(option, numbers->minimum + ".5"), false);
      }
    }
  }
  EXPECT_GT(with_texts, 50U);
}

}  // namespace
}  // namespace breadth::cli
