// Labels at both ends of a search: where it starts, also where no search sees it, and results in the order of labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "graph/partition.hpp"
#include "simd/label_gather.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

// Where a search starts.

/// The local id of a label on the rank that owns it, if it has edges there; else no_local_vertex.
inline LocalVertex own_vertex(const Graph& graph, Label label) {
  const Partition& partition = graph.partition();
  const bool own = graph.distribution().owner(label) == partition.rank();
  return own ? partition.local(label) : no_local_vertex;
}

/// Whether a source is this rank's and has no edges: no search sees it.
inline bool is_lone_source(const Graph& graph, Label source) {
  return graph.distribution().owner(source) == graph.partition().rank() && own_vertex(graph, source) == no_local_vertex;
}

/// Such a source is its own parent all the same. Whether it is one.
inline bool set_lone_source(const Graph& graph, Label source, LabelArray& parents) {
  const bool lone = is_lone_source(graph, source);
  if (lone) parents.set(graph.distribution().offset(source, graph.partition().rank()), source);
  return lone;
}
/// And at distance 0.
inline bool set_lone_source(const Graph& graph, Label source, ShortestPathTree& tree) {
  const bool lone = set_lone_source(graph, source, tree.parents);
  if (lone) tree.distances[graph.distribution().offset(source, graph.partition().rank())] = 0;
  return lone;
}

// From what is known of each vertex to an array in the order of labels.

/// Entries are table[local id], and `none` for labels without edges. In the order of labels each degree bin is met in
/// sequence, so that a look-up reads a few dozen streams.
template <class Entry, class Value>
void write_in_label_order(const Value* table, Entry none, const ConnectedLabels& connected, std::span<Entry> entries,
                          ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 256;
  constexpr std::size_t cached_bytes = std::size_t{1} << 18;  // of a thread's share: what a search leaves of its cache
  const std::size_t share_bytes = entries.size_bytes() / static_cast<std::size_t>(threads.size());
  const Store store = share_bytes > cached_bytes ? Store::past_cache : Store::cached;
  parallel_blocks(threads, connected.words().size(), words_per_block, [&](IndexRange words, int) {
    const auto bits = connected.words().subspan(words.begin, words.size());
    const auto locals = connected.locals(words.begin, words.end);
    const std::size_t first = words.begin * bits_per_word;
    const auto some = entries.subspan(first, std::min(entries.size() - first, words.size() * bits_per_word));
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

/// The same for the labels of vertices' parents; all bits set mean no_label, in any width.
template <class Neighbour>
void write_in_label_order(std::span<const Neighbour> table, const ConnectedLabels& connected, LabelArray& parents,
                          ThreadTeam& threads) {
  if (parents.wide()) {
    write_in_label_order(table.data(), ~std::uint64_t{0}, connected, parents.entries<std::uint64_t>(), threads);
  } else {
    write_in_label_order(table.data(), ~std::uint32_t{0}, connected, parents.entries<std::uint32_t>(), threads);
  }
}

}  // namespace breadth
