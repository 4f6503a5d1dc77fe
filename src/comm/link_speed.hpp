// How fast the links between nodes are.
#pragma once

#include <optional>

#include "comm/nodes.hpp"

namespace breadth {

/// What an exchange between all nodes at once takes.
struct LinkSpeed {
  double round_seconds = 0;     ///< until each has had a word from all others
  double bytes_per_second = 0;  ///< that come to each of them
};

/// Measures it by all-gathers of the nodes' leaders, a few with little and a few with a MiB for each: the fastest, and
/// of the leaders the slowest. Nothing where all ranks are on one node. Collective, the same on every rank; as long as
/// a few MiB take on the links.
std::optional<LinkSpeed> measure_links(const Nodes& nodes);

}  // namespace breadth
