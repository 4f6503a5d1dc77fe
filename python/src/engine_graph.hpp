// A graph that Python holds: what was built, the threads that search it, and searches that are kept for the next call.
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

/// What searches find, an entry for each label; parents are labels, -1 where there is none.
struct BfsAnswer {
  ResultArray<std::int64_t> levels;
  ResultArray<std::int64_t> parents;  ///< empty where they are not wanted
  std::uint64_t reached = 0;
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
  LeafPass leaves = {};
};
struct NearestAnswer {
  ResultArray<std::int64_t> levels;
  ResultArray<std::int64_t> parents;
  ResultArray<std::int64_t> sources;  ///< the nearest, as a label; of several at the same level the first
  std::uint64_t reached = 0;
};
struct SsspAnswer {
  /// As WeightKind says.
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

/// What a graph is built with.
struct GraphSettings {
  std::uint64_t vertex_count = 0;
  Directedness directedness = Directedness::undirected;
  GraphLayout layout = {};
  std::optional<WeightPlan> weights = {};  ///< none: as plan_for() has it
  int threads = 0;                         ///< 0: as many as suit it (Workers::threads_for)
};

/// Never changes once built, and may be searched by any of Python's threads at once: they take turns. Weights of 32
/// bits are in rows by weight, and the first search that counts edges builds its graph beside it; weights of 64 bits
/// stand beside rows that both kinds of searches use. Functions below are called without Python's lock, and throw
/// Interrupted besides the engine's errors.
class EngineGraph {
 public:
  /// Reads the edges, whose labels are below vertex_count and whose weights are in the list or in `wide`, and keeps
  /// nothing of them. The calling thread has a turn of `workers`.
  EngineGraph(const EdgeList& edges, const WideColumn& wide, const GraphSettings& settings, Workers& workers);

  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return graph_->edge_count(); }
  [[nodiscard]] bool directed() const noexcept { return graph_->directedness() == Directedness::directed; }
  [[nodiscard]] bool weighted() const noexcept { return graph_->weighted() || wide_.index() != 0; }
  [[nodiscard]] WeightKind weight_kind() const noexcept { return plan_.kind; }
  /// Bytes of the graphs that are built, and of weights.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Labels are below vertex_count(). `threads` is 0 for the graph's own number. OptionTexts as search_options.hpp has
  /// them. With targets, searches end when the last one is found, and what is farther away counts as unreached.
  BfsAnswer bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, bool with_parents,
                const OptionTexts& options, int threads);
  /// Throws UsageError where the graph has no weights, DistanceOverflow where 64 bits have no room for a distance.
  SsspAnswer sssp(Label source, std::span<const Label> targets, const Cutoff& cutoff, const OptionTexts& options,
                  int threads);
  NearestAnswer nearest_sources(std::span<const Label> sources, std::int64_t max_depth, int threads);
  /// The levels alone.
  ResultArray<std::int64_t> nearest_levels(std::span<const Label> sources, std::int64_t max_depth, int threads);
  std::vector<Label> short_path(Label source, Label target, int threads);
  ComponentsAnswer components(int threads);

  /// Every edge once, one of an undirected graph from its larger label, or from both ends if so wanted. Those from one
  /// vertex come one after the other.
  struct Edges {
    std::vector<std::int64_t> sources;
    std::vector<std::int64_t> targets;
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>> weights;  ///< as they are kept
  };
  Edges edges(bool both_ways);

 private:
  template <class Search>
  struct Kept;
  template <class Search>
  using KeptSearches = std::map<std::string, std::shared_ptr<Kept<Search>>>;

  [[nodiscard]] std::shared_ptr<Workers> workers(int threads) const;
  /// Searches from several sources in the rows that are there, whether or not they have weights, and calls
  /// answer(BfsResult, threads).
  template <class Answer>
  void search_from(std::span<const Label> sources, NearestSource nearest, std::int64_t max_depth, int threads,
                   Answer&& answer);
  /// The graph whose edges are counted. In a turn.
  const Graph& hops(const Context& context);
  template <class Search, class Make>
  std::shared_ptr<Kept<Search>> take(KeptSearches<Search>& kept, const std::string& key, Make&& make);
  /// A breadth-first search of either graph. In a turn.
  std::shared_ptr<Kept<BreadthFirstSearch>> take_bfs(const std::string& key, const Graph& graph,
                                                     const OptionTexts& options, bool to_targets,
                                                     std::int64_t max_depth, const std::shared_ptr<Workers>& workers);
  template <class Search>
  void keep(KeptSearches<Search>& kept, const std::string& key, std::shared_ptr<Kept<Search>> search);
  /// In 32-bit floating point; nothing where that rounded and is not to. In a turn.
  std::optional<SsspAnswer> narrow_sssp(Label source, std::span<const Label> targets, double cutoff,
                                        const OptionTexts& options, const std::shared_ptr<Workers>& workers);
  template <class Weight, class Distance>
  SsspAnswer wide_sssp(std::span<const Weight> weights, const LightEdges<Weight>* light, Label source,
                       std::span<const Label> targets, Distance cutoff, const OptionTexts& options,
                       const std::shared_ptr<Workers>& workers);

  std::uint64_t vertex_count_;
  WeightPlan plan_;
  int threads_;
  GraphLayout hop_layout_;
  std::unique_ptr<const Graph> graph_;
  std::variant<std::monostate, WideWeights<double>, WideWeights<std::int64_t>> wide_;
  std::atomic<bool> rounds_ = false;  ///< 32 bits were too few for a search
  TurnMutex building_;
  std::unique_ptr<const Graph> hops_;  ///< of a weighted graph, once it was searched without its weights
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
