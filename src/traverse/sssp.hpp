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

/// Parents and distances of this rank's labels: entry i belongs to label distribution.label(rank, i).
struct ShortestPathTree {
  LabelArray parents;       ///< the previous vertex on a shortest path; itself for the source, no_label if unreached
  Buffer<float> distances;  ///< +infinity if unreached
};

/// The result of one search.
struct SsspResult {
  const ShortestPathTree& tree;
  /// The buckets; or the ball, the sweeps and the buckets after them. `frontier` is the number of vertices settled or
  /// swept, `claimed` how often a distance decreased.
  std::vector<LevelStatistics> levels;
  LeafPass leaves;
  Traffic settled = no_traffic;  ///< of all ranks at the end, to send hubs' parents to all replicas
  /// From the search key to distances and parents in memory, clearing included; of the slowest rank.
  double seconds = 0;
  /// Vertices with a distance, on all ranks.
  std::uint64_t reached = 0;
  std::optional<DeviceSeconds> device_seconds = {};  ///< if the device of a single rank searched
};

/// Searches one graph for shortest paths any number of times; working memory is allocated once. Runs are independent.
/// All members are collective, and every rank passes the same labels. The tree is written to one made by
/// empty_result(); one of another size is an Error. A run without one writes to a tree of the search, valid until the
/// next such run.
///
/// Distances are the greatest solution of d(source) = 0 and d(v) = min over edges (u, v) of fl(d(u) + w) in 32-bit
/// floating point. They do not depend on ranks, threads and options, and equal those of Dijkstra's algorithm. Parents
/// form a tree even if weights are zero or vanish in rounding: the parent of a vertex is the one that first gave it its
/// distance, and had its own distance before.
class ShortestPathSearch {
 public:
  /// The graph and the context must outlive the search. Throws AgreedError if neighbours are not in the order of
  /// weights, or if a weight is negative or not a number, and Error for options out of range.
  ShortestPathSearch(const Graph& graph, const SsspOptions& options, const Context& context);
  ~ShortestPathSearch();
  ShortestPathSearch(const ShortestPathSearch&) = delete;
  ShortestPathSearch& operator=(const ShortestPathSearch&) = delete;

  /// Finds the shortest paths from `source`, a label below the graph's vertex count (else Error).
  SsspResult run(Label source, ShortestPathTree& tree) { return run_to({}, source, tree); }
  SsspResult run(Label source) { return run(source, own_tree()); }
  /// Searches from `source` until the last of `targets` has its distance, labels below the vertex count (else Error).
  /// Vertices farther away than all targets count as unreached. If a target cannot be reached, or there are none, it
  /// finds all paths. Throws Error for searches on devices and with sweeps (SsspOptions::sweeps).
  SsspResult run_to(std::span<const Label> targets, Label source, ShortestPathTree& tree);
  SsspResult run_to(std::span<const Label> targets, Label source) { return run_to(targets, source, own_tree()); }

  /// The messages that this rank sent in all runs so far. Queries are relaxations. Not collective.
  [[nodiscard]] CommunicationRecord communication() const;

  /// The record of the device that searches; nothing if the processors do. Not collective.
  [[nodiscard]] std::optional<DeviceRecord> device() const;
  /// Bytes of shared memory that this rank uses but another rank of its node counts as its own. Not collective.
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const;

  /// Returns arrays for this rank's part of a tree, all their pages touched.
  [[nodiscard]] ShortestPathTree empty_result() const;

  /// Carries out the runs (sssp_engine.hpp).
  class Engine;

 private:
  ShortestPathTree& own_tree() { return tree_.distances.empty() ? tree_ = empty_result() : tree_; }

  const Graph& graph_;
  Context context_;
  std::unique_ptr<Engine> engine_;
  ShortestPathTree tree_;  ///< of the last run that was given no tree; allocated by the first one
};

}  // namespace breadth
