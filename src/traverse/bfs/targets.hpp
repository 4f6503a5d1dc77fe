// Searches that end once they have found what they look for.
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

/// What a search ends at.
struct OwnTargets {
  /// Whether it ends at any: not where one of them has no edges, because all that can be reached is searched for then.
  bool any = false;
  std::vector<std::uint32_t> vertices = {};  ///< this rank's
};

/// Those of these targets, the same on every rank. Collective where there are any.
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

/// Targets that a search visits one after the other.
class UnvisitedTargets {
 public:
  /// The communicator outlives this.
  UnvisitedTargets(OwnTargets targets, const Communicator& ranks)
      : ranks_(ranks), any_(targets.any), unvisited_(std::move(targets.vertices)) {}

  /// Whether all of them are visited; false where there are none. Amortised O(1) for each. Collective.
  [[nodiscard]] bool are_in(const Bitmap& visited) {
    if (!any_) return false;
    while (!unvisited_.empty() && visited.contains(unvisited_.back())) unvisited_.pop_back();
    return !ranks_.any(!unvisited_.empty());
  }
  [[nodiscard]] bool empty() const noexcept { return !any_; }

 private:
  const Communicator& ranks_;
  bool any_;
  std::vector<std::uint32_t> unvisited_;  ///< on this rank, as far as is known
};

}  // namespace breadth
