// Every input in corpus/ keeps the rules of its target, and is accepted or refused as its name says. So an input that a
// fuzzer once found stays a test.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "breadth_draft.hpp"
#include "support/ranks.hpp"
#include "target.hpp"

namespace breadth::fuzz {
namespace {

std::vector<Target> all_targets() {
  std::vector<Target> all(graph_targets().begin(), graph_targets().end());
  all.insert(all.end(), option_targets().begin(), option_targets().end());
  return all;
}

std::vector<std::filesystem::path> inputs_of(std::string_view target) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BREADTH_FUZZ_CORPUS) / target)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::uint8_t> content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Replay : public testing::TestWithParam<Target> {
 protected:
  Replay() { std::filesystem::create_directory(site_.folder); }
  ~Replay() override { std::filesystem::remove_all(site_.folder); }

  ThreadTeam threads_{3};
  const Context context_{test::world(), threads_};
  const Site site_{context_, testing::TempDir() + "breadth-replay-" + std::to_string(::getpid())};
};

TEST_P(Replay, KeepsItsRulesForEveryInput) {
  std::map<Outcome, int> inputs;
  for (const std::filesystem::path& path : inputs_of(GetParam().name)) {
    SCOPED_TRACE(path);
    const bool refused = path.filename().string().starts_with("refused_");
    const Outcome expected = refused ? Outcome::refused : Outcome::accepted;
    ++inputs[expected];
    EXPECT_NO_THROW(EXPECT_EQ(GetParam().feed(content_of(path), site_), expected));
  }
  EXPECT_GT(inputs[Outcome::accepted], 0);
  EXPECT_GT(inputs[Outcome::refused], 0);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Replay, testing::ValuesIn(all_targets()),
                         [](const auto& one) { return std::string(one.param.name); });

// BreadthDraft repairs checksums, so that the fuzzer gets beyond them.
using BreadthDraftOf = Replay;

TEST_P(BreadthDraftOf, MakesChangedFilesAcceptable) {
  int made = 0;
  for (const std::filesystem::path& path : inputs_of(GetParam().name)) {
    SCOPED_TRACE(path);
    std::vector<std::uint8_t> bytes = content_of(path);
    if (GetParam().feed(bytes, site_) == Outcome::refused) continue;
    bytes[sizeof(breadth_format::Header)] ^= 1U;  // the first edge's source
    EXPECT_EQ(GetParam().feed(bytes, site_), Outcome::refused);
    BreadthDraft draft = take_apart(bytes);
    repair_names(draft);
    repair_labels(draft);
    EXPECT_EQ(GetParam().feed(put_together(draft), site_), Outcome::accepted);
    ++made;
  }
  EXPECT_GT(made, 0);
}

INSTANTIATE_TEST_SUITE_P(Corpus, BreadthDraftOf, testing::Values(graph_targets().back()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace breadth::fuzz
