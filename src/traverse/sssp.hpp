// Single-source shortest paths.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/policy/search.hpp"
#include "graph/graph.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// What is known of this rank's labels: entry i belongs to label distribution.label(rank, i).
struct ShortestPathTree {
  LabelArray parents;       ///< the vertex before on a shortest path; itself for the source, no_label if unreached
  Buffer<float> distances;  ///< +infinity if unreached
};

/// What one search found.
struct SsspResult {
  const ShortestPathTree& tree;
  /// The buckets, or the sweeps and what was before and after them: `frontier` is how many vertices were settled or
  /// swept, `claimed` how often one came closer.
  std::vector<LevelStatistics> levels;
  LeafPass leaves;
  Traffic settled = no_traffic;  ///< by all ranks, in the end, for the owners of hubs to have their parents
  /// From the key to distances and parents in memory, clearing included, the slowest rank's.
  double seconds = 0;
  /// Vertices with a distance, on all ranks.
  std::uint64_t reached = 0;
  std::optional<DeviceSeconds> device_seconds = {};  ///< where one rank's device searched
};

/// Searches one graph for shortest paths, again and again; working memory is taken once. Every run starts from nothing.
/// All members are collective. The tree is written to one of empty_result(); without one to one of the search's own,
/// where it holds until its next run without one.
///
/// Distances are the greatest solution of d(source) = 0 and d(v) = min over edges (u, v) of fl(d(u) + w) in 32-bit
/// floating point: the same for any ranks, threads and options, and what Dijkstra's algorithm finds. Parents are a tree
/// also where weights are zero or too small to count: a vertex's parent is the one that gave it its distance first, and
/// had its own before.
class ShortestPathSearch {
 public:
  /// The graph and the context outlive the search. Throws AgreedError unless the graph has its neighbours in the order
  /// of weights, none of them negative or not a number, and Error for options out of range.
  ShortestPathSearch(const Graph& graph, const SsspOptions& options, const Context& context);
  ~ShortestPathSearch();
  ShortestPathSearch(const ShortestPathSearch&) = delete;
  ShortestPathSearch& operator=(const ShortestPathSearch&) = delete;

  /// Finds the shortest paths from `source`, a label below the graph's vertex count (else Error).
  SsspResult run(Label source, ShortestPathTree& tree) { return run_to({}, source, tree); }
  SsspResult run(Label source) { return run(source, own_tree()); }
  /// The same until the last of `targets` has its distance, labels below the vertex count (else Error): vertices
  /// farther away than all of them count as unreached. Where not all can be reached, or there are none, it finds all
  /// paths. Throws Error unless processors settle buckets alone (SsspOptions::sweeps).
  SsspResult run_to(std::span<const Label> targets, Label source, ShortestPathTree& tree);
  SsspResult run_to(std::span<const Label> targets, Label source) { return run_to(targets, source, own_tree()); }

  /// What this rank sent in all runs so far: its queries are relaxations. Not collective.
  [[nodiscard]] CommunicationRecord communication() const;

  /// Of the device that carries searches out, unless that is the processors. Not collective.
  [[nodiscard]] std::optional<DeviceRecord> device() const;
  /// Bytes of memory that this rank uses and another one of its node counts as its own. Not collective.
  [[nodiscard]] std::uint64_t borrowed_bytes() const;

  /// Room for this rank's part of a tree, its pages taken.
  [[nodiscard]] ShortestPathTree empty_result() const;

  /// What carries out the runs (sssp_engine.hpp).
  class Engine;

 private:
  ShortestPathTree& own_tree() { return tree_.distances.empty() ? tree_ = empty_result() : tree_; }

  const Graph& graph_;
  Context context_;
  std::unique_ptr<Engine> engine_;
  ShortestPathTree tree_;  ///< from the first run on that is given no other
};

}  // namespace breadth
