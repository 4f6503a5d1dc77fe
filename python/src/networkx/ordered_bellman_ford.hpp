// The Bellman-Ford algorithm in the order of networkx, for weights of at least 0.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "networkx/ordered_dijkstra.hpp"
#include "networkx/rows.hpp"

namespace breadth::python {

/// The result of a search, in the order in which it first sees nodes.
template <class Value>
struct RelaxedPaths {
  std::vector<std::int32_t> nodes;
  std::vector<Value> distances;
  Predecessors before;  ///< in the order in which networkx lists them
};

/// Relaxes the edges of nodes in a queue, except nodes that have a predecessor in the queue (networkx's
/// `_inner_bellman_ford`). Nodes with distances beyond the largest number count as unreached. `look` is called now and
/// then.
template <class Value>
RelaxedPaths<Value> ordered_bellman_ford(const Rows& rows, const WeightArray<Value>& weights, std::int32_t source,
                                         const std::function<void()>& look) {
  constexpr std::size_t between_looks = std::size_t{1} << 12;
  const std::size_t count = rows.node_count();
  std::vector<Value> distance(count);
  std::vector<std::vector<std::int32_t>> before(count);
  std::vector<bool> seen(count);
  std::vector<bool> queued(count);
  std::deque<std::int32_t> queue{source};
  RelaxedPaths<Value> found;
  found.nodes.push_back(source);
  seen[at(source)] = queued[at(source)] = true;
  for (std::size_t turn = 1; !queue.empty(); ++turn) {
    if (turn % between_looks == 0) look();
    const std::int32_t node = queue.front();
    queue.pop_front();
    queued[at(node)] = false;
    if (std::any_of(before[at(node)].begin(), before[at(node)].end(),
                    [&](std::int32_t earlier) { return queued[at(earlier)]; })) {
      continue;
    }
    const std::span<const std::int32_t> row = rows.row(node);
    const std::span<const Value> steps = weights(node);
    const Value here = distance[at(node)];
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t head = at(row[i]);
      const Value further = sum_of(here, steps[i]);
      if (seen[head] && further == distance[head]) {
        before[head].push_back(node);
        continue;
      }
      if (seen[head] ? further > distance[head] : further > std::numeric_limits<Value>::max()) continue;
      if (!seen[head]) found.nodes.push_back(row[i]);
      if (!queued[head]) queue.push_back(row[i]);
      seen[head] = queued[head] = true;
      distance[head] = further;
      before[head] = {node};
    }
  }
  found.before.starts.push_back(0);
  for (const std::int32_t node : found.nodes) {
    found.distances.push_back(distance[at(node)]);
    found.before.nodes.insert(found.before.nodes.end(), before[at(node)].begin(), before[at(node)].end());
    found.before.starts.push_back(static_cast<std::int64_t>(found.before.nodes.size()));
  }
  return found;
}

}  // namespace breadth::python
