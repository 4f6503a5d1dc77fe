// Options without effect: a given one is refused, with the choice that makes it ineffective.
#include "cli/options/effect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/kernel_options.hpp"
#include "core/errors.hpp"

namespace breadth::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The program's error message for these words; empty if it would run.
std::string answer(const std::string& line, const std::vector<std::pair<std::string, std::string>>& variables = {}) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<Command> commands = all_commands();
  try {
    (void)parse_command_line(words, variables, commands);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

struct Case {
  const char* choice;  ///< makes an option ineffective
  const char* given;   ///< the option without effect
  const char* blamed;  ///< the choice that the message names
};

constexpr const char* benchmark = "graph500 --scale 9 ";

constexpr Case refused[] = {
    {"", "--delta 0.5", "--kernels bfs"},
    {"", "--weighted-columns 3", "--kernels bfs"},
    {"", "--device-control host", "--device cpu"},
    {"", "--device-block 9", "--device cpu"},
    {"", "--hub-masks blocking", "--hubs none"},
    {"", "--light-parents end", "--subgraphs together"},
    {"", "--hub-to-hub 1,1", "--subgraphs together"},
    {"", "--monitor heaviest", "--route direct"},
    {"", "--unique on", "--route direct"},
    {"--kernels sssp", "--alpha 3", "--kernels sssp"},
    {"--kernels sssp", "--pull messages", "--kernels sssp"},
    {"--kernels sssp", "--adjacency rows", "--kernels sssp"},
    {"--kernels sssp", "--columns 3", "--kernels sssp"},
    {"--kernels sssp --delta 0.5", "--ball 3", "--delta 0.5"},
    {"--kernels sssp --sweeps off", "--hubs-first off", "--sweeps off"},
    {"--partition auto-2d", "--neighbours vertices", "--partition auto-2d"},
    {"--partition auto-2d", "--alpha 3", "--partition auto-2d"},
    {"--partition auto-2d", "--coalescing 3", "--partition auto-2d"},
    {"--partition auto-2d", "--replicate leader", "--partition auto-2d"},
    {"--adjacency full-scan", "--columns 3", "--adjacency full-scan"},
    {"--adjacency full-scan", "--fuse-levels on", "--adjacency full-scan"},
    {"--order label", "--fuse-levels on", "--order label"},
    {"--order label", "--leaves last", "--order label"},
    {"--hubs 9 --subgraphs apart", "--beta 3", "--subgraphs apart"},
    {"--hubs 9 --subgraphs apart", "--leaves last", "--subgraphs apart"},
    {"--hubs 9 --subgraphs apart", "--shared-bits all", "--subgraphs apart"},
    {"--hubs 9 --subgraphs apart --direction push", "--hub-to-light 1", "--direction push"},
    {"--direction push", "--alpha 3", "--direction push"},
    {"--direction push", "--mixed-levels on", "--direction push"},
    {"--direction push --leaves levels", "--summary 64", "--direction push"},
    {"--direction push --leaves levels", "--replicate leader", "--direction push"},
    {"--direction pull", "--small-level 3", "--direction pull"},
    {"--direction pull", "--push-ranges off", "--direction pull"},
    {"--direction pull", "--packets pairs", "--direction pull"},
    {"--direction pull", "--route local", "--direction pull"},
    {"--push-ranges off", "--mixed-levels on", "--push-ranges off"},
    {"--pull messages", "--summary 64", "--pull messages"},
    {"--pull messages", "--replicate leader", "--pull messages"},
    {"--summary 64", "--shared-bits all", "--summary 64"},
    {"--exchange bulk", "--coalescing 3", "--exchange bulk"},
    {"--exchange bulk", "--ending marks", "--exchange bulk"},
};

TEST(Effect, OptionsWithoutAnyAreRefused) {
  for (const Case& one : refused) {
    const std::string line = std::string(benchmark) + one.choice + " " + one.given;
    const bool chosen = std::string(one.choice).find(one.blamed) != std::string::npos;
    const std::string given = one.given;
    EXPECT_EQ(answer(std::string(benchmark) + one.choice), "");
    EXPECT_THAT(answer(line), StartsWith(chosen ? given + " and " + one.blamed + " exclude each other: "
                                                : given + " has no effect with " + one.blamed + ", the default: "))
        << line;
  }
}

TEST(Effect, MessagesNameADefaultAsOne) {
  EXPECT_EQ(answer(std::string(benchmark) + "--subgraphs apart"),
            "--subgraphs apart has no effect with --hubs none, the default: without hubs there is one subgraph");
  EXPECT_EQ(answer(std::string(benchmark) + "--subgraphs apart --hubs none"),
            "--subgraphs apart and --hubs none exclude each other: without hubs there is one subgraph");
  EXPECT_THAT(answer(std::string(benchmark) + "--preset cui2012 --adjacency compressed"),
              StartsWith("--adjacency compressed and --neighbours labels of --preset cui2012 exclude each other: "));
}

TEST(Effect, MessagesNameWhereAValueComesFrom) {
  const std::string line = std::string(benchmark) + "--direction push";
  EXPECT_THAT(answer(line, {{"BREADTH_ALPHA", "5"}}),
              StartsWith("--alpha 5 in BREADTH_ALPHA and --direction push exclude each other: "));
  EXPECT_THAT(answer(benchmark, {{"BREADTH_DELTA", "5"}}),
              StartsWith("--delta 5 in BREADTH_DELTA has no effect with --kernels bfs, the default: "));
  EXPECT_THAT(answer("graph500 --input graph.txt", {{"BREADTH_SEED", "1,2"}}),
              StartsWith("--input and --seed in BREADTH_SEED exclude each other: "));
}

TEST(Effect, CalibrationHasNoneWhereNothingIsOpen) {
  const auto answer_to = [](const std::string& words) { return answer(benchmark + ("--calibrate 3 " + words)); };
  const std::string both = "--calibrate 3 and ";
  EXPECT_THAT(answer_to("--direction push"), StartsWith(both + "--direction push exclude each other: "));
  EXPECT_THAT(answer_to("--preset cui2012"), StartsWith(both + "--preset cui2012 exclude each other: "));
  EXPECT_THAT(answer_to("--kernels sssp"), StartsWith(both + "--kernels sssp exclude each other: "));
  EXPECT_THAT(answer_to("--partition auto-2d"), StartsWith(both + "--partition auto-2d exclude each other: "));
  EXPECT_THAT(answer_to("--replicate shared --exchange bulk --packets pairs"), HasSubstr("no effect: you gave"));
  for (const char* words : {"", "--kernels bfs,sssp", "--exchange bulk", "--preset auto"}) {
    EXPECT_EQ(answer_to(words), "") << words;
  }
  for (const char* words : {"--direction push", "--preset cui2012", "--partition auto-2d", "--kernels sssp"}) {
    EXPECT_EQ(answer(std::string(benchmark) + "--calibrate 0 " + words), "") << words;
  }
}

TEST(Effect, OptionsWithSomeAreTaken) {
  for (const char* words :
       {"--direction pull --pull messages --coalescing 3", "--kernels bfs,sssp --delta 0.5 --alpha 3",
        "--kernels sssp --coalescing 3", "--kernels bfs,sssp --exchange bulk",
        "--kernels bfs,sssp --direction pull --coalescing 3", "--partition auto-2d --direction push",
        "--order label --leaves levels --fuse-levels off", "--direction push --summary 64",
        "--hubs 9 --subgraphs apart --light-parents end --hub-to-hub 1,1", "--route local --unique on --group-size 3",
        "--group-size 3", "--device auto --device-control host", "--device auto --summary 64"}) {
    EXPECT_EQ(answer(std::string(benchmark) + words), "") << words;
  }
  EXPECT_THAT(answer("bfs graph.txt --source 1 --group-size 3"),
              HasSubstr("--group-size 3 has no effect with --route direct, the default"));
  EXPECT_THAT(answer("sssp graph.txt --source 1 --group-size 3"),
              HasSubstr("--group-size 3 has no effect with --route direct, the default"));
  EXPECT_THAT(answer("sssp graph.txt --source 1 --exchange bulk --coalescing 3"), HasSubstr("--exchange bulk"));
  EXPECT_THAT(answer("bfs graph.txt --source 1 --max-depth 3 --leaves last"), HasSubstr("--max-depth 3"));
  EXPECT_EQ(answer("bfs graph.txt --source 1 --max-depth 3 --leaves levels"), "");
  EXPECT_EQ(answer("bfs graph.txt --source 1 --max-depth none --leaves last"), "");
}

TEST(Effect, OptionsOfSearchesHaveNoneWhereNoKernelSearches) {
  Kernels none(std::initializer_list<KernelKind>{});
  GraphLayout layout;
  BfsOptions bfs;
  DeviceSettings device{.device = std::nullopt};
  OptionSet options;
  add_kernels_option(options, none);
  add_layout_options(options, layout);
  add_engine_options(options, bfs);
  add_device_options(options, device);
  for (const char* name : {"direction", "ranks-per-node", "device-transport", "partition", "columns"}) {
    EXPECT_NE(idle_by(*options.find(name), options, {.bfs = bfs, .layout = layout, .kernels = none}), nullptr) << name;
  }
  EXPECT_EQ(idle_by(*options.find("order"), options, {.bfs = bfs, .layout = layout, .kernels = none}), nullptr);
  options.set(*options.find("coalescing"), "3", "");
  EXPECT_THROW(check_effect(options, {.bfs = bfs, .layout = layout, .kernels = none}), UsageError);
}

/// Values of a preset that have no effect beside the given options are not refused.
TEST(Effect, ValuesOfPresetsAreNotRefused) {
  for (const char* words : {"--preset checconi2014 --direction push", "--preset pan2018 --kernels sssp",
                            "--preset reference --direction pull", "--preset tianhe2021 --exchange bulk"}) {
    EXPECT_EQ(answer(std::string(benchmark) + words), "") << words;
  }
}

/// Every reason in the table must occur in a case above, so that no reason is untested.
TEST(Effect, EveryReasonIsTested) {
  std::set<std::string> reasons;
  const std::vector<Command> commands = all_commands();
  for (const Command& command : commands) {
    for (const Option& option : command.options.options()) {
      for (const Idle& idle : option.idle) reasons.insert(idle.reason);
    }
  }
  std::vector<std::string> answers = {answer("bfs graph.txt --source 1 --group-size 3"),
                                      answer("bfs graph.txt --source 1 --max-depth 3 --leaves last")};
  for (const Case& one : refused) answers.push_back(answer(std::string(benchmark) + one.choice + " " + one.given));
  for (const std::string& reason : reasons) {
    EXPECT_TRUE(std::any_of(answers.begin(), answers.end(), [&](const std::string& text) {
      return text.find(reason) != std::string::npos;
    })) << reason;
  }
  EXPECT_GT(reasons.size(), 20U);
}

}  // namespace
}  // namespace breadth::cli
