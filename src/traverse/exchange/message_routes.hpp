// The ways that queries and relaxations take between ranks.
#pragma once

#include <string>
#include <vector>

#include "comm/context.hpp"
#include "comm/routes/monitors.hpp"
#include "comm/routes/network.hpp"
#include "comm/routes/route.hpp"
#include "core/words.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Straight to their receivers, by way of the member of the own group with the receiver's lane (Pan et al. 2018,
/// section V-B), or by way of two groups' monitors (Gan & Zhang 2021, section 4.3).
enum class RoutePolicy { direct, local, monitor };
constexpr auto words_of(RoutePolicy) {
  return word_list<RoutePolicy>(
      {{RoutePolicy::direct, "direct"}, {RoutePolicy::local, "local"}, {RoutePolicy::monitor, "monitor"}});
}

struct RouteOptions {
  RoutePolicy policy = RoutePolicy::direct;
  /// Of what crosses to another group, one query for each target (Pan et al. 2018, section V-B, "uniquify").
  bool unique = false;
  MonitorPolicy monitors = MonitorPolicy::orchestra;
  /// What groups are: `groups`, the names of every rank's, if not empty; consecutive ranks, so many a group, if not 0;
  /// or nodes.
  std::vector<int> groups = {};
  int group_size = 0;
  int ranks_per_node = 0;  ///< as for Nodes
  /// Where each rank is attached to the network, for counts of hops alone; empty: places_of(groups).
  std::vector<NetworkPlace> network = {};
  std::string groups_file = {};   ///< where `groups` come from
  std::string network_file = {};  ///< where `network` comes from
};

/// Throws Error that names the option unless every value is in its range and there are as many entries as ranks.
void check(const RouteOptions& options, int ranks);

/// The groups that the options mean. Collective.
Groups make_groups(const RouteOptions& options, const Communicator& ranks);

/// This rank's route for searches of a graph, whose heavy vertices elect monitors; direct also where all ranks are in
/// one group, or nothing is gained from groups of one. Collective.
Route make_route(const RouteOptions& options, const Graph& graph, const Context& context);

}  // namespace breadth
