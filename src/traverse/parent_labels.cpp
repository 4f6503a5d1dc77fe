#include "traverse/parent_labels.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"

namespace breadth {

namespace {

constexpr std::size_t labels_per_block = std::size_t{1} << 14;

/// Writes all parents that this rank can name.
template <class Entry, class Neighbour>
void write_known(SearchState<Neighbour>& state, const Graph& graph, std::span<Entry> parents, ThreadTeam& threads) {
  constexpr Entry none = ~Entry{0};
  const Partition& partition = graph.partition();
  const PositionCode code = partition.code();
  const LabelLookup& labels = graph.labels();
  const std::span<const std::uint32_t> local_of_offset = partition.local_of_offset();
  const Bitmap& visited = state.visited();
  const std::span<const Neighbour> positions = state.parents();
  parallel_blocks(threads, parents.size(), labels_per_block, [&](IndexRange range, int) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t local = local_of_offset[i];
      if (local == no_local_vertex.value || !visited.contains(local)) {
        parents[i] = none;
        continue;
      }
      const std::uint64_t position = positions[local];
      const LocalVertex parent = code.local(position);
      if (labels.knows(parent)) {
        parents[i] = static_cast<Entry>(labels.label(code.rank(position), parent));
      } else if (code.rank(position) == partition.rank()) {
        parents[i] = static_cast<Entry>(partition.label(parent).value);
      }
    }
  });
}

/// Asks the owners for the rest.
template <class Neighbour>
void fetch_unknown(SearchState<Neighbour>& state, const Graph& graph, LabelArray& parents, const Context& context) {
  const Partition& partition = graph.partition();
  const PositionCode code = partition.code();
  const auto ranks = static_cast<std::size_t>(context.ranks.size());
  std::vector<std::vector<std::uint32_t>> children(ranks);  // by owner of the parent
  for (std::size_t vertex = 0; vertex < partition.local_count(); ++vertex) {
    if (!state.visited().contains(vertex)) continue;
    const std::uint64_t position = state.parents()[vertex];
    const int owner = code.rank(position);
    if (owner == partition.rank() || graph.labels().knows(code.local(position))) continue;
    children[static_cast<std::size_t>(owner)].push_back(static_cast<std::uint32_t>(vertex));
  }

  std::vector<std::uint32_t> asked;
  std::vector<std::size_t> counts(ranks);
  for (std::size_t owner = 0; owner < ranks; ++owner) {
    counts[owner] = children[owner].size();
    for (const std::uint32_t vertex : children[owner]) asked.push_back(code.local(state.parents()[vertex]).value);
  }
  std::vector<std::size_t> asked_here_counts;
  std::vector<std::uint32_t> asked_here =
      context.ranks.all_to_all(std::span<const std::uint32_t>(asked), counts, asked_here_counts);
  for (std::uint32_t& local : asked_here) local = partition.offset_of_local()[local];
  std::vector<std::uint32_t>& answers = asked;
  context.ranks.all_to_all(std::span<const std::uint32_t>(asked_here), asked_here_counts, std::span(answers), counts);

  std::size_t next = 0;
  for (std::size_t owner = 0; owner < ranks; ++owner) {
    for (const std::uint32_t vertex : children[owner]) {
      parents.set(partition.offset_of_local()[vertex],
                  graph.distribution().label(static_cast<int>(owner), answers[next++]));
    }
  }
}

}  // namespace

template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, LabelArray& parents,
                         const Context& context) {
  if (parents.wide()) {
    write_known(state, graph, parents.entries<std::uint64_t>(), context.threads);
  } else {
    write_known(state, graph, parents.entries<std::uint32_t>(), context.threads);
  }
  if (!graph.labels().complete()) fetch_unknown(state, graph, parents, context);
}

template void write_parent_labels(SearchState<std::uint32_t>&, const Graph&, LabelArray&, const Context&);
template void write_parent_labels(SearchState<std::uint64_t>&, const Graph&, LabelArray&, const Context&);

}  // namespace breadth
