// A graph of Python's: the engine's graph, the threads that search it, and searches that are kept for the next call.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "column.hpp"
#include "core/data/edge_list.hpp"
#include "core/memory/buffer.hpp"
#include "edge_columns.hpp"
#include "graph/graph.hpp"
#include "graph/wide_weights.hpp"
#include "result_memory.hpp"
#include "search_options.hpp"
#include "traverse/bfs.hpp"
#include "traverse/components.hpp"
#include "traverse/one_rank.hpp"
#include "traverse/sssp.hpp"
#include "traverse/wide_paths.hpp"
#include "weights.hpp"
#include "workers.hpp"

namespace breadth::python {

/// The results of searches, with an entry for each label. Parents are labels, -1 for unreached vertices.
struct BfsAnswer {
  ResultArray<std::int64_t> levels;
  ResultArray<std::int64_t> parents;  ///< empty if they are not wanted
  std::uint64_t reached = 0;
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
  LeafPass leaves = {};
};
struct NearestAnswer {
  ResultArray<std::int64_t> levels;
  ResultArray<std::int64_t> parents;
  ResultArray<std::int64_t> sources;  ///< the label of the nearest source; of equally near ones the first
  std::uint64_t reached = 0;
};
struct SsspAnswer {
  /// In the type that WeightKind says.
  std::variant<ResultArray<float>, ResultArray<double>, Buffer<double>, Buffer<std::int64_t>> distances;
  std::variant<ResultArray<std::int64_t>, Buffer<std::int64_t>> parents;
  std::uint64_t reached = 0;
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
};

struct ComponentsAnswer {
  ResultArray<std::int64_t> of_label;
  std::uint64_t count = 0;
};

/// The settings for building a graph.
struct GraphSettings {
  std::uint64_t vertex_count = 0;
  Directedness directedness = Directedness::undirected;
  GraphLayout layout = {};
  std::optional<WeightPlan> weights = {};  ///< none: that of plan_for()
  int threads = 0;                         ///< 0: as many as suit the graph (Workers::threads_for)
};

/// A graph that never changes once it is built. Any Python threads may search it concurrently: they take turns. Weights
/// of 32 bits are in rows by weight, and the first search that counts edges builds a second graph. Weights of 64 bits
/// stand beside rows that both kinds of searches use. The functions below are called without Python's lock, and throw
/// Interrupted besides the engine's errors.
class EngineGraph {
 public:
  /// Builds the graph from edges whose labels are below vertex_count and whose weights are in the list or in `wide`.
  /// Keeps no reference to them. The calling thread must have a turn of `workers`.
  EngineGraph(const EdgeList& edges, const WideColumn& wide, const GraphSettings& settings, Workers& workers);

  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return graph_->edge_count(); }
  [[nodiscard]] bool directed() const noexcept { return graph_->directedness() == Directedness::directed; }
  [[nodiscard]] bool weighted() const noexcept { return graph_->weighted() || wide_.index() != 0; }
  [[nodiscard]] WeightKind weight_kind() const noexcept { return plan_.kind; }
  /// Bytes of the built graphs and of weights.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Searches breadth first. Labels must be below vertex_count(). `threads` is 0 for the graph's own number. With
  /// targets, the search ends when the last one is found, and vertices farther away count as unreached.
  BfsAnswer bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, bool with_parents,
                const OptionTexts& options, int threads);
  /// Throws UsageError if the graph has no weights, DistanceOverflow if a distance does not fit into 64 bits.
  SsspAnswer sssp(Label source, std::span<const Label> targets, const Cutoff& cutoff, const OptionTexts& options,
                  int threads);
  NearestAnswer nearest_sources(std::span<const Label> sources, std::int64_t max_depth, int threads);
  /// Only the levels of nearest_sources().
  ResultArray<std::int64_t> nearest_levels(std::span<const Label> sources, std::int64_t max_depth, int threads);
  std::vector<Label> short_path(Label source, Label target, int threads);
  ComponentsAnswer components(int threads);

  /// For each label the number of its edges; in a directed graph, of those that begin there. O(vertices).
  ResultArray<std::int64_t> degrees();
  /// The labels that the edges of a label lead to, in ascending order. Throws UsageError if the graph is not in rows.
  /// O(d log d) for d edges.
  [[nodiscard]] std::vector<std::int64_t> neighbours(Label label) const;

  /// All edges of the graph. An undirected edge appears once, from its larger label, or from both ends with both_ways.
  /// The edges from one vertex come one after the other.
  struct Edges {
    std::vector<std::int64_t> sources;
    std::vector<std::int64_t> targets;
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>> weights;  ///< in their own type
  };
  Edges edges(bool both_ways);

 private:
  template <class Search>
  struct Kept;
  template <class Search>
  using KeptSearches = std::map<std::string, std::shared_ptr<Kept<Search>>>;

  [[nodiscard]] std::shared_ptr<Workers> workers(int threads) const;
  /// Calls answer(search, threads) with a breadth-first search in the rows of the graph, whether they have weights or
  /// not.
  template <class Answer>
  void with_row_search(std::int64_t max_depth, int threads, Answer&& answer);
  /// The graph for searches that count edges. Called in a turn.
  const Graph& hops(const Context& context);
  template <class Search, class Make>
  std::shared_ptr<Kept<Search>> take(KeptSearches<Search>& kept, const std::string& key, Make&& make);
  /// A breadth-first search of either graph. Called in a turn.
  std::shared_ptr<Kept<BreadthFirstSearch>> take_bfs(const std::string& key, const Graph& graph,
                                                     const OptionTexts& options, bool to_targets,
                                                     std::int64_t max_depth, const std::shared_ptr<Workers>& workers);
  template <class Search>
  void keep(KeptSearches<Search>& kept, const std::string& key, std::shared_ptr<Kept<Search>> search);
  /// Shortest paths in 32-bit floating point; nothing if a sum may have been rounded that must be exact. Called in a
  /// turn.
  std::optional<SsspAnswer> narrow_sssp(Label source, std::span<const Label> targets, double cutoff,
                                        const OptionTexts& options, const std::shared_ptr<Workers>& workers);
  template <class Weight, class Distance>
  SsspAnswer wide_sssp(std::span<const Weight> weights, const LightestEdges<Weight>* lightest, Label source,
                       std::span<const Label> targets, Distance cutoff, const OptionTexts& options,
                       const std::shared_ptr<Workers>& workers);

  std::uint64_t vertex_count_;
  WeightPlan plan_;
  int threads_;
  GraphLayout hop_layout_;
  std::unique_ptr<const Graph> graph_;
  std::variant<std::monostate, WideWeights<double>, WideWeights<std::int64_t>> wide_;
  std::atomic<bool> rounds_ = false;  ///< whether 32 bits were too few for a search
  TurnMutex building_;
  std::unique_ptr<const Graph> hops_;  ///< for a weighted graph, once it is searched without its weights
  std::atomic<std::uint64_t> hops_bytes_ = 0;
  std::shared_ptr<ResultMemory> results_ = std::make_shared<ResultMemory>();
  std::mutex keeping_;
  KeptSearches<BreadthFirstSearch> bfs_;
  KeptSearches<ShortestPathSearch> sssp_;
  std::tuple<KeptSearches<WidePathSearch<float, double>>, KeptSearches<WidePathSearch<double, double>>,
             KeptSearches<WidePathSearch<std::int64_t, std::int64_t>>>
      wide_sssp_;
};

}  // namespace breadth::python
