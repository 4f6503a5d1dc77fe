#include "graph/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph_contents.hpp"

namespace breadth {

Graph::Graph(Directedness directedness, const GraphLayout& layout, bool weighted, GraphContents contents,
             const Counts& counts)
    : directedness_(directedness),
      layout_(layout),
      weighted_(weighted),
      contents_(std::make_shared<const GraphContents>(std::move(contents))),
      counts_(counts) {}

const BlockDistribution& Graph::distribution() const noexcept { return contents_->partition.distribution(); }

const Partition& Graph::partition() const noexcept { return contents_->partition; }

void Graph::require(Label label) const {
  if (label.index() < vertex_count()) return;
  fail("vertex {} is not in the graph; its labels run from 0 to {}", label.value, vertex_count() - 1);
}

void Graph::require_room(const LabelArray& labels, int rank) const {
  const std::size_t count = distribution().count(rank);
  const bool narrow = !labels.wide() && LabelArray(0, vertex_count()).wide();
  if (labels.size() == count && !narrow) return;
  fail("a result has {}{} entries, but the graph has {} labels here: empty_result() of the search makes room for them",
       labels.size(), narrow ? " narrow" : "", count);
}

std::uint64_t Graph::degree(Label own) const {
  const LocalVertex local = partition().local(own);
  if (local == no_local_vertex) return 0;
  if (partition().hubs().contains(local)) return partition().hubs()[local].out_degree;
  return std::visit([&](const auto& adjacencies) { return std::uint64_t{adjacencies.degree(local)}; },
                    contents_->adjacencies);
}

std::uint64_t Graph::bytes() const {
  const std::uint64_t rows =
      std::visit([](const auto& adjacencies) { return std::uint64_t{adjacencies.bytes()}; }, contents_->adjacencies);
  return rows + partition().bytes() + contents_->labels.bytes();
}

// The edges of a graph.

namespace {
constexpr const char* not_in_rows = "the edges of this graph cannot be listed: make it with --adjacency rows";
}

GraphEdges::GraphEdges(const Graph& graph) : graph_(graph) {
  visit_plain_rows<UsageError>(graph, not_in_rows, [&](const auto& rows) { size_ = rows.entries(); });
}

void GraphEdges::read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const {
  if (edges.empty()) return;
  visit_plain_rows<UsageError>(graph_, not_in_rows, [&](const auto& rows) {
    const Partition& partition = graph_.partition();
    const auto after = std::upper_bound(rows.offsets.begin(), rows.offsets.end(), first);
    auto vertex = static_cast<std::uint32_t>(after - rows.offsets.begin() - 1);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const EdgeOffset entry = first + i;
      while (rows.offsets[vertex + 1] <= entry) ++vertex;
      const LocalVertex neighbour = partition.code().local(rows.neighbours[entry]);
      edges[i] = {partition.label(LocalVertex{vertex}), partition.label(neighbour)};
      if (!weights.empty()) weights[i] = rows.weights[entry];
    }
  });
}

// The subgraphs of degree separation.

Subgraphs count_subgraphs(const Graph& graph, const Context& context) {
  const GlobalIdCode& code = graph.partition().code();
  const Hubs& hubs = graph.partition().hubs();
  Subgraphs sizes;
  visit_rows(graph, [&](const auto& adjacencies) {
    const auto& rows = adjacencies.push_rows();
    const auto entries_to_hubs = [&](std::size_t i) {
      const LocalVertex vertex{static_cast<std::uint32_t>(i)};
      std::uint64_t count = 0;
      rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](const auto& global_ids) {
        count += static_cast<std::uint64_t>(std::count_if(global_ids.begin(), global_ids.end(), [&](auto global_id) {
          return hubs.contains(code.local(global_id));
        }));
      });
      return count;
    };
    constexpr std::size_t grain = 1024;
    const std::size_t lights = graph.partition().local_count() - hubs.end();
    sizes.hub_to_hub = parallel_sum(context.threads, hubs.end(), grain, entries_to_hubs);
    sizes.hub_to_light = rows.entries({0, hubs.end()}) - sizes.hub_to_hub;
    sizes.light_to_hub =
        parallel_sum(context.threads, lights, grain, [&](std::size_t i) { return entries_to_hubs(hubs.end() + i); });
    sizes.light_to_light = rows.entries({hubs.end(), hubs.end() + lights}) - sizes.light_to_hub;
  });
  const std::uint64_t most_from_hubs =
      context.ranks.all_reduce(sizes.hub_to_light + sizes.hub_to_hub, Reduction::maximum);
  const auto [light_to_light, light_to_hub, hub_to_light, hub_to_hub] =
      context.ranks.sums({sizes.light_to_light, sizes.light_to_hub, sizes.hub_to_light, sizes.hub_to_hub});
  return {light_to_light, light_to_hub, hub_to_light, hub_to_hub, most_from_hubs};
}

std::uint64_t tabulated_bytes(const Subgraphs& subgraphs, std::uint64_t vertices, std::uint64_t hubs, int ranks) {
  const std::uint64_t entries =
      subgraphs.light_to_light + subgraphs.light_to_hub + subgraphs.hub_to_light + subgraphs.hub_to_hub;
  return 8 * vertices + 8 * hubs * static_cast<std::uint64_t>(ranks) + 4 * entries + 4 * subgraphs.light_to_light;
}

}  // namespace breadth
