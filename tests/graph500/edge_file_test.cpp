// The file in which a run stores its edge list.
#include "graph500/benchmark_input.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/generators.hpp"
#include "graph500/benchmark.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A folder of this process. Tells whether the process has mapped files of it.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("breadth-test-{}", ::getpid())) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] bool empty() const { return std::filesystem::is_empty(path_); }
  [[nodiscard]] bool has_a_mapped_file() const {
    std::ifstream maps("/proc/self/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    return text.find(path() + "/") != std::string::npos;
  }

 private:
  std::filesystem::path path_;
};

TEST(EdgeFile, HasTheListAndNoName) {
  const Folder folder;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const Kronecker kronecker({.scale = 10, .edgefactor = 16});
  const auto share = static_cast<std::uint64_t>(test::world().rank()) * 1000;
  for (const bool weighted : {false, true}) {
    const KroneckerEdgeList made(kronecker, share, share + 777, weighted);
    {
      const std::unique_ptr<EdgeList> kept = keep_in_file(made, folder.path(), context);
      EXPECT_TRUE(folder.empty());
      EXPECT_TRUE(folder.has_a_mapped_file());
      ASSERT_EQ(kept->size(), made.size());
      ASSERT_EQ(kept->weighted(), weighted);
      std::vector<Edge> expected(770, Edge{no_label, no_label});
      std::vector<Edge> found = expected;
      std::vector<float> expected_weights(weighted ? 770 : 0);
      std::vector<float> weights = expected_weights;
      made.read(7, expected, expected_weights);
      kept->read(7, found, weights);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(weights, expected_weights);
    }
    EXPECT_FALSE(folder.has_a_mapped_file());
  }
}

/// A list of `size` tuples that must not be read.
class UnreadEdgeList final : public EdgeList {
 public:
  explicit UnreadEdgeList(std::uint64_t size) : size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] bool weighted() const override { return false; }
  void read(std::uint64_t, std::span<Edge>, std::span<float>) const override { ADD_FAILURE(); }

 private:
  std::uint64_t size_;
};

std::string failure_of(const EdgeList& list, const std::string& folder, const Context& context) {
  try {
    (void)keep_in_file(list, folder, context);
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "no failure";
}

TEST(EdgeFile, IsNotBegunWhereTheDiskIsTooSmall) {
  const Folder folder;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const UnreadEdgeList large(std::uint64_t{1} << 52);
  const std::string failure = failure_of(large, folder.path(), context);
  EXPECT_THAT(failure, HasSubstr("too little room for the edge list in '"));
  EXPECT_THAT(failure, HasSubstr("GiB are free on its disk; choose another folder with --edge-folder"));
  const UnreadEdgeList small(5);
  EXPECT_THAT(failure_of(small, folder.path() + "/nowhere", context), HasSubstr("/nowhere'"));
  EXPECT_TRUE(folder.empty());
}

TEST(EdgeFile, KeepsTheEdgeListOfARun) {
  const Folder folder;
  ThreadTeam threads(2);
  RunObserver observer;
  const auto run = [&](EdgeListPlace place, Kernels kernels) {
    std::optional<bool> mapped;  // before the first search
    const BenchmarkReport report =
        run_benchmark({.scale = 9, .keys = 64, .edge_list = place, .edge_folder = folder.path(), .kernels = kernels},
                      {.context = {test::world(), threads}, .observer = observer, .stop = [&] {
                         if (!mapped) mapped = folder.has_a_mapped_file();
                         return false;
                       }});
    EXPECT_EQ(mapped, place == EdgeListPlace::file);
    EXPECT_TRUE(report.valid());
    EXPECT_TRUE(report.rules_broken.empty());
    EXPECT_TRUE(folder.empty());
    std::vector<std::uint64_t> edges;
    for (const SearchRecord& search : report.kernels.at(0).searches) edges.push_back(search.verification.edges);
    return edges;
  };
  for (const KernelKind kernels : {KernelKind::bfs, KernelKind::sssp}) {
    EXPECT_EQ(run(EdgeListPlace::file, kernels), run(EdgeListPlace::memory, kernels));
  }
}

}  // namespace
}  // namespace breadth
