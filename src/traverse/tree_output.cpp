#include "traverse/tree_output.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/connected_labels.hpp"

namespace breadth {

namespace {

template <class Entry, class Neighbour>
std::uint64_t write_in_label_order(TentativeTree<Neighbour>& found, const ConnectedLabels& connected,
                                   std::span<Entry> parents, std::span<float> distances, ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 256;
  const auto bits = found.distance_bits();
  const auto by_vertex = found.parents();
  return parallel_reduce(
      threads, connected.words().size(), words_per_block, std::uint64_t{0},
      [&](IndexRange words) {
        std::uint64_t reached = 0;
        auto next = connected.locals(words.begin, words.end).begin();
        const std::size_t end = std::min(distances.size(), words.end * bits_per_word);
        for (std::size_t i = words.begin * bits_per_word; i < end; ++i) {
          const bool is_connected = test_bit(connected.words(), i);
          const std::size_t vertex = is_connected ? *next++ : 0;
          const bool is_reached = is_connected && bits[vertex] != TentativeTree<Neighbour>::unreached;
          distances[i] = std::bit_cast<float>(is_connected ? bits[vertex] : found.unreached);
          parents[i] = static_cast<Entry>(is_reached ? static_cast<std::int64_t>(by_vertex[vertex]) : no_label.value);
          reached += is_reached ? 1 : 0;
        }
        return reached;
      },
      std::plus<>());
}

}  // namespace

template <class Neighbour>
std::uint64_t write_tree(TentativeTree<Neighbour>& found, const Graph& graph, ShortestPathTree& tree,
                         ThreadTeam& threads) {
  const ConnectedLabels& connected = graph.partition().connected();
  if (tree.parents.wide()) {
    return write_in_label_order(found, connected, tree.parents.entries<std::uint64_t>(), tree.distances.span(),
                                threads);
  }
  return write_in_label_order(found, connected, tree.parents.entries<std::uint32_t>(), tree.distances.span(), threads);
}

template std::uint64_t write_tree(TentativeTree<std::uint32_t>&, const Graph&, ShortestPathTree&, ThreadTeam&);
template std::uint64_t write_tree(TentativeTree<std::uint64_t>&, const Graph&, ShortestPathTree&, ThreadTeam&);

}  // namespace breadth
