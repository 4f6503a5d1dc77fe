// Random message routes between ranks.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

#include "support/ranks.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth::test {

/// A random route with groups of any kind: nodes, groups of one size, or random groups.
inline RouteOptions random_route(std::mt19937_64& random) {
  RouteOptions route{.policy = route_kinds()[random() % route_kinds().size()].policy};
  route.merge_duplicates = route.policy != RoutePolicy::direct && random() % 2 == 0;
  route.monitors = static_cast<MonitorPolicy>(random() % 3);
  const auto kind = random() % 3;
  if (kind == 0) route.ranks_per_node = static_cast<int>(random() % 4);
  if (kind == 1) route.group_size = static_cast<int>(1 + random() % 4);
  for (int rank = 0; kind == 2 && rank < world().size(); ++rank) {
    route.groups.push_back(static_cast<int>(random() % 3));
  }
  return route;
}

inline std::string text_of(const RouteOptions& route) {
  return fmt::format("route {}, unique {}, monitors {}, groups [{}] or of {} or nodes of {}",
                     static_cast<int>(route.policy), route.merge_duplicates, static_cast<int>(route.monitors),
                     fmt::join(route.groups, ","), route.group_size, route.ranks_per_node);
}

}  // namespace breadth::test
