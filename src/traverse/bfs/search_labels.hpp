// The result of a search: parents in the order of the original labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "simd/kernels.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// The local id of a label if this rank owns it and it has edges; otherwise no_local_vertex.
inline LocalVertex own_vertex(const Graph& graph, Label label) {
  const Partition& partition = graph.partition();
  const bool own = graph.distribution().owner(label) == partition.rank();
  return own ? partition.local(label) : no_local_vertex;
}

/// The place among this rank's labels of a source without edges, which no search sees. Nothing for other sources.
inline std::optional<std::size_t> lone_source(const Graph& graph, Label source) {
  const int rank = graph.partition().rank();
  if (graph.distribution().owner(source) != rank || own_vertex(graph, source) != no_local_vertex) return std::nullopt;
  return graph.distribution().offset(source, rank);
}

/// Makes a source of this rank without edges its own parent. Returns whether `source` is one.
inline bool set_lone_source(const Graph& graph, Label source, LabelArray& parents) {
  const std::optional<std::size_t> place = lone_source(graph, source);
  if (place) parents.set(*place, source);
  return place.has_value();
}

/// Writes table[local id] for each label, and `none` for labels without edges. Going through labels in order meets the
/// vertices of each degree bin in order, so that the look-ups read a few dozen sequential streams.
template <class Entry, class Value>
void write_in_label_order(const Value* table, Entry none, const ConnectedLabels& connected, std::span<Entry> entries,
                          ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 256;
  constexpr std::size_t cached_bytes = std::size_t{1} << 18;  // of a thread's share that stays in its cache
  const std::size_t share_bytes = entries.size_bytes() / static_cast<std::size_t>(threads.size());
  const Store store = share_bytes > cached_bytes ? Store::past_cache : Store::cached;
  parallel_blocks(threads, connected.words().size(), words_per_block, [&](IndexRange words, int) {
    if constexpr (sizeof(Entry) == 4 && std::is_same_v<Entry, Value>) {
      const std::size_t first = words.begin * bits_per_word;
      const auto some = entries.subspan(first, std::min(entries.size() - first, words.size() * bits_per_word));
      gather_where_set(connected.words().subspan(words.begin, words.size()), connected.locals(words.begin, words.end),
                       table, none, some, store);
    } else {
      connected.for_each(words, entries.size(), [&](std::size_t i, LocalVertex vertex) {
        entries[i] = vertex == no_local_vertex ? none : static_cast<Entry>(table[vertex.index()]);
      });
    }
  });
}

/// Writes the parents' labels. An entry with all bits set is no_label, in either width.
template <class Neighbour>
void write_in_label_order(std::span<const Neighbour> table, const ConnectedLabels& connected, LabelArray& parents,
                          ThreadTeam& threads) {
  if (parents.wide()) {
    write_in_label_order(table.data(), ~std::uint64_t{0}, connected, parents.entries<std::uint64_t>(), threads);
  } else {
    write_in_label_order(table.data(), ~std::uint32_t{0}, connected, parents.entries<std::uint32_t>(), threads);
  }
}

/// Writes for each label of this rank the label of its parent, or no_label if it was not visited. A source is its own
/// parent even if it has no edges. All parents' labels must be known.
template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, std::span<const Label> sources,
                         LabelArray& parents, const Context& context) {
  state.fill_unvisited(state.parents(), static_cast<Neighbour>(no_label.value));
  write_in_label_order(std::span<const Neighbour>(state.parents()), graph.partition().connected(), parents,
                       context.threads);
  for (const Label source : sources) (void)set_lone_source(graph, source, parents);
}

}  // namespace breadth
