// Which queries an engine supports, and the targets at which a search may end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/bfs/search_labels.hpp"

namespace breadth {

/// The source of a query, for engines that support only one source and no targets. Throws Error for other queries.
inline Label only_source(const BfsQuery& query) {
  if (!query.targets.empty()) {
    fail("a search to targets runs on processors, without --subgraphs apart and without a grid (--partition)");
  }
  if (query.sources.size() != 1 || query.nearest != NearestSource::any) {
    fail("a search from several sources runs on processors, with --adjacency rows or compressed and without a grid");
  }
  return query.sources.front();
}

/// What an engine supports besides a search from one source to everything.
struct QuerySupport {
  bool several_sources = false;
  bool first_source = false;  ///< NearestSource::first
  bool targets = false;
};

/// Throws Error for a query that an engine does not support.
inline void check(const BfsQuery& query, const QuerySupport& support) {
  if (!query.targets.empty()) {
    if (!support.targets) fail("a search to targets needs --leaves levels");
  } else if (!support.several_sources) {
    (void)only_source(query);
  }
  if (query.nearest == NearestSource::first && !support.first_source) {
    fail("the first of several nearest sources can be found only on one rank");
  }
}

/// The targets of a search on one rank.
struct OwnTargets {
  /// Whether the search may end at targets. False if one of them has no edges: it cannot be reached, so that the search
  /// visits everything.
  bool any = false;
  std::vector<std::uint32_t> vertices = {};  ///< local ids of this rank's targets
};

/// This rank's part of the targets, which are the same on every rank. Collective if there are any targets.
inline OwnTargets own_targets(std::span<const Label> targets, Label source, const Graph& graph,
                              const Communicator& ranks) {
  OwnTargets own;
  if (targets.empty()) return own;
  bool some_are_lone = false;
  for (const Label target : targets) {
    if (graph.distribution().owner(target) != ranks.rank()) continue;
    const LocalVertex vertex = own_vertex(graph, target);
    if (vertex != no_local_vertex) {
      own.vertices.push_back(vertex.value);
    } else {
      some_are_lone = some_are_lone || target != source;
    }
  }
  own.any = !ranks.any(some_are_lone);
  if (!own.any) own.vertices.clear();
  return own;
}

/// The targets that a search has not visited yet.
class UnvisitedTargets {
 public:
  /// The communicator outlives this. Collective if there are any targets.
  UnvisitedTargets(const BfsQuery& query, const Graph& graph, const Communicator& ranks) : ranks_(ranks) {
    if (!query.targets.empty()) own_ = own_targets(query.targets, query.sources.front(), graph, ranks);
  }

  /// Whether all targets are visited; false if there are none. Amortised O(1) for each target. Collective.
  [[nodiscard]] bool are_in(const Bitmap& visited) {
    if (!own_.any) return false;
    std::vector<std::uint32_t>& unvisited = own_.vertices;
    while (!unvisited.empty() && visited.contains(unvisited.back())) unvisited.pop_back();
    return !ranks_.any(!unvisited.empty());
  }
  [[nodiscard]] bool empty() const noexcept { return !own_.any; }

 private:
  const Communicator& ranks_;
  OwnTargets own_;  ///< its vertices: those of this rank that were unvisited when last checked
};

}  // namespace breadth
