#include "traverse/tree_output.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "core/parallel.hpp"
#include "traverse/label_order.hpp"

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

/// Unpacks distances and parents of the labels of some words of the block, in one walk.
template <class Parent>
std::uint64_t unpack(const PackedTree& found, const ConnectedLabels& connected, IndexRange words,
                     std::span<Parent> parents, std::span<float> distances) {
  constexpr float unreached = std::numeric_limits<float>::infinity();
  constexpr Parent nobody = ~Parent{0};
  auto next = connected.locals(words.begin, words.end).begin();
  std::uint64_t reached = 0;
  const std::size_t end = std::min(parents.size(), words.end * bits_per_word);
  for (std::size_t i = words.begin * bits_per_word; i < end; ++i) {
    const bool connects = test_bit(connected.words(), i);
    const std::uint64_t word = connects ? found.words()[*next++] : PackedTree::unreached_word;
    distances[i] = PackedTree::distance_in(word);
    const bool is_reached = distances[i] != unreached;
    parents[i] = is_reached ? Parent{PackedTree::parent_in(word)} : nobody;
    reached += is_reached;
  }
  return reached;
}

}  // namespace

std::uint64_t write_tree(const PackedTree& found, const Graph& graph, ShortestPathTree& tree, ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 256;
  const ConnectedLabels& connected = graph.partition().connected();
  const auto unpack_to = [&]<class Parent>(std::span<Parent> parents) {
    return parallel_reduce(
        threads, connected.words().size(), words_per_block, std::uint64_t{0},
        [&](IndexRange words) { return unpack(found, connected, words, parents, tree.distances.span()); },
        std::plus<>());
  };
  if (tree.parents.wide()) return unpack_to(tree.parents.entries<std::uint64_t>());
  return unpack_to(tree.parents.entries<std::uint32_t>());
}

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
