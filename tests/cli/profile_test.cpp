// Profiles: what was written can be read again, and each tunable is an option that a search accepts.
#include "cli/commands/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "cli/command_line.hpp"
#include "cli/commands/calibration.hpp"
#include "cli/config_file.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/tunables.hpp"
#include "support/ranks.hpp"

namespace breadth::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Pair;
using testing::StartsWith;

ProfileRecord record() {
  return {.options = {{"alpha", "28.3"}, {"leaves", "levels"}, {"coalescing", "1024"}},
          .version = "1.2.3",
          .date = "2026-11-21",
          .speedup = 1.25,
          .spread = 0.03,
          .noise = 0.0125,
          .keys = 32,
          .seconds = 12.34,
          .graphs = 5,
          .not_tried = {"beta again", "coalescing"},
          .setup = {.cpu = "a \"fast\" processor", .cores = 8, .ranks = 2, .threads = 4},
          .scale = 20,
          .edgefactor = 16,
          .seed = {2, 3},
          .adjacency = "skip-list",
          .vertices = 1000,
          .edges = 16000};
}

/// A command with the options of a search, and a profile.
class ProfileFile : public testing::Test {
 protected:
  ProfileFile() {
    commands_.push_back({.name = "search", .summary = "searches"});
    add_engine_options(commands_[0].options, bfs_);
    add_profile(commands_[0], profile_);
  }
  std::string write(const std::string& text) {
    const std::string path = testing::TempDir() + "profile-" + std::to_string(getpid()) + ".toml";
    std::ofstream(path) << text;
    return path;
  }
  std::vector<std::pair<std::string, std::string>> entries(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const ConfigEntry& entry : read_config_file("profile", write(text), commands_[0].options)) {
      if (entry.kind == ConfigKind::table) continue;
      entries.emplace_back(entry.section + "." + entry.key, entry.value);
    }
    std::sort(entries.begin(), entries.end());
    return entries;
  }

  BfsOptions bfs_;
  Profile profile_;
  std::vector<Command> commands_;
};

TEST_F(ProfileFile, SaysAllThatWasFoundAndWhere) {
  EXPECT_THAT(
      entries(profile_text(record())),
      ElementsAre(Pair("graph.adjacency", "skip-list"), Pair("graph.edgefactor", "16"), Pair("graph.edges", "16000"),
                  Pair("graph.scale", "20"), Pair("graph.seed", "2,3"), Pair("graph.vertices", "1000"),
                  Pair("machine.cores", "8"), Pair("machine.cpu", "a \"fast\" processor"), Pair("machine.ranks", "2"),
                  Pair("machine.threads", "4"), Pair("options.alpha", "28.3"), Pair("options.coalescing", "1024"),
                  Pair("options.leaves", "levels"), Pair("tuning.date", "2026-11-21"), Pair("tuning.graphs", "5"),
                  Pair("tuning.keys", "32"), Pair("tuning.noise", "0.0125"),
                  Pair("tuning.not-tried", "beta again,coalescing"), Pair("tuning.seconds", "12.3"),
                  Pair("tuning.speedup", "1.25"), Pair("tuning.spread", "0.03"), Pair("tuning.version", "1.2.3")));
}

TEST_F(ProfileFile, NamesAGraphFileInsteadOfAScale) {
  for (const char* name : {"graph.txt", "a \"b\" \\ c'.mtx", "gr\u00e4ph\t.el"}) {
    ProfileRecord of_file = record();
    of_file.file = name;
    const auto found = entries(profile_text(of_file));
    EXPECT_THAT(found, testing::Contains(Pair("graph.file", name)));
    EXPECT_THAT(found, testing::Not(testing::Contains(Pair("graph.scale", testing::_))));
  }
}

TEST_F(ProfileFile, SetsWhatNobodyGave) {
  const std::string path = write(profile_text(record()));
  const std::vector<std::string> words = {"search", "--profile", path, "--coalescing", "7"};
  const Invocation invocation = parse_command_line(words, {}, commands_);
  ASSERT_NE(invocation.command, nullptr);
  EXPECT_EQ(bfs_.direction.alpha, 28.3);
  EXPECT_FALSE(bfs_.leaves_last);
  EXPECT_EQ(bfs_.messages.coalescing, 7U);
  EXPECT_EQ(bfs_.direction.beta, BfsOptions().direction.beta);
  EXPECT_FALSE(commands_[0].options.given("alpha"));
  ASSERT_TRUE(used_profile(profile_));
  EXPECT_THAT(used_profile(profile_)->options, ElementsAre(Pair("alpha", "28.3"), Pair("leaves", "levels")));
  EXPECT_EQ(profile_.made_for.cpu, "a \"fast\" processor");
  EXPECT_EQ(profile_.made_for.cores, 8);
  EXPECT_EQ(profile_.made_for.ranks, 2);
  EXPECT_EQ(profile_.made_for.threads, 4);
}

TEST_F(ProfileFile, IsNotThereWhereNoneIsGiven) {
  const std::vector<std::string> words = {"search"};
  parse_command_line(words, {}, commands_);
  EXPECT_FALSE(used_profile(profile_));
  EXPECT_EQ(bfs_.direction.alpha, BfsOptions().direction.alpha);
}

TEST_F(ProfileFile, IsCalledByItsNameWhereItCannotBeRead) {
  const std::string missing = testing::TempDir() + "no-such-profile.toml";
  for (const std::string& path : {missing, testing::TempDir()}) {
    const std::vector<std::string> words = {"search", "--profile", path};
    try {
      parse_command_line(words, {}, commands_);
      FAIL() << "no error";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), StartsWith("cannot read the profile " + path + ": "));
    }
  }
}

TEST_F(ProfileFile, ThatDiffersBetweenRanksIsRefusedOnAll) {
  if (test::world().size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  // As on machines that each have their own file of this name.
  const bool last = test::world().rank() == test::world().size() - 1;
  profile_.used.path = write(last ? "[options]\nalpha = 3\n" : "[options]\nalpha = 4\n");
  const std::vector<std::string> words = {"search"};
  try {
    agree_on_command_line(words, {}, commands_, test::world());
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--alpha 3"));
  }
}

TEST(Tunables, AreOptionsWithTheirDefaults) {
  const std::vector<Tunable> tunables = engine_tunables();
  const BfsOptions bfs = bfs_options(tunables, default_setting(tunables));
  const BfsOptions expected;
  EXPECT_EQ(bfs.direction.alpha, expected.direction.alpha);
  EXPECT_EQ(bfs.direction.beta, expected.direction.beta);
  EXPECT_EQ(bfs.messages.coalescing, expected.messages.coalescing);
  EXPECT_EQ(bfs.leaves_last, expected.leaves_last);
  EXPECT_EQ(bfs.direction.policy, expected.direction.policy);
}

TEST(Tunables, HaveValuesThatTheirOptionsTake) {
  const std::vector<Tunable> tunables = engine_tunables();
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    EXPECT_GE(tunables[i].values.size(), 2U);
    for (const std::string& value : tunables[i].values) {
      Setting setting = default_setting(tunables);
      setting[i] = value;
      EXPECT_NO_THROW(check(bfs_options(tunables, setting))) << tunables[i].option << " " << value;
    }
  }
}

TEST(Tunables, LeaveOutOnOneRankWhatConcernsSeveral) {
  const auto has_coalescing = [](const std::vector<Tunable>& tunables) {
    return std::any_of(tunables.begin(), tunables.end(),
                       [](const Tunable& tunable) { return tunable.option == "coalescing"; });
  };
  EXPECT_FALSE(has_coalescing(engine_tunables(1)));
  EXPECT_TRUE(has_coalescing(engine_tunables(2)));
}

TEST(Calibration, LeavesAloneWhatSomebodyChose) {
  const auto left_open = [](BenchmarkOptions benchmark, const std::vector<std::string>& given) {
    OptionSet options;
    add_engine_options(options, benchmark.bfs);
    CalibrationSettings calibration;
    for (const std::string& name : given) {
      const Option* option = options.find(name);
      options.set(*option, option->default_text, "");
    }
    choose_tunables(options, benchmark, calibration);
    std::vector<std::string> names;
    for (const Tunable& tunable : calibration.tunables) names.push_back(tunable.option);
    return names;
  };
  const std::vector<std::string> all = left_open({}, {});
  EXPECT_THAT(all, IsSupersetOf({"replicate", "coalescing"}));
  std::vector<std::string> others = all;
  std::erase(others, "replicate");
  EXPECT_EQ(left_open({}, {"replicate", "alpha"}), others);
  EXPECT_EQ(left_open({.bfs = {.pull = PullPolicy::messages}}, {}), others);
  others = all;
  std::erase(others, "coalescing");
  EXPECT_EQ(left_open({.bfs = {.messages = {.exchange = ExchangePolicy::bulk}}}, {}), others);
  EXPECT_THAT(left_open({}, {"ending"}), testing::Not(testing::Contains("exchange")));
  EXPECT_THAT(left_open({.layout = {.grid = GridShape{}}}, {}), IsEmpty());
  EXPECT_THAT(left_open({.preset = "cui2012"}, {}), IsEmpty());
  EXPECT_THAT(left_open({.profile = UsedProfile{}}, {}), IsEmpty());
  EXPECT_THAT(left_open({.kernels = KernelKind::sssp}, {}), IsEmpty());
  EXPECT_THAT(left_open({.bfs = {.direction = {DirectionPolicy::push}}}, {}), IsEmpty());
}

}  // namespace
}  // namespace breadth::cli
