// A graph that lies on the ranks of an MPI communicator, for Python.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph.hpp"
#include "graph/wide_weights.hpp"
#include "io/graph_file.hpp"
#include "search_options.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"
#include "traverse/wide_paths.hpp"
#include "weights.hpp"
#include "workers.hpp"

namespace breadth::python {

/// What vertices are called: integers, or words; no word for no vertex, among integers -1.
using VertexList = std::variant<Buffer<std::int64_t>, std::vector<std::optional<std::string>>>;

/// What a search found of this rank's vertices, an entry for each in their order.
struct RankAnswer {
  /// Levels, -1 where there is none, or distances, as WeightKind says.
  std::variant<Buffer<std::int64_t>, Buffer<float>, Buffer<double>> values;
  VertexList parents;
  VertexList sources = {};    ///< the nearest of each, of a search from several
  LabelArray tree;            ///< parents of all labels that this rank holds, for paths
  std::uint64_t reached = 0;  ///< vertices, on all ranks
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
  LeafPass leaves = {};
};

/// Weights of 64 bits of this rank's edges, in their order, if there are such.
using WideList = std::variant<std::monostate, Buffer<double>, Buffer<std::int64_t>>;

/// Edges of all ranks, of which this one has a part, and how their weights are kept.
struct RankEdges {
  GraphFile file;  ///< without weights where they have 64 bits
  WeightPlan plan = {};
  WideList wide = {};
};

/// Every function is collective, and called without Python's lock by one thread of each rank: no other of the
/// process's threads may use the communicator meanwhile. Signals are not looked for, because ranks that stopped would
/// leave the others waiting. Errors are AgreedError, the same on every rank.
class RankGraph {
 public:
  /// Reads a file, each rank its part.
  RankGraph(std::unique_ptr<Workers> workers, const std::string& path, bool directed, const OptionTexts& layout);
  RankGraph(std::unique_ptr<Workers> workers, RankEdges edges, const OptionTexts& layout);

  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return graph().edge_count(); }
  [[nodiscard]] bool directed() const noexcept { return directedness_ == Directedness::directed; }
  [[nodiscard]] bool weighted() const noexcept { return file_.weighted; }
  [[nodiscard]] WeightKind weight_kind() const noexcept { return plan_.kind; }
  [[nodiscard]] bool named_by_words() const noexcept { return file_.names.kind() == NameKind::strings; }
  /// Bytes of graphs and edges on all ranks.
  [[nodiscard]] std::uint64_t bytes() const;
  /// What this rank's vertices are called.
  [[nodiscard]] VertexList vertices() const;

  /// The label of a vertex, as a user writes its name; none where there is no such vertex.
  [[nodiscard]] std::optional<Label> find(const std::string& name) const;

  /// Up to the last of the targets, where there are any, as for sssp.
  RankAnswer bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, const OptionTexts& options);
  RankAnswer nearest_sources(std::span<const Label> sources, std::int64_t max_depth, const OptionTexts& options);
  /// Which of this rank's vertices are so near to a source, in their order.
  VertexList near_to(std::span<const Label> sources, std::int64_t max_depth, const OptionTexts& options);
  /// Throws UsageError where the graph has no weights, DistanceOverflow where 64 bits have no room for a distance.
  RankAnswer sssp(Label source, std::span<const Label> targets, const Cutoff& cutoff, const OptionTexts& options);
  /// The component of each of this rank's vertices, in their order, and how many there are on all ranks.
  std::pair<Buffer<std::int64_t>, std::uint64_t> components() const;
  /// What the vertices of the path to a label are called; nothing where it is not reached.
  [[nodiscard]] VertexList path(const LabelArray& tree, Label target) const;

 private:
  [[nodiscard]] const Graph& graph() const noexcept { return by_weight_ ? *by_weight_ : *by_hops_; }
  /// Of edges whose weights have 64 bits, if they do.
  void build(const WideList& wide);
  void build_wide(const WideList& wide);
  std::unique_ptr<const Graph> built(const GraphLayout& layout, bool keeps_weights = true) const;
  /// The graph whose edges are counted.
  const Graph& hops();
  [[nodiscard]] VertexList names(const std::vector<Label>& labels) const;
  /// value_of(i) of each of this rank's vertices, the i-th of the labels that it holds. Collective.
  template <class Column, class ValueOf>
  Column by_row(ValueOf&& value_of) const;
  /// What this rank's vertices have in an array with an entry for each label that it holds, by name.
  [[nodiscard]] VertexList names_at(const LabelArray& labels) const;
  /// Parents, and of `values`, which has an entry for each label that this rank holds, those of vertices.
  template <class Value, class ValueOf>
  void write(RankAnswer& answer, ValueOf&& value_of) const;
  /// The place of a vertex, by its row, among the labels that this rank holds.
  [[nodiscard]] std::size_t place(std::size_t row) const {
    return graph().distribution().offset(held_[row], context_.ranks.rank());
  }
  BreadthFirstSearch& bfs_search(bool to_targets, std::int64_t max_depth, const OptionTexts& options);

  /// The search of the last call: one with the same options goes on with its memory.
  template <class Search>
  struct Kept {
    std::string key;
    std::unique_ptr<Search> search;
  };
  template <class Search, class Make>
  Search& kept(Kept<Search>& kept, const OptionTexts& texts, const std::string& limit, Make&& make);

  [[nodiscard]] SsspOptions with_routes(SsspOptions options) const;
  /// In 32-bit floating point; nothing where that rounded and is not to.
  std::optional<RankAnswer> narrow_sssp(Label source, std::span<const Label> targets, double cutoff,
                                        const OptionTexts& options);
  template <class Weight, class Distance>
  RankAnswer wide_sssp(std::span<const Weight> weights, Label source, std::span<const Label> targets, Distance cutoff,
                       const OptionTexts& options);

  std::unique_ptr<Workers> workers_;
  Context context_;
  GraphLayout layout_;
  GraphFile file_;  ///< its edges while a graph may still be built of them
  Directedness directedness_;
  WeightPlan plan_;
  std::unique_ptr<const Graph> by_hops_;
  /// What shortest paths go by, where that is another one: rows by weight, or beside which weights of 64 bits stand.
  std::unique_ptr<const Graph> by_weight_;
  std::variant<std::monostate, WideWeights<double>, WideWeights<std::int64_t>> wide_;
  bool rounds_ = false;      ///< 32 bits were too few for a search
  Bitmap occurs_;            ///< which of this rank's labels are vertices; none where all are
  std::vector<Label> held_;  ///< labels of this rank's vertices, rising
  std::uint64_t vertex_count_ = 0;
  Kept<BreadthFirstSearch> bfs_;
  Kept<ShortestPathSearch> sssp_;
  std::tuple<Kept<WidePathSearch<float, double>>, Kept<WidePathSearch<double, double>>,
             Kept<WidePathSearch<std::int64_t, std::int64_t>>>
      wide_sssp_;
};

}  // namespace breadth::python
