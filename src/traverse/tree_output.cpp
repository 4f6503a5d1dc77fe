#include "traverse/tree_output.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>

#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/connected_labels.hpp"
#include "simd/label_gather.hpp"

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

/// Calls write(bits, local ids, entries) for stretches of the block: a bit for each label says whether it has edges,
/// the local ids are those of the labels that have. In the order of labels each degree bin is met in sequence, so that
/// a look-up reads a few dozen streams.
template <class Entry, class Write>
void in_label_order(const ConnectedLabels& connected, std::span<Entry> entries, ThreadTeam& threads, Write&& write) {
  constexpr std::size_t words_per_block = 256;
  parallel_blocks(threads, connected.words().size(), words_per_block, [&](IndexRange words, int) {
    const std::size_t first = words.begin * bits_per_word;
    write(connected.words().subspan(words.begin, words.size()), connected.locals(words.begin, words.end),
          entries.subspan(first, std::min(entries.size() - first, words.size() * bits_per_word)));
  });
}

/// Entries are table[local id], and `none` for labels without edges.
template <class Entry, class Value>
void write_entries(std::span<Entry> entries, const Value* table, Entry none, const ConnectedLabels& connected,
                   ThreadTeam& threads) {
  constexpr std::size_t cached_bytes = std::size_t{2} << 20;
  const Store store = entries.size_bytes() > cached_bytes ? Store::past_cache : Store::cached;
  in_label_order(connected, entries, threads, [&](auto bits, auto locals, std::span<Entry> some) {
    if constexpr (sizeof(Entry) == 4 && std::is_same_v<Entry, Value>) {
      gather_where_set(bits, locals, table, none, some, store);
    } else {
      auto next = locals.begin();
      for (std::size_t i = 0; i < some.size(); ++i) {
        some[i] = test_bit(bits, i) ? static_cast<Entry>(table[*next++]) : none;
      }
    }
  });
}

}  // namespace

template <class Neighbour>
std::uint64_t write_tree(TentativeTree<Neighbour>& found, const Graph& graph, ShortestPathTree& tree,
                         ThreadTeam& threads) {
  const ConnectedLabels& connected = graph.partition().connected();
  const std::uint64_t reached = unname_unreached(found, threads);
  const Neighbour* const parents = found.parents().data();
  if (tree.parents.wide()) {
    write_entries(tree.parents.entries<std::uint64_t>(), parents, ~std::uint64_t{0}, connected, threads);
  } else {
    write_entries(tree.parents.entries<std::uint32_t>(), parents, ~std::uint32_t{0}, connected, threads);
  }
  write_entries(tree.distances.span(), static_cast<const float*>(found.distances()),
                std::numeric_limits<float>::infinity(), connected, threads);
  return reached;
}

template std::uint64_t write_tree(TentativeTree<std::uint32_t>&, const Graph&, ShortestPathTree&, ThreadTeam&);
template std::uint64_t write_tree(TentativeTree<std::uint64_t>&, const Graph&, ShortestPathTree&, ThreadTeam&);

}  // namespace breadth
