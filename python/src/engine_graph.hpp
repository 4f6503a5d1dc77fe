// A graph that Python holds: what was built, the threads that search it, and searches that are kept for the next call.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/edge_list.hpp"
#include "core/memory/buffer.hpp"
#include "edge_columns.hpp"
#include "graph/graph.hpp"
#include "result_memory.hpp"
#include "search_options.hpp"
#include "traverse/bfs.hpp"
#include "traverse/one_rank.hpp"
#include "traverse/sssp.hpp"
#include "workers.hpp"

namespace breadth::python {

/// What searches find, an entry for each label; parents are labels, -1 where there is none.
struct BfsAnswer {
  ResultArray<std::int64_t> levels;
  ResultArray<std::int64_t> parents;  ///< empty where they are not wanted
  std::uint64_t reached = 0;
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
};
struct SsspAnswer {
  ResultArray<float> distances;
  ResultArray<std::int64_t> parents;
  std::uint64_t reached = 0;
  double seconds = 0;
  std::vector<LevelStatistics> statistics;
};

/// What a graph is built with.
struct GraphSettings {
  std::uint64_t vertex_count = 0;
  Directedness directedness = Directedness::undirected;
  GraphLayout layout = {};
  ExactBelow exact_below = std::numeric_limits<float>::infinity();
  int threads = 0;  ///< 0: as many as suit it (Workers::threads_for)
};

/// Never changes once built, and may be searched by any of Python's threads at once: they take turns. A weighted graph
/// has its neighbours by weight; the first search that counts edges builds its graph beside it. Functions below are
/// called without Python's lock, and throw Interrupted besides the engine's errors.
class EngineGraph {
 public:
  /// Reads the edges, whose labels are below vertex_count, and keeps nothing of them. The calling thread has a turn of
  /// `workers`.
  EngineGraph(const EdgeList& edges, const GraphSettings& settings, Workers& workers);

  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return graph_->edge_count(); }
  [[nodiscard]] bool directed() const noexcept { return graph_->directedness() == Directedness::directed; }
  [[nodiscard]] bool weighted() const noexcept { return graph_->weighted(); }
  /// Whether distances are checked to be exact.
  [[nodiscard]] bool exact() const noexcept { return exact_below_ != std::numeric_limits<float>::infinity(); }
  /// Bytes of the graphs that are built.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Labels are below vertex_count(). `threads` is 0 for the graph's own number. OptionTexts as search_options.hpp has
  /// them. With targets, searches end when the last one is found, and what is farther away counts as unreached.
  BfsAnswer bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, bool with_parents,
                const OptionTexts& options, int threads);
  /// Throws UsageError where the graph has no weights, or where distances were rounded and are to be exact.
  SsspAnswer sssp(Label source, std::span<const Label> targets, float cutoff, const OptionTexts& options, int threads);
  NearestSources nearest_sources(std::span<const Label> sources, std::int64_t max_depth, int threads);
  std::vector<Label> short_path(Label source, Label target, int threads);
  Components components(int threads);

  /// Every edge once, one of an undirected graph from its larger label, or from both ends if so wanted.
  struct Edges {
    std::vector<std::int64_t> sources;
    std::vector<std::int64_t> targets;
    std::vector<float> weights;
  };
  Edges edges(bool both_ways);

 private:
  template <class Search>
  struct Kept;
  template <class Search>
  using KeptSearches = std::map<std::string, std::shared_ptr<Kept<Search>>>;

  [[nodiscard]] std::shared_ptr<Workers> workers(int threads) const;
  /// The graph whose edges are counted. In a turn.
  const Graph& hops(const Context& context);
  template <class Search, class Make>
  std::shared_ptr<Kept<Search>> take(KeptSearches<Search>& kept, const std::string& key, Make&& make);
  template <class Search>
  void keep(KeptSearches<Search>& kept, const std::string& key, std::shared_ptr<Kept<Search>> search);
  void require_exact(std::span<const float> distances, ThreadTeam& threads) const;

  std::uint64_t vertex_count_;
  ExactBelow exact_below_;
  int threads_;
  GraphLayout hop_layout_;
  std::unique_ptr<const Graph> graph_;
  mutable std::mutex building_;
  std::unique_ptr<const Graph> hops_;  ///< of a weighted graph, once it was searched without its weights
  std::shared_ptr<ResultMemory> results_ = std::make_shared<ResultMemory>();
  std::mutex keeping_;
  KeptSearches<BreadthFirstSearch> bfs_;
  KeptSearches<ShortestPathSearch> sssp_;
};

}  // namespace breadth::python
