// The targets at which a search may end.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/search_labels.hpp"

namespace breadth {

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
  /// The communicator outlives this.
  UnvisitedTargets(OwnTargets targets, const Communicator& ranks)
      : ranks_(ranks), any_(targets.any), unvisited_(std::move(targets.vertices)) {}

  /// Whether all targets are visited; false if there are none. Amortised O(1) for each target. Collective.
  [[nodiscard]] bool are_in(const Bitmap& visited) {
    if (!any_) return false;
    while (!unvisited_.empty() && visited.contains(unvisited_.back())) unvisited_.pop_back();
    return !ranks_.any(!unvisited_.empty());
  }
  [[nodiscard]] bool empty() const noexcept { return !any_; }

 private:
  const Communicator& ranks_;
  bool any_;
  std::vector<std::uint32_t> unvisited_;  ///< of this rank, when last checked
};

}  // namespace breadth
