// A graph that lies on the ranks of an MPI communicator, for Python.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "comm/context.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph.hpp"
#include "io/graph_file.hpp"
#include "search_options.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"
#include "workers.hpp"

namespace breadth::python {

/// What vertices are called: integers, or words; no word for no vertex, among integers -1.
using VertexList = std::variant<Buffer<std::int64_t>, std::vector<std::optional<std::string>>>;

/// What a search found of this rank's vertices, an entry for each in their order.
struct RankAnswer {
  std::variant<Buffer<std::int64_t>, Buffer<float>> values;  ///< levels, -1 where there is none, or distances
  VertexList parents;
  LabelArray tree;            ///< parents of all labels that this rank holds, for paths
  std::uint64_t reached = 0;  ///< vertices, on all ranks
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
};

/// Every function is collective, and called without Python's lock by one thread of each rank: no other of the
/// process's threads may use the communicator meanwhile. Signals are not looked for, because ranks that stopped would
/// leave the others waiting. Errors are AgreedError, the same on every rank.
class RankGraph {
 public:
  /// Reads a file, each rank its part.
  RankGraph(std::unique_ptr<Workers> workers, const std::string& path, bool directed, const OptionTexts& layout);
  /// A graph whose edges are in this rank's part of `file`.
  RankGraph(std::unique_ptr<Workers> workers, GraphFile file, const OptionTexts& layout);

  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return graph().edge_count(); }
  [[nodiscard]] bool directed() const noexcept { return directedness_ == Directedness::directed; }
  [[nodiscard]] bool weighted() const noexcept { return file_.weighted; }
  [[nodiscard]] bool named_by_words() const noexcept { return file_.names.kind() == NameKind::strings; }
  /// Bytes of graphs and edges on all ranks.
  [[nodiscard]] std::uint64_t bytes() const;
  /// What this rank's vertices are called.
  [[nodiscard]] VertexList vertices() const;

  /// The label of a vertex, as a user writes its name; none where there is no such vertex.
  [[nodiscard]] std::optional<Label> find(const std::string& name) const;

  RankAnswer bfs(Label source, std::int64_t max_depth, const OptionTexts& options);
  /// Throws UsageError where the graph has no weights.
  RankAnswer sssp(Label source, double cutoff, const OptionTexts& options);
  /// The component of each of this rank's vertices, in their order, and how many there are on all ranks.
  std::pair<Buffer<std::int64_t>, std::uint64_t> components() const;
  /// What the vertices of the path to a label are called; nothing where it is not reached.
  [[nodiscard]] VertexList path(const LabelArray& tree, Label target) const;

 private:
  [[nodiscard]] const Graph& graph() const noexcept { return by_weight_ ? *by_weight_ : *by_hops_; }
  void build();
  std::unique_ptr<const Graph> built(const EdgeList& edges, const GraphLayout& layout) const;
  /// The graph whose edges are counted.
  const Graph& hops();
  [[nodiscard]] VertexList names(const std::vector<Label>& labels) const;
  /// Parents, and of `values`, which has an entry for each label that this rank holds, those of vertices.
  template <class Value, class ValueOf>
  void write(RankAnswer& answer, ValueOf&& value_of) const;

  /// The search of the last call: one with the same options goes on with its memory.
  template <class Search>
  struct Kept {
    std::string key;
    std::unique_ptr<Search> search;
  };
  template <class Search, class Make>
  Search& kept(Kept<Search>& kept, const OptionTexts& texts, double limit, Make&& make);

  std::unique_ptr<Workers> workers_;
  Context context_;
  GraphLayout layout_;
  GraphFile file_;  ///< its edges while a graph may still be built of them
  Directedness directedness_;
  std::unique_ptr<const Graph> by_hops_;
  std::unique_ptr<const Graph> by_weight_;
  Bitmap occurs_;            ///< which of this rank's labels are vertices; none where all are
  std::vector<Label> held_;  ///< labels of this rank's vertices, rising
  std::uint64_t vertex_count_ = 0;
  Kept<BreadthFirstSearch> bfs_;
  Kept<ShortestPathSearch> sssp_;
};

}  // namespace breadth::python
