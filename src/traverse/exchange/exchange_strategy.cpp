#include "traverse/exchange/exchange_strategy.hpp"

#include <algorithm>
#include <variant>

#include "graph/graph_contents.hpp"

namespace breadth {

namespace {
/// This rank's share of a graph's heavy vertices.
HeavyShare heavy_share(const Graph& graph) {
  return std::visit(
      [&graph](const auto& adjacencies) {
        HeavyShare share;
        const std::size_t count = graph.partition().local_count();
        for (std::uint32_t i = 0; i < count; ++i) {
          const std::uint64_t degree = adjacencies.degree(LocalVertex{i});
          share.degree = std::max(share.degree, degree);
          if (degree >= heavy_degree) ++share.vertices;
        }
        return share;
      },
      graph.contents().adjacencies);
}
}  // namespace

Groups make_groups(const RouteOptions& options, const Communicator& ranks) {
  check(options, ranks.size());
  if (!options.groups.empty()) return Groups(options.groups);
  if (options.group_size != 0) return groups_of_size(ranks.size(), options.group_size);
  return groups_of_nodes(Nodes(ranks, options.ranks_per_node));
}

Route make_route(const RouteOptions& options, const Graph& graph, const Context& context) {
  const RouteKind& kind = kind_of(options.policy);
  if (kind.make == nullptr) return {};
  const Groups groups = make_groups(options, context.ranks);
  std::vector<HeavyShare> shares;
  if (kind.monitors) shares = context.ranks.all_gather(heavy_share(graph));
  Route route = kind.make({groups, context.ranks.rank(), options.monitors, shares});
  // With one hop all messages go straight to their receivers, and queries are combined only between groups.
  return route.hops.size() == 1 && (!options.merge_duplicates || groups.count() == 1) ? Route() : route;
}

ExchangeStrategy exchange_strategy(const MessageOptions& options, Combining combining, const Graph& graph,
                                   const Context& context) {
  return {.policy = options.exchange,
          .ending = options.ending,
          .packets = options.packets,
          .coalescing = options.coalescing,
          .route = make_route(options.route, graph, context),
          .combining = options.route.merge_duplicates ? combining : Combining::none};
}

}  // namespace breadth
