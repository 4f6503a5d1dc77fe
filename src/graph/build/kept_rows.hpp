// The form in which a graph keeps its rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/context.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// The neighbours at place `place` of all rows.
template <class Rows, class Neighbour = typename Rows::Neighbour>
NeighbourColumn<Neighbour> copy_column(const Rows& rows, std::size_t place, const Partition& partition,
                                       const LabelLookup& lookup, const Context& context) {
  NeighbourColumn<Neighbour> column{Buffer<Neighbour>(partition.local_count()),
                                    Buffer<Neighbour>(partition.local_count())};
  parallel_for(context.threads, partition.local_count(), std::size_t{1} << 14, [&](std::size_t i) {
    const LocalVertex vertex{static_cast<std::uint32_t>(i)};
    column.positions[i] = static_cast<Neighbour>(partition.position(vertex));
    if (place >= rows.degree(vertex)) return;
    rows.for_each_stretch(vertex, {place, place + 1},
                          [&](std::span<const Neighbour> one) { column.positions[i] = one.front(); });
  });
  lookup.name(std::span<const Neighbour>(column.positions.span()), column.labels.span(), partition, context);
  return column;
}

/// The weights at place `place` of all rows.
template <class Neighbour>
Buffer<float> copy_weights(const Adjacency<Neighbour>& rows, std::size_t place, std::size_t vertices,
                           ThreadTeam& threads) {
  Buffer<float> weights(vertices);
  parallel_for(threads, vertices, std::size_t{1} << 14, [&](std::size_t i) {
    const bool there = place < rows.degree(LocalVertex{static_cast<std::uint32_t>(i)});
    weights[i] = there ? rows.weights[rows.offsets[i] + place] : std::numeric_limits<float>::infinity();
  });
  return weights;
}

/// The rows as a graph in rows keeps them.
template <class Rows>
IndexedAdjacencies<Rows> with_leading_neighbours(Rows out, Rows in, bool directed, std::size_t columns,
                                                 const Partition& partition, const LabelLookup& labels,
                                                 const Context& context) {
  IndexedAdjacencies<Rows> adjacencies{.out = std::move(out), .in = std::move(in), .leading = {}, .directed = directed};
  for (std::size_t place = 0; place < columns; ++place) {
    adjacencies.leading.push_back(copy_column(adjacencies.pull_rows(), place, partition, labels, context));
  }
  return adjacencies;
}

/// Of each hub how many of its neighbours, of which hubs come first, are hubs.
template <class Neighbour>
Buffer<std::uint32_t> hubs_in_hub_rows(const Adjacency<Neighbour>& rows, const Partition& partition,
                                       ThreadTeam& threads) {
  const PositionCode code = partition.code();
  const Hubs& hubs = partition.hubs();
  Buffer<std::uint32_t> counts(hubs.count());
  parallel_for(threads, counts.size(), 64, [&](std::size_t hub) {
    const auto row = rows.row(LocalVertex{static_cast<std::uint32_t>(hub)});
    const auto end = std::partition_point(row.begin(), row.end(),
                                          [&](Neighbour position) { return hubs.contains(code.local(position)); });
    counts[hub] = static_cast<std::uint32_t>(end - row.begin());
  });
  return counts;
}

/// The rows in the form in which the graph keeps them. Collective.
template <class Neighbour>
Graph::AnyAdjacencies keep_rows(const GraphLayout& layout, Adjacency<Neighbour> out, Adjacency<Neighbour> in,
                                bool directed, const Partition& partition, const LabelLookup& labels,
                                const Context& context) {
  if (layout.grid) {
    return GridAdjacencies<Neighbour>(std::move(out), grid_of(*layout.grid, context.ranks.size()), partition, context);
  }
  const auto scanned = [&]<class List>(std::type_identity<List>) {
    return run_together(context.ranks, [&] {
      return ScannedAdjacencies<List>(std::move(out), std::move(in), directed, context.threads);
    });
  };
  switch (layout.adjacency) {
    case AdjacencyForm::rows:
    case AdjacencyForm::compressed: break;
    case AdjacencyForm::full_scan: return scanned(std::type_identity<EdgePairs<Neighbour>>());
    case AdjacencyForm::skip_list: return scanned(std::type_identity<SkipList<Neighbour>>());
    case AdjacencyForm::coarse_index: return scanned(std::type_identity<IndexedSkipList<Neighbour>>());
  }
  auto adjacencies =
      with_leading_neighbours(std::move(out), std::move(in), directed, layout.columns, partition, labels, context);
  if (layout.neighbours != NeighbourOrder::weights) {
    adjacencies.hubs_out = hubs_in_hub_rows(adjacencies.out, partition, context.threads);
    if (directed) adjacencies.hubs_in = hubs_in_hub_rows(adjacencies.in, partition, context.threads);
  } else {
    for (std::size_t place = 0; place < layout.columns; ++place) {
      adjacencies.leading[place].weights =
          copy_weights(adjacencies.pull_rows(), place, partition.local_count(), context.threads);
    }
  }
  return adjacencies;
}
template <class Neighbour>
Graph::AnyAdjacencies keep_rows(const GraphLayout& layout, CompressedAdjacency<Neighbour> out,
                                CompressedAdjacency<Neighbour> in, bool directed, const Partition& partition,
                                const LabelLookup& labels, const Context& context) {
  return with_leading_neighbours(std::move(out), std::move(in), directed, layout.columns, partition, labels, context);
}

}  // namespace breadth
