// Kernel 1, step by step.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/phase.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/build/direct_rows.hpp"
#include "graph/build/entry.hpp"
#include "graph/build/hub_rows.hpp"
#include "graph/build/rows_by_global_id.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"

namespace breadth {

// The form in which a graph keeps its rows.

/// Copies the neighbours at place `place` of all rows.
template <class Rows, class Neighbour = typename Rows::Neighbour>
HeadColumn<Neighbour> copy_column(const Rows& rows, std::size_t place, const Partition& partition,
                                  const LabelLookup& lookup, const Context& context) {
  auto column = run_together(context.ranks, [&] {
    return HeadColumn<Neighbour>{Buffer<Neighbour>(partition.local_count()),
                                 Buffer<Neighbour>(partition.local_count())};
  });
  parallel_for(context.threads, partition.local_count(), std::size_t{1} << 14, [&](std::size_t i) {
    const LocalVertex vertex{static_cast<std::uint32_t>(i)};
    column.global_ids[i] = static_cast<Neighbour>(partition.global_id(vertex));
    if (place >= rows.degree(vertex)) return;
    rows.for_each_span(vertex, {place, place + 1},
                       [&](std::span<const Neighbour> one) { column.global_ids[i] = one.front(); });
  });
  lookup.look_up(std::span<const Neighbour>(column.global_ids.span()), column.labels.span(), partition, context);
  return column;
}

/// Copies the weights at place `place` of all rows.
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

/// Converts the rows to the form in which the graph keeps them. Collective.
template <class Rows>
AnyAdjacencies keep_rows(const GraphLayout& layout, Rows out, Rows in, bool directed, const Partition& partition,
                         const LabelLookup& labels, const Context& context) {
  if constexpr (std::is_same_v<Rows, Adjacency<typename Rows::Neighbour>>) {
    if (layout.grid) {
      return GridAdjacencies(std::move(out), grid_of(*layout.grid, context.ranks.size()), partition, context);
    }
    const auto scanned = [&]<class List>(std::type_identity<List>) {
      return run_together(context.ranks, [&] {
        return ScannedAdjacencies<List>(std::move(out), std::move(in), directed, context.threads);
      });
    };
    using Neighbour = typename Rows::Neighbour;
    switch (layout.adjacency) {
      case AdjacencyForm::rows:
      case AdjacencyForm::compressed: break;
      case AdjacencyForm::full_scan: return scanned(std::type_identity<EdgePairs<Neighbour>>());
      case AdjacencyForm::skip_list: return scanned(std::type_identity<SkipList<Neighbour>>());
      case AdjacencyForm::coarse_index: return scanned(std::type_identity<IndexedSkipList<Neighbour>>());
    }
  }
  IndexedAdjacencies<Rows> adjacencies{.out = std::move(out), .in = std::move(in), .head = {}, .directed = directed};
  for (std::size_t place = 0; place < layout.columns; ++place) {
    const Rows& rows = adjacencies.pull_rows();
    adjacencies.head.push_back(copy_column(rows, place, partition, labels, context));
    if constexpr (std::is_same_v<Rows, Adjacency<typename Rows::Neighbour>>) {
      if (layout.neighbours != NeighbourOrder::weights) continue;
      adjacencies.head.back().weights = run_together(
          context.ranks, [&] { return copy_weights(rows, place, partition.local_count(), context.threads); });
    }
  }
  return adjacencies;
}

namespace {

/// The largest label of this rank's tuples, or the largest that they may have if the list knows its bound; -1 without
/// tuples.
std::int64_t largest_label(const EdgeList& edges, ThreadTeam& threads) {
  if (const auto known = edges.label_count()) return edges.size() == 0 ? -1 : static_cast<std::int64_t>(*known) - 1;
  struct alignas(64) Extremes {
    std::int64_t least = 0;
    std::int64_t largest = -1;
  };
  std::vector<Extremes> extremes(static_cast<std::size_t>(threads.size()));
  parallel_edge_blocks(threads, edges, 0, edges.size(), false,
                       [&](std::span<const Edge> block, std::span<const float>, int thread) {
                         Extremes& mine = extremes[static_cast<std::size_t>(thread)];
                         for (const Edge& edge : block) {
                           mine.least = std::min({mine.least, edge.source.value, edge.target.value});
                           mine.largest = std::max({mine.largest, edge.source.value, edge.target.value});
                         }
                       });
  std::int64_t largest = -1;
  for (const Extremes& part : extremes) {
    if (part.least < 0) fail("the edge list has label {}: labels start at 0", part.least);
    largest = std::max(largest, part.largest);
  }
  if (largest >= label_bound) fail("the edge list has label {}: the largest possible is 2^48 - 1", largest);
  return largest;
}

/// The distribution of `vertex_count` labels over the ranks.
BlockDistribution distribute(std::uint64_t vertex_count, int ranks) {
  const BlockDistribution distribution(vertex_count, ranks);
  if (distribution.block() > std::numeric_limits<std::uint32_t>::max()) {
    fail<AgreedError>("{} labels on {} ranks are {} a rank; a rank holds at most 2^32 - 1: use more ranks",
                      vertex_count, ranks, distribution.block());
  }
  return distribution;
}

/// The number of edges of each label, counting both directions.
template <class Neighbour>
Buffer<std::uint32_t> total_degrees(const RowsByLabel<Neighbour>& out, const RowsByLabel<Neighbour>& in,
                                    ThreadTeam& threads) {
  Buffer<std::uint32_t> degrees(out.degrees.size());
  parallel_for(threads, degrees.size(), std::size_t{1} << 16, [&](std::size_t i) {
    degrees[i] = out.degrees[i];
    if (!in.degrees.empty()) degrees[i] += in.degrees[i];
  });
  return degrees;
}

/// The order of this rank's vertices: the hubs, then the other vertices by `degrees`.
LocalOrder order_rows(VertexOrder order, Buffer<std::uint32_t> degrees, const Hubs& hubs,
                      const BlockDistribution& distribution, const Context& context) {
  const int rank = context.ranks.rank();
  for (std::uint32_t id = 0; id < hubs.count(); ++id) {
    const Label label = hubs[LocalVertex{id}].label;
    if (distribution.owner(label) == rank) degrees[distribution.offset(label, rank)] = 0;
  }
  return with_hubs_first(order_vertices(order, degrees.span(), context.threads), hubs, distribution, rank);
}

/// Moves this rank's share of the hubs' rows out of the rows of labels: along edges and, for a directed graph, against
/// them. Collective.
template <class Neighbour>
std::pair<HubRows, HubRows> split_off_hubs(RowsByLabel<Neighbour>& out, RowsByLabel<Neighbour>& in, bool directed,
                                           const Hubs& hubs, std::span<const std::uint32_t> local_of_offset,
                                           const Context& context) {
  if (hubs.count() == 0) return {};
  return run_together(context.ranks, [&] {
    ThreadTeam& threads = context.threads;
    std::pair<HubRows, HubRows> rows;
    rows.first = take_hub_rows(out, directed ? in : out, hubs, local_of_offset, threads);
    if (directed) rows.second = take_hub_rows(in, out, hubs, local_of_offset, threads);
    drop_hubs(out, hubs, local_of_offset, threads);
    if (directed) drop_hubs(in, hubs, local_of_offset, threads);
    return rows;
  });
}

/// The code of global ids for at most `max_local` local ids per rank. Throws AgreedError if hubs make global ids too
/// large for the chosen width.
template <class Neighbour>
GlobalIdCode code_global_ids(std::uint64_t max_local, std::size_t hubs, int ranks) {
  const GlobalIdCode code(max_local, ranks);
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  const bool fits = sizeof(Neighbour) == sizeof(std::uint32_t) ? code.bound() <= most
                                                               : max_local <= std::numeric_limits<std::uint32_t>::max();
  if (fits) return code;
  fail<AgreedError>(
      "{} hubs are too many to have replicas of them all on each rank: choose a higher degree "
      "for hubs, or more ranks",
      hubs);
}

/// The last step: makes a graph of the rows. Collective.
template <class Rows>
Graph assemble(const GraphOptions& options, bool weighted, Partition partition, Rows out, Rows in,
               const Context& context) {
  const bool directed = options.directedness == Directedness::directed;
  LabelLookup labels(partition, context);
  const std::uint64_t hubs_once = context.ranks.rank() == 0 ? partition.hubs().count() : 0;
  const auto [vertices, entries] =
      context.ranks.sums({partition.local_count() - partition.hubs().end() + hubs_once, out.entries()});
  const Graph::Counts counts{.connected_vertices = vertices, .edges = directed ? entries : entries / 2};
  AnyAdjacencies adjacencies =
      keep_rows(options.layout, std::move(out), std::move(in), directed, partition, labels, context);
  return {options.directedness, options.layout, weighted,
          GraphContents{std::move(partition), std::move(labels), std::move(adjacencies)}, counts};
}

/// Builds the graph on one rank with build_directly(), which orders vertices first.
Graph build_in_order(const EdgeList& edges, const GraphOptions& options, const BlockDistribution& distribution,
                     const Context& context) {
  const Phase phase(context.ranks, "rows by global id");
  DirectRows direct =
      run_together(context.ranks, [&] { return build_directly(edges, options.layout.order, distribution, context); });
  const GlobalIdCode code(direct.order.offset_of_local.size(), 1);
  Partition partition(distribution, 0, code, ConnectedLabels(direct.order.local_of_offset.span(), context.threads),
                      std::move(direct.order.offset_of_local));
  direct.order = {};
  return assemble(options, false, std::move(partition), std::move(direct.rows), {}, context);
}

/// Makes a graph of rows by label. Rows is the type of the finished rows; `in` is used only if the graph is directed.
template <class Rows, class Entry, class Neighbour>
Graph finish_graph(RowsByLabel<Neighbour> out, RowsByLabel<Neighbour> in, const GraphOptions& options, bool weighted,
                   const BlockDistribution& distribution, const Context& context) {
  const Phase phase(context.ranks, "rows by global id");
  const bool directed = options.directedness == Directedness::directed;
  Buffer<std::uint32_t> degrees = run_together(context.ranks, [&] { return total_degrees(out, in, context.threads); });
  Hubs hubs = choose_hubs(options.layout.hubs, degrees.span(), out.degrees.span(), distribution, context);
  LocalOrder order = run_together(
      context.ranks, [&] { return order_rows(options.layout.order, std::move(degrees), hubs, distribution, context); });
  const std::span<const std::uint32_t> locals = order.local_of_offset.span();
  auto [out_of_hubs, into_hubs] = split_off_hubs(out, in, directed, hubs, locals, context);

  const std::uint64_t max_local =
      context.ranks.all_reduce(std::uint64_t{order.offset_of_local.size()}, Reduction::maximum);
  const GlobalIdCode code = code_global_ids<Neighbour>(max_local, hubs.count(), context.ranks.size());
  Partition partition = run_together(context.ranks, [&] {
    return Partition(distribution, context.ranks.rank(), code, ConnectedLabels(locals, context.threads),
                     std::move(order.offset_of_local), std::move(hubs));
  });

  const NeighbourOrder neighbours = options.layout.neighbours;
  auto out_rows = build_rows_by_global_id<Rows, Entry>(std::move(out), std::move(out_of_hubs), neighbours, partition,
                                                       locals, context);
  Rows in_rows;
  if (directed) {
    in_rows = build_rows_by_global_id<Rows, Entry>(std::move(in), std::move(into_hubs), neighbours, partition, locals,
                                                   context);
  }
  order = {};
  return assemble(options, weighted, std::move(partition), std::move(out_rows), std::move(in_rows), context);
}

template <class Neighbour, class Entry>
Graph build_typed(const EdgeList& edges, const GraphOptions& options, bool weighted,
                  const BlockDistribution& distribution, const Context& context) {
  const bool directed = options.directedness == Directedness::directed;
  const bool compressed = options.layout.adjacency == AdjacencyForm::compressed;
  const auto build_rows = [&](RowDirection direction) {
    const Phase phase(context.ranks, "rows by label");
    const LabelRows form = compressed && context.ranks.size() == 1 ? LabelRows::compressed : LabelRows::plain;
    return build_rows_by_label<Neighbour, Entry>(edges, weighted, direction, form, distribution, context);
  };
  auto out = build_rows(directed ? RowDirection::forward : RowDirection::both);
  RowsByLabel<Neighbour> in;
  if (directed) in = build_rows(RowDirection::backward);
  if (compressed) {
    return finish_graph<CompressedAdjacency<Neighbour>, Entry>(std::move(out), std::move(in), options, weighted,
                                                               distribution, context);
  }
  if (options.layout.neighbours == NeighbourOrder::weights) {
    return finish_graph<Adjacency<Neighbour>, LightestFirstEntry>(std::move(out), std::move(in), options, weighted,
                                                                  distribution, context);
  }
  return finish_graph<Adjacency<Neighbour>, Entry>(std::move(out), std::move(in), options, weighted, distribution,
                                                   context);
}

}  // namespace

std::uint64_t discover_vertex_count(const EdgeList& edges, const Context& context) {
  const Phase phase(context.ranks, "largest label");
  const std::int64_t mine = run_together(context.ranks, [&] { return largest_label(edges, context.threads); });
  const std::int64_t largest = context.ranks.all_reduce(mine, Reduction::maximum);
  if (largest < 0) throw AgreedError("the edge list is empty");
  return static_cast<std::uint64_t>(largest) + 1;
}

Graph build_graph(const EdgeList& edges, const GraphOptions& options, const Context& context) {
  const Phase phase(context.ranks, "kernel 1");
  const std::uint64_t vertex_count = std::max(options.min_vertex_count, discover_vertex_count(edges, context));
  const BlockDistribution distribution = distribute(vertex_count, context.ranks.size());
  if (options.layout.columns > max_columns) {
    fail<AgreedError>("columns is {}; it must be from 0 to {}", options.layout.columns, max_columns);
  }
  if (options.layout.adjacency == AdjacencyForm::compressed && options.layout.neighbours != NeighbourOrder::vertices) {
    throw AgreedError("compressed rows need neighbours in the order of vertices");
  }
  const bool hubs = options.layout.hubs.rule != HubRule::none;
  const bool by_weight = options.layout.neighbours == NeighbourOrder::weights;
  if (hubs && options.layout.neighbours == NeighbourOrder::labels) {
    throw AgreedError("a graph with hubs needs neighbours in the order of vertices or of weights");
  }
  if (options.layout.grid) {
    run_together(context.ranks, [&] { (void)grid_of(*options.layout.grid, context.ranks.size()); });
    if (options.layout.adjacency != AdjacencyForm::rows || options.layout.neighbours == NeighbourOrder::weights) {
      throw AgreedError("a grid of ranks needs plain rows, and neighbours that are not in the order of weights");
    }
  }
  if (hubs && options.layout.grid)
    throw AgreedError("a grid of ranks cannot have hubs: it spreads the edges of every vertex");
  const bool keeps_weights = options.keeps_weights && options.layout.adjacency == AdjacencyForm::rows &&
                             (!hubs || by_weight) && !options.layout.grid && edges.weighted();
  const bool weighted = context.ranks.any(keeps_weights);
  if (weighted && context.ranks.any(!keeps_weights && edges.size() > 0)) {
    throw AgreedError("the edge list has weights on some ranks but not on all");
  }
  if (by_weight && !weighted) {
    throw AgreedError("neighbours in the order of weights need a graph that has weights and keeps them in its rows");
  }
  const bool narrow = options.neighbour_width == NeighbourWidth::automatic && neighbours_fit_32_bits(distribution);
  if (builds_directly({.ranks = static_cast<std::uint64_t>(context.ranks.size()),
                       .threads = static_cast<std::uint64_t>(context.threads.size()),
                       .labels = vertex_count,
                       .tuples = edges.size(),
                       .directed = options.directedness == Directedness::directed,
                       .weighted = weighted,
                       .narrow = narrow,
                       .layout = options.layout})) {
    return build_in_order(edges, options, distribution, context);
  }
  if (!narrow) {
    return build_typed<std::uint64_t, WideEntry>(edges, options, weighted, distribution, context);
  }
  if (weighted) return build_typed<std::uint32_t, WideEntry>(edges, options, weighted, distribution, context);
  return build_typed<std::uint32_t, NarrowEntry>(edges, options, weighted, distribution, context);
}

}  // namespace breadth
