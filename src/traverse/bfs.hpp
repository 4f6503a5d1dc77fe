// Breadth-first search.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/policy/search.hpp"
#include "core/words.hpp"
#include "graph/graph.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

// Options.

/// Where there are hubs: all edges of a level go one way, and pulls have the frontier of every rank; or each of the
/// subgraphs between hubs, from hubs to other, light vertices, and from light ones to hubs goes its own, and light
/// vertices push to light ones, so that no rank knows another's frontier (Pan et al. 2018, section IV-B).
enum class SubgraphPolicy { together, apart };
constexpr auto words_of(SubgraphPolicy) {
  return word_list<SubgraphPolicy>({{SubgraphPolicy::together, "together"}, {SubgraphPolicy::apart, "apart"}});
}

/// When light vertices that light ones of other ranks visit hear of their parents: with each query, or in the end, once
/// for all levels (Pan et al. 2018, section VI-A).
enum class LightParents { with_queries, in_the_end };
constexpr auto words_of(LightParents) {
  return word_list<LightParents>({{LightParents::with_queries, "with"}, {LightParents::in_the_end, "end"}});
}

/// When a subgraph changes its direction, by the edges of a push over those that a pull may look at.
struct DirectionFactors {
  static constexpr Range<double> pulls{0, 1e9, "factor to pull"};

  double pull;  ///< pull once a push takes more than so many times as much
  double push;  ///< push again once it takes less; 0 .. pull

  friend bool operator==(const DirectionFactors&, const DirectionFactors&) = default;
};

/// The factors to pull by are those of the paper for Kronecker graphs, where it never pushes again (section VI-B).
struct SubgraphOptions {
  SubgraphPolicy policy = SubgraphPolicy::together;
  DirectionFactors hub_to_hub{0.5, 0.005};
  DirectionFactors hub_to_light{0.05, 0.0005};
  DirectionFactors light_to_hub{1e-7, 1e-9};
  LightParents light_parents = LightParents::with_queries;
};

/// How a search goes about its work. Every combination that check() takes gives a valid tree.
struct BfsOptions {
  DeviceOptions device;
  DirectionRule direction;
  /// On several ranks: how a pull learns who is in the frontier. Summary and replication are for `replicated`.
  PullPolicy pull = PullPolicy::replicated;
  /// Global ids that a bit of the frontier's summary stands for in a pull, a power of two; 0 for no summary (Cui et al.
  /// 2012, section III-C).
  static constexpr Range<std::size_t> summaries{64, 4096, "summary"};
  std::size_t summary = 0;
  /// How the frontier of a pull comes to every rank (Cui et al. 2012, section III-A and B), and between what nodes.
  static constexpr Range<int> ranks_per_node{0, 1 << 20, "ranks-per-node"};
  ReplicationOptions replication;
  /// How ranks exchange which hubs they visited, where there are any. In two phases and non-blocking only where
  /// subgraphs go apart, or the exchange is in bulk.
  HubMasks hub_masks = HubMasks::blocking;
  /// Where there are hubs, on several ranks: whether all edges of a level go one way. Apart, nothing
  /// looks at what cli/options calls idle then (if_subgraphs_are_apart).
  SubgraphOptions subgraphs;
  MessageOptions messages;
  /// On one rank each thread pushes into a range of vertices of its own, as far as rows are in the order of vertices
  /// and long enough (traverse/bfs/ranged_push.hpp).
  bool push_ranges = true;
  /// With those ranges, where directions are chosen: a pull from few vertices with many neighbours looks through
  /// columns and long rows, and the frontier pushes to the vertices with short rows (traverse/bfs/row_levels.hpp).
  bool mixed_levels = true;
  /// Whether threads go through small push levels of short rows together, each from what it found itself
  /// (traverse/bfs/fused_levels.hpp): several threads on one rank, in the order of degrees, where the adjacency is
  /// rows.
  bool fuse_levels = true;
  /// Whether one thread carries out narrow push levels where all together turn out slower, as beside other work
  /// (traverse/bfs/one_or_all.hpp): several threads on one rank, where the adjacency is rows.
  bool adaptive_levels = true;
  /// One thread carries out a push along at most about so many edges for each thread of the team; looked at where the
  /// adjacency is rows.
  static constexpr Range<std::uint64_t> small_levels{0, std::uint64_t{1} << 40, "small-level"};
  std::uint64_t small_level = 128;
  /// Visit vertices with one edge in one pass after the last level. Not done where max_depth is given, nor on a graph
  /// in the order of labels.
  bool leaves_last = true;
  /// The deepest level to visit; vertices farther away count as unreached.
  static constexpr Range<std::int64_t> depths{0, INT64_MAX, "max-depth"};
  std::int64_t max_depth = depths.most;
};

/// Whether ranks of a node would wait for each other, to combine masks, while asynchronous messages are under way.
inline bool waits_with_messages_under_way(const BfsOptions& options) {
  return options.hub_masks == HubMasks::two_phase_nonblocking && options.device.kind == Device::cpu &&
         options.messages.exchange == ExchangePolicy::asynchronous &&
         options.subgraphs.policy == SubgraphPolicy::together;
}

/// Throws Error that names the option unless every value is in its range and goes with the others.
inline void check(const BfsOptions& options) {
  check_range(options.direction.alpha, DirectionRule::alphas);
  check_range(options.direction.beta, DirectionRule::betas);
  check_range(options.messages.coalescing, MessageOptions::coalescings);
  if (options.summary != 0) {
    check_range(options.summary, BfsOptions::summaries);
    if (!std::has_single_bit(options.summary))
      fail("{} is {}; it must be a power of two", BfsOptions::summaries.option, options.summary);
  }
  check_range(options.replication.ranks_per_node, BfsOptions::ranks_per_node);
  check_range(options.small_level, BfsOptions::small_levels);
  check_range(options.max_depth, BfsOptions::depths);
  if (waits_with_messages_under_way(options)) {
    fail("hub-masks two-phase-nonblocking takes exchange bulk or subgraphs apart: ranks of a node wait for each other");
  }
  for (const DirectionFactors& factors :
       {options.subgraphs.hub_to_hub, options.subgraphs.hub_to_light, options.subgraphs.light_to_hub}) {
    check_range(factors.pull, DirectionFactors::pulls);
    check_range(factors.push, {0.0, factors.pull, "factor to push"});
  }
}

// Searches.

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
