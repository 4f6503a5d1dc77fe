#include "traverse/sssp/tree_output.hpp"

#include <cstddef>
#include <limits>
#include <span>

#include "core/parallel/parallel.hpp"
#include "traverse/bfs/label_order.hpp"

namespace breadth {

namespace {

/// Gives the vertices without a distance no_label as their parent; returns how many have one.
template <class Neighbour>
std::uint64_t unname_unreached(TentativeTree<Neighbour>& found, ThreadTeam& threads) {
  constexpr std::size_t vertices_per_block = std::size_t{1} << 15;
  constexpr float unreached = std::numeric_limits<float>::infinity();
  const float* const distances = found.distances();
  Neighbour* const parents = found.parents().data();
  return parallel_sum(threads, found.size(), vertices_per_block, [&](std::size_t i) {
    const bool is_reached = distances[i] != unreached;
    parents[i] = is_reached ? parents[i] : static_cast<Neighbour>(no_label.value);
    return std::uint64_t{is_reached};
  });
}

}  // namespace

template <class Neighbour>
std::uint64_t write_tree(TentativeTree<Neighbour>& found, const Graph& graph, ShortestPathTree& tree,
                         ThreadTeam& threads) {
  const ConnectedLabels& connected = graph.partition().connected();
  const std::uint64_t reached = unname_unreached(found, threads);
  write_in_label_order(std::span<const Neighbour>(found.parents()), connected, tree.parents, threads);
  write_in_label_order(static_cast<const float*>(found.distances()), std::numeric_limits<float>::infinity(), connected,
                       tree.distances.span(), threads);
  return reached;
}

template std::uint64_t write_tree(TentativeTree<std::uint32_t>&, const Graph&, ShortestPathTree&, ThreadTeam&);
template std::uint64_t write_tree(TentativeTree<std::uint64_t>&, const Graph&, ShortestPathTree&, ThreadTeam&);

}  // namespace breadth
