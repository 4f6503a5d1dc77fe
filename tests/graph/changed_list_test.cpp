// Kernel 1 reads its edge list several times. These tests check its behaviour when two readings differ.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "comm/agreement.hpp"
#include "graph/graph.hpp"
#include "io/binary/packed_file.hpp"
#include "support/edge_lists.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

/// A list that calls `change` once: before it returns the first tuple that is read in pass number `pass`.
class ListWithPasses : public EdgeList {
 public:
  ListWithPasses(const EdgeList& list, int pass, std::function<void()> change)
      : list_(list), changed_after_(list.size() * static_cast<std::uint64_t>(pass)), change_(std::move(change)) {}
  [[nodiscard]] std::uint64_t size() const override { return list_.size(); }
  [[nodiscard]] bool weighted() const override { return list_.weighted(); }
  [[nodiscard]] bool may_change() const override { return list_.may_change(); }
  void check_unchanged() const override { list_.check_unchanged(); }
  void report_change() const override { list_.report_change(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    if (seen_.fetch_add(edges.size()) >= changed_after_) std::call_once(once_, change_);
    list_.read(first, edges, weights);
  }

 private:
  const EdgeList& list_;
  std::uint64_t changed_after_;
  std::function<void()> change_;
  mutable std::atomic<std::uint64_t> seen_{0};
  mutable std::once_flag once_;
};

/// A list that returns other tuples after change(). Nothing but the tuples reveals the change.
class TwoLists : public EdgeList {
 public:
  TwoLists(const EdgeList& before, const EdgeList& after) : before_(before), after_(after) {}
  [[nodiscard]] std::uint64_t size() const override { return before_.size(); }
  [[nodiscard]] bool weighted() const override { return before_.weighted(); }
  [[nodiscard]] bool may_change() const override { return true; }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    (changed_ ? after_ : before_).read(first, edges, weights);
  }
  void change() { changed_ = true; }

 private:
  const EdgeList& before_;
  const EdgeList& after_;
  std::atomic<bool> changed_{false};
};

constexpr std::int64_t list_labels = 5000;

NamedEdges weighted_copy(NamedEdges list) {
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(static_cast<float>(i % 7));
  return list;
}

/// A list of the same size in which edge_at(i) replaces each tuple.
template <class EdgeAt>
NamedEdges changed(const NamedEdges& list, const std::string& name, EdgeAt&& edge_at) {
  NamedEdges other = list;
  other.name = name;
  for (std::size_t i = 0; i < other.edges.size(); ++i) other.edges[i] = edge_at(i);
  return other;
}

/// Lists with the same labels but other degrees, so that the buckets get other entries than in an earlier reading.
std::vector<NamedEdges> with_other_degrees(const NamedEdges& list) {
  return {
      changed(list, "all to the last vertices",
              [](std::size_t) { return test::edge(list_labels - 2, list_labels - 1); }),
      changed(list, "all to the first vertices", [](std::size_t) { return test::edge(0, 1); }),
      changed(list, "nothing but self-loops", [](std::size_t) { return test::edge(3, 3); }),
  };
}
/// Lists with labels that an earlier reading did not have.
std::vector<NamedEdges> with_other_labels(const NamedEdges& list) {
  const std::int64_t largest = label_bound - 1;
  return {
      changed(list, "just beyond", [](std::size_t) { return test::edge(list_labels, list_labels + 1); }),
      changed(list, "far beyond", [&](std::size_t i) { return test::edge(static_cast<std::int64_t>(i), largest); }),
      changed(list, "one", [&](std::size_t i) { return i == 77 ? test::edge(largest, 0) : list.edges[i]; }),
  };
}

/// The message of a step that fails on all ranks together; empty if it does not fail.
template <class Step>
std::string agreed_error_of(Step&& step) {
  try {
    step();
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "";
}

/// Checks that a graph is refused if its list becomes `other` in pass number `pass`.
void expect_refusal(const NamedEdges& list, const NamedEdges& other, int pass, const GraphOptions& options,
                    int thread_count) {
  SCOPED_TRACE(other.name + " from pass " + std::to_string(pass) + " on, with " + std::to_string(thread_count) +
               " threads");
  ThreadTeam threads(thread_count);
  const MemoryEdgeList before = test::part_of(list);
  const MemoryEdgeList after = test::part_of(other);
  TwoLists both(before, after);
  const ListWithPasses changing(both, pass, [&] { both.change(); });
  const std::string message = agreed_error_of([&] { (void)build_graph(changing, options, {world(), threads}); });
  EXPECT_NE(message.find("changed while it was read"), std::string::npos) << message;
  EXPECT_EQ(world().broadcast(message, 0), message);
}

/// Covers rows that one rank builds by global id directly (without weights), and all kinds of rows that are built by
/// label.
TEST(ChangedList, IsRefusedHoweverItIsRead) {
  NamedEdges list = test::skewed_edges(list_labels, 40000, 3);
  list.edges.push_back(test::edge(list_labels - 1, 0));
  std::vector<GraphOptions> options(4);
  options[1].directedness = Directedness::directed;
  options[2].layout.adjacency = AdjacencyForm::compressed;
  options[3].neighbour_width = NeighbourWidth::bits64;
  for (const GraphOptions& some : options) {
    for (const NamedEdges& other : with_other_degrees(list)) expect_refusal(list, other, 2, some, 2);
    for (const NamedEdges& other : with_other_labels(list)) {
      for (const int pass : {1, 2}) expect_refusal(list, other, pass, some, 2);
    }
  }
  const NamedEdges weighted = weighted_copy(list);
  for (const NamedEdges& other : with_other_degrees(weighted)) expect_refusal(weighted, other, 2, {}, 1);
}

/// A single rank then has no buckets, and does not read the list again.
TEST(ChangedList, DoesNoHarmWhereItHadOnlySelfLoops) {
  const NamedEdges list = changed(test::path(list_labels), "loops", [](std::size_t i) {
    return test::edge(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
  });
  const NamedEdges other = changed(list, "an edge", [](std::size_t) { return test::edge(4, 5); });
  if (world().size() > 1) return expect_refusal(list, other, 2, {}, 2);
  ThreadTeam threads(2);
  const MemoryEdgeList before(list.edges);
  const MemoryEdgeList after(other.edges);
  TwoLists both(before, after);
  const ListWithPasses changing(both, 2, [&] { both.change(); });
  EXPECT_EQ(build_graph(changing, {}, {world(), threads}).edge_count(), 0U);
}

/// Overwrites a file with tuples. Its place and size stay the same.
void write_in_place(const std::string& path, const std::vector<Edge>& edges) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  for (const Edge& edge : edges) {
    const PackedEdge packed = PackedEdge::pack(edge);
    file.write(reinterpret_cast<const char*>(&packed), sizeof(packed));
  }
}

/// A file that only this rank uses.
class OwnFile {
 public:
  explicit OwnFile(const std::vector<Edge>& edges)
      : path_(std::filesystem::temp_directory_path() / ("breadth-changed-" + std::to_string(::getpid()) + ".g500")) {
    std::ofstream(path_, std::ios::binary) << "";
    write_in_place(path_, edges);
    // Makes the file look old, because a write within the same milliseconds would not change its time.
    std::filesystem::last_write_time(path_, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }
  ~OwnFile() { std::filesystem::remove(path_); }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(ChangedList, IsNamedWhereItIsAFile) {
  const NamedEdges list = test::random_edges(list_labels, 20000, 1);
  const NamedEdges other = test::random_edges(list_labels, 20000, 2);
  const bool changes = world().rank() == world().size() - 1;
  ThreadTeam threads(2);
  for (const int pass : {0, 1, 2}) {
    const OwnFile file(list.edges);
    const MappedEdgeList mapped(std::make_shared<const MappedFile>(file.path()), 0, list.edges.size());
    const ListWithPasses changing(mapped, pass, [&] {
      if (changes) write_in_place(file.path(), other.edges);
    });
    const std::string message = agreed_error_of([&] { (void)build_graph(changing, {}, {world(), threads}); });
    const std::string expected = world().broadcast(file.path(), world().size() - 1);
    EXPECT_NE(message.find("'" + expected + "' changed while it was read"), std::string::npos)
        << "pass " << pass << ": " << message;
  }
}

}  // namespace
}  // namespace breadth
