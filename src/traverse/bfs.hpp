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

/// Which source the parents of a vertex lead to if several sources are equally near: any of them, or the first.
enum class NearestSource { any, first };

/// What one search found.
struct BfsResult {
  /// Entry i is the parent of label distribution.label(rank, i): its own label for a source, no_label if unreached.
  const LabelArray& parents;
  std::vector<LevelStatistics> levels;
  LeafPass leaves;
  Traffic settled = no_traffic;  ///< sent at the end by all ranks, so that the owners of hubs have the hubs' parents
  std::optional<SettledLights> settled_lights;  ///< if parents of light vertices are settled at the end
  double seconds = 0;         ///< of the slowest rank, from the key to the parents in memory, clearing included
  std::uint64_t reached = 0;  ///< vertices with a parent, on all ranks
  std::optional<DeviceSeconds> device_seconds = {};  ///< of a search on the device of one rank
};

/// What to search for: everything that the sources reach, or, if there are targets, up to the level of the last one.
struct BfsQuery {
  std::span<const Label> sources;
  NearestSource nearest = NearestSource::any;
  std::span<const Label> targets = {};
  bool only_depths = false;  ///< parents may be left out if the engine keeps depths
};

/// Searches one graph any number of times. Working memory is allocated once, and no run depends on those before. All
/// members are collective unless they say otherwise, and every rank passes the same labels. Parents are written to an
/// array that empty_result() made; one of another size is an Error. A run without such an array uses one of the
/// search's own, whose contents hold until the next run without an array.
///
/// A run takes O((n + m) / ranks) work on each rank. Communication: a pull level sends one frontier bitmap of n bits to
/// every rank or every node (with a summary, only what changed in it); a push level sends 4 to 8 bytes for each edge
/// from the frontier to a vertex of another rank. Pulls by message send 4 to 8 bytes for each edge from an unvisited
/// vertex to one of another rank, until a neighbour has answered.
class BreadthFirstSearch {
 public:
  /// The graph and the context must outlive the search. Throws Error for options out of range.
  BreadthFirstSearch(const Graph& graph, const BfsOptions& options, const Context& context);
  ~BreadthFirstSearch();
  BreadthFirstSearch(const BreadthFirstSearch&) = delete;
  BreadthFirstSearch& operator=(const BreadthFirstSearch&) = delete;

  /// Visits all that can be reached from `source`. Throws Error for a label that is not below the vertex count.
  BfsResult run(Label source, LabelArray& parents) { return run_to({}, source, parents); }
  BfsResult run(Label source) { return run(source, own_parents()); }
  /// Ends with the level in which the last of `targets` is found: vertices farther away count as unreached. Visits
  /// everything if there are no targets or one of them cannot be reached. Throws Error for labels that are not below
  /// the vertex count, if leaves are visited last (BfsOptions::leaves_last), and for searches on devices, on a grid of
  /// ranks, or along separate subgraphs.
  BfsResult run_to(std::span<const Label> targets, Label source, LabelArray& parents) {
    return search({.sources = std::span(&source, 1), .targets = targets}, parents);
  }
  BfsResult run_to(std::span<const Label> targets, Label source) { return run_to(targets, source, own_parents()); }

  /// Searches from several sources at once, up to 2^32 - 2. The parents of a vertex lead to a nearest source: to any,
  /// or to the first of them in `sources`, which takes a second look at each level's edges
  /// (traverse/bfs/first_sources.hpp). Throws Error for labels that are not below the vertex count, for the first on
  /// several ranks, and for searches on devices, on a grid of ranks, along separate subgraphs, or in scanned rows.
  BfsResult run_from(std::span<const Label> sources, NearestSource nearest, LabelArray& parents) {
    return search({.sources = sources, .nearest = nearest}, parents);
  }
  BfsResult run_from(std::span<const Label> sources, NearestSource nearest) {
    return run_from(sources, nearest, own_parents());
  }

  /// Writes the depth of each label in the tree that the last run left in `parents`: 0 for a source, -1 for unreached
  /// labels. One rank only. Copies the depths that the search kept (BfsOptions::keep_depths; not on devices and not in
  /// scanned rows), or else computes them from the tree, which takes longer (traverse/one_rank.hpp).
  void write_depths(const LabelArray& parents, std::span<std::int64_t> depths);
  /// Searches as run_from() does for any nearest source or, with targets, as run_to() does from one source. Then writes
  /// depths as write_depths() does. If the search keeps depths, it writes no parents, which takes less time. The
  /// result's parents mean nothing. One rank only. Throws Error for targets with several sources.
  BfsResult run_for_depths(std::span<const Label> sources, std::span<const Label> targets,
                           std::span<std::int64_t> depths);

  /// The messages and bytes that this rank sent in all runs so far. Not collective.
  [[nodiscard]] CommunicationRecord communication() const;

  /// An array for the parents of this rank's labels. Its pages are touched, so that no run waits for them.
  [[nodiscard]] LabelArray empty_result() const;

  /// Bytes of shared memory that this rank uses and another rank of its node counts. Not collective.
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const;

  /// The device that carries out the searches; nothing if that is the processors. Not collective.
  [[nodiscard]] std::optional<DeviceRecord> device() const;

  /// Carries out the runs. There is one class for each adjacency, width of ids, and exchange between ranks (bfs.cpp).
  class Engine;

 private:
  /// Checks the labels and the room for parents, and runs the engine.
  BfsResult search(const BfsQuery& query, LabelArray& parents);
  LabelArray& own_parents() { return parents_.size() > 0 ? parents_ : parents_ = empty_result(); }

  const Graph& graph_;
  Context context_;
  std::unique_ptr<Engine> engine_;
  LabelArray parents_;  ///< allocated by the first run without another array
};

}  // namespace breadth
