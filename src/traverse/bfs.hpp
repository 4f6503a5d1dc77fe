// Breadth-first search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/policy/search.hpp"
#include "graph/graph.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Of several sources that are equally near to a vertex, which one its parents lead to: whichever, or the first.
enum class NearestSource { any, first };

/// What one search found.
struct BfsResult {
  /// Entry i is the parent of label distribution.label(rank, i): its own label for a source, no_label if unreached.
  const LabelArray& parents;
  std::vector<LevelStatistics> levels;
  LeafPass leaves;
  Traffic settled = no_traffic;  ///< by all ranks, in the end, for the owners of hubs to have their parents
  std::optional<SettledLights> settled_lights;  ///< where their parents are settled in the end
  /// From the key to the parents in memory, clearing included, the slowest rank's.
  double seconds = 0;
  /// Vertices with a parent, on all ranks.
  std::uint64_t reached = 0;
  std::optional<DeviceSeconds> device_seconds = {};  ///< where one rank's device searched
};

/// Searches one graph, again and again; working memory is taken once. Every run starts from nothing: no result of one
/// run reaches the next. All members are collective. Parents are written to an array of empty_result(); without one to
/// one of the search's own, where they hold until its next run without one.
///
/// A run costs O((n + m) / ranks) work on each rank, and on p ranks moves one frontier bitmap of n bits to every rank,
/// or every node, in each pull level, with a summary only what changed in it, and 4 to 8 bytes for each frontier edge
/// that leads to another rank in each push level. Where pulls ask, that is 4 to 8 bytes for each edge of an unvisited
/// vertex that leads to another rank, as far as no neighbour before has answered.
class BreadthFirstSearch {
 public:
  /// The graph and the context outlive the search. Throws Error for options out of range.
  BreadthFirstSearch(const Graph& graph, const BfsOptions& options, const Context& context);
  ~BreadthFirstSearch();
  BreadthFirstSearch(const BreadthFirstSearch&) = delete;
  BreadthFirstSearch& operator=(const BreadthFirstSearch&) = delete;

  /// Visits what can be reached from `source`, a label below the graph's vertex count (else Error).
  BfsResult run(Label source, LabelArray& parents) { return run_to({}, source, parents); }
  BfsResult run(Label source) { return run(source, own_parents()); }
  /// The same up to the level in which the last of `targets` is found, labels below the vertex count (else Error):
  /// vertices farther away count as unreached. Where not all can be reached, or there are none, it visits everything.
  /// Throws Error where leaves are visited last (BfsOptions::leaves_last), in a pass that is no level, and for searches
  /// on devices, on a grid of ranks, or along subgraphs apart.
  BfsResult run_to(std::span<const Label> targets, Label source, LabelArray& parents);
  BfsResult run_to(std::span<const Label> targets, Label source) { return run_to(targets, source, own_parents()); }

  /// From several labels below the vertex count (else Error) at once, any number of them, each its own parent: the
  /// parents of a vertex lead to a source that none is nearer than. To the first of these in `sources` by a second look
  /// at each level's edges (traverse/bfs/first_sources.hpp), with up to 2^32 - 2 sources, on one rank. Throws Error for
  /// that on several, and on devices, on a grid of ranks, along subgraphs apart, and in rows that are scanned.
  BfsResult run_from(std::span<const Label> sources, NearestSource nearest, LabelArray& parents);
  BfsResult run_from(std::span<const Label> sources, NearestSource nearest) {
    return run_from(sources, nearest, own_parents());
  }

  /// The depth of each label in the tree that the last run left in `parents`, 0 for a source and -1 for what is
  /// unreached, on one rank. A search that keeps depths (BfsOptions::keep_depths) knows them where it runs on
  /// processors in rows that are not scanned; otherwise they follow from the tree, which takes longer
  /// (traverse/one_rank.hpp).
  void write_depths(const LabelArray& parents, std::span<std::int64_t> depths);

  /// What this rank sent in all runs so far. Not collective.
  [[nodiscard]] CommunicationRecord communication() const;

  /// Room for the parents of this rank's labels, its pages taken.
  [[nodiscard]] LabelArray empty_result() const;

  /// Bytes of memory that this rank uses, but another one of its node counts as its own: what is resident on both is
  /// there once. Not collective.
  [[nodiscard]] std::uint64_t borrowed_bytes() const;

  /// Of the device that carries searches out, unless that is the processors. Not collective.
  [[nodiscard]] std::optional<DeviceRecord> device() const;

  /// What carries out the runs: one class for each adjacency, width of neighbours and way of reaching other ranks
  /// (bfs.cpp).
  class Engine;

 private:
  LabelArray& own_parents() { return parents_.size() > 0 ? parents_ : parents_ = empty_result(); }

  const Graph& graph_;
  Context context_;
  std::unique_ptr<Engine> engine_;
  LabelArray parents_;  ///< from the first run on that is given no other array
};

}  // namespace breadth
