// A graph that is distributed over the ranks of an MPI communicator, for Python.
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

/// The names of vertices: integers or words. No vertex is -1 among integers, and an empty optional among words.
using VertexList = std::variant<Buffer<std::int64_t>, std::vector<std::optional<std::string>>>;

/// The result of a search for this rank's vertices, with an entry for each in their order.
struct RankAnswer {
  /// Levels, -1 for unreached vertices, or distances in the type that WeightKind says.
  std::variant<Buffer<std::int64_t>, Buffer<float>, Buffer<double>> values;
  VertexList parents;
  VertexList sources = {};    ///< the nearest source of each, for a search from several
  LabelArray tree;            ///< parents of all labels that this rank holds, for paths
  std::uint64_t reached = 0;  ///< vertices, on all ranks
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
  LeafPass leaves = {};
};

/// The weights of this rank's edges in their order, if they have 64 bits.
using WideList = std::variant<std::monostate, Buffer<double>, Buffer<std::int64_t>>;

/// This rank's part of the edges of all ranks, and how their weights are kept.
struct RankEdges {
  GraphFile file;  ///< without weights if they have 64 bits
  WeightPlan plan = {};
  WideList wide = {};
};

/// A graph on several ranks. Every function is collective, and is called without Python's lock by one thread of each
/// rank. No other thread of the process may use the communicator meanwhile. Signals are ignored, because ranks that
/// stopped would leave the others waiting. Errors are AgreedError, the same on every rank.
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
  /// The names of this rank's vertices.
  [[nodiscard]] VertexList vertices() const;

  /// The label of the vertex with this name, as a user writes it; none if there is no such vertex.
  [[nodiscard]] std::optional<Label> find(const std::string& name) const;

  /// Searches breadth first. With targets, the search ends when the last one is found; so does sssp().
  RankAnswer bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, const OptionTexts& options);
  RankAnswer nearest_sources(std::span<const Label> sources, std::int64_t max_depth, const OptionTexts& options);
  /// The names of this rank's vertices that are at most max_depth edges from a source, in their order.
  VertexList near_to(std::span<const Label> sources, std::int64_t max_depth, const OptionTexts& options);
  /// Throws UsageError if the graph has no weights, DistanceOverflow if a distance does not fit into 64 bits.
  RankAnswer sssp(Label source, std::span<const Label> targets, const Cutoff& cutoff, const OptionTexts& options);
  /// The component of each of this rank's vertices, in their order, and the number of components on all ranks.
  std::pair<Buffer<std::int64_t>, std::uint64_t> components() const;
  /// The names of the vertices on the path to a label; empty if it is not reached.
  [[nodiscard]] VertexList path(const LabelArray& tree, Label target) const;

 private:
  [[nodiscard]] const Graph& graph() const noexcept { return by_weight_ ? *by_weight_ : *by_hops_; }
  /// Builds the graph. `wide` has the weights if they have 64 bits.
  void build(const WideList& wide);
  void build_wide(const WideList& wide);
  std::unique_ptr<const Graph> built(const GraphLayout& layout, bool keeps_weights = true) const;
  /// The graph for searches that count edges.
  const Graph& hops();
  [[nodiscard]] VertexList names(const std::vector<Label>& labels) const;
  /// value_of(i) for each of this rank's vertices, where i is the vertex's place among the labels that it holds.
  /// Collective.
  template <class Column, class ValueOf>
  Column by_row(ValueOf&& value_of) const;
  /// The names of the labels that this rank's vertices have in an array with an entry for each label that it holds.
  [[nodiscard]] VertexList names_at(const LabelArray& labels) const;
  /// Writes the parents and values of this rank's vertices. value_of(i) has an entry for each label that the rank
  /// holds.
  template <class Value, class ValueOf>
  void write(RankAnswer& answer, ValueOf&& value_of) const;
  /// The place of this rank's row-th vertex among the labels that this rank holds.
  [[nodiscard]] std::size_t place(std::size_t row) const {
    return graph().distribution().offset(held_[row], context_.ranks.rank());
  }
  BreadthFirstSearch& bfs_search(bool to_targets, std::int64_t max_depth, const OptionTexts& options);

  /// The search of the last call. The next call with the same options uses its memory.
  template <class Search>
  struct Kept {
    std::string key;
    std::unique_ptr<Search> search;
  };
  template <class Search, class Make>
  Search& kept(Kept<Search>& kept, const OptionTexts& texts, const std::string& limit, Make&& make);

  [[nodiscard]] SsspOptions with_routes(SsspOptions options) const;
  /// Shortest paths in 32-bit floating point; nothing if a sum may have been rounded that must be exact.
  std::optional<RankAnswer> narrow_sssp(Label source, std::span<const Label> targets, double cutoff,
                                        const OptionTexts& options);
  template <class Weight, class Distance>
  RankAnswer wide_sssp(std::span<const Weight> weights, Label source, std::span<const Label> targets, Distance cutoff,
                       const OptionTexts& options);

  std::unique_ptr<Workers> workers_;
  Context context_;
  GraphLayout layout_;
  GraphFile file_;  ///< has edges as long as a graph may still be built from them
  Directedness directedness_;
  WeightPlan plan_;
  std::unique_ptr<const Graph> by_hops_;
  /// The graph for shortest paths, if it is another one: with rows by weight, or with weights of 64 bits beside rows.
  std::unique_ptr<const Graph> by_weight_;
  std::variant<std::monostate, WideWeights<double>, WideWeights<std::int64_t>> wide_;
  bool rounds_ = false;      ///< whether 32 bits were too few for a search
  Bitmap occurs_;            ///< which of this rank's labels are vertices; empty if all are
  std::vector<Label> held_;  ///< labels of this rank's vertices, in ascending order
  std::uint64_t vertex_count_ = 0;
  Kept<BreadthFirstSearch> bfs_;
  Kept<ShortestPathSearch> sssp_;
  std::tuple<Kept<WidePathSearch<float, double>>, Kept<WidePathSearch<double, double>>,
             Kept<WidePathSearch<std::int64_t, std::int64_t>>>
      wide_sssp_;
};

}  // namespace breadth::python
