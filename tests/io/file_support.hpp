// Files to test with, and the content of a graph file as every rank sees it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "io/graph_file.hpp"
#include "support/compression.hpp"
#include "support/ranks.hpp"

namespace breadth::test {

/// A directory that all ranks share. It is empty at first and removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const std::string name = std::filesystem::temp_directory_path() / ("breadth-io-" + std::to_string(::getpid()));
    path_ = world().broadcast(name, 0);
    if (world().rank() == 0) std::filesystem::create_directory(path_);
    world().barrier();
  }
  ~TemporaryDirectory() {
    world().barrier();
    if (world().rank() == 0) std::filesystem::remove_all(path_);
    world().barrier();
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& content) const {
    if (world().rank() == 0) std::ofstream(file(name), std::ios::binary) << content;
    world().barrier();
    return file(name);
  }
  /// The names of the files in the directory, sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::string path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The message of the Error that a step throws; empty if it throws none.
template <class Step>
std::string error_of(Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// An edge with the user's names.
struct PlainEdge {
  std::string source;
  std::string target;
  float weight = 0;  ///< 0 if the graph has no weights
  friend auto operator<=>(const PlainEdge&, const PlainEdge&) = default;
};
inline std::ostream& operator<<(std::ostream& out, const PlainEdge& edge) {
  return out << edge.source << "->" << edge.target << ":" << edge.weight;
}

/// The edges of all ranks with their names, sorted. Every rank gets all of them. Collective.
inline std::vector<PlainEdge> edges_of(const GraphFile& graph) {
  std::vector<Edge> edges(graph.edges->size(), Edge{no_label, no_label});
  std::vector<float> weights(graph.weighted ? edges.size() : 0);
  // Two reads, the second half first: a list may be read from anywhere.
  for (std::size_t half = 2; half-- > 0;) {
    const std::size_t begin = edges.size() / 2 * half;
    const std::size_t end = half == 1 ? edges.size() : edges.size() / 2;
    const std::span some = std::span(weights).subspan(graph.weighted ? begin : 0, graph.weighted ? end - begin : 0);
    graph.edges->read(begin, std::span(edges).subspan(begin, end - begin), some);
  }
  edges = world().all_gather_varying(std::span<const Edge>(edges));
  weights = world().all_gather_varying(std::span<const float>(weights));
  std::vector<Label> labels;
  for (const Edge& edge : edges) labels.insert(labels.end(), {edge.source, edge.target});
  const bool stored = graph.names.kind() != NameKind::range;
  const NameList names = stored ? graph.names.names_of(labels, world()) : NameList();
  const auto name = [&](std::size_t i) {
    return stored ? displayed(graph.names.kind(), names[i]) : std::to_string(labels[i].value + graph.names.first());
  };
  std::vector<PlainEdge> result;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    result.push_back({name(2 * i), name(2 * i + 1), graph.weighted ? weights[i] : 0});
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Small blocks and windows, so that small files have many of them.
constexpr ReadOptions in_pieces{.block_bytes = 7, .window_bytes = 150};

/// Runs a case with teams of one and of three threads.
template <class Case>
void on_threads(Case&& body) {
  for (const int size : {1, 3}) {
    SCOPED_TRACE(std::to_string(size) + " threads");
    ThreadTeam threads(size);
    body(Context{world(), threads});
  }
}

/// Checks that each of these contents of a text file, plain and compressed, is refused for its reason, with the file's
/// name, and with the same message on every rank. Collective.
inline void expect_bad_files(const std::string& name, const std::vector<std::pair<std::string, std::string>>& cases,
                             std::initializer_list<ReadOptions> ways) {
  const TemporaryDirectory directory;
  on_threads([&](const Context& context) {
    for (const auto& [content, reason] : cases) {
      for (const std::string& path : {directory.write(name, content), directory.write(name + ".gz", gzip(content))}) {
        for (const ReadOptions& options : ways) {
          const std::string message = error_of([&] { read_graph(path, options, context); });
          EXPECT_THAT(message, testing::AllOf(testing::HasSubstr(reason), testing::HasSubstr(path))) << content;
          EXPECT_EQ(world().broadcast(message, 0), message) << "not the same on every rank";
        }
      }
    }
  });
}

}  // namespace breadth::test
