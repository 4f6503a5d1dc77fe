// What the options of a search must be: looked at without the engine.
#include <bit>
#include <cstdint>

#include "core/errors.hpp"
#include "traverse/bfs.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth {

namespace {
template <class Number>
void check_range(const char* option, Number value, Number least, Number most) {
  if (value >= least && value <= most) return;
  fail("{} is {}; it must be from {} to {}", option, value, least, most);
}

void check_entries(const char* option, const std::string& file, std::size_t entries, int ranks) {
  if (entries == 0 || entries == static_cast<std::size_t>(ranks)) return;
  fail("{} {} has {} ranks, where the run has {}", option, file, entries, ranks);
}
}  // namespace

bool waits_with_messages_under_way(const BfsOptions& options) {
  return options.hub_masks == HubMasks::two_phase_nonblocking && options.device == Device::cpu &&
         options.exchange == ExchangePolicy::asynchronous && options.subgraphs.policy == SubgraphPolicy::together;
}

void check(const BfsOptions& options) {
  constexpr double most = 1e18;
  check_range("alpha", options.alpha, 1.0, most);
  check_range("beta", options.beta, 1.0, most);
  check_range<std::size_t>("coalescing", options.coalescing, 1, std::size_t{1} << 24);
  if (options.summary != 0) {
    check_range<std::size_t>("summary", options.summary, 64, 4096);
    if (!std::has_single_bit(options.summary)) fail("summary is {}; it must be a power of two", options.summary);
  }
  check_range("ranks-per-node", options.replication.ranks_per_node, 0, most_ranks_per_node);
  check_range<std::uint64_t>("small-level", options.small_level, 0, largest_small_level);
  check_range<std::int64_t>("max-depth", options.max_depth, 0, INT64_MAX);
  if (waits_with_messages_under_way(options)) {
    fail("hub-masks two-phase-nonblocking takes exchange bulk or subgraphs apart: ranks of a node wait for each other");
  }
  for (const DirectionFactors& factors :
       {options.subgraphs.hub_to_hub, options.subgraphs.hub_to_light, options.subgraphs.light_to_hub}) {
    check_range("factor to pull", factors.pull, 0.0, most);
    check_range("factor to push", factors.push, 0.0, factors.pull);
  }
}

void check(const RouteOptions& options, int ranks) {
  if (options.group_size < 0) fail("group-size is {}; it must be at least 0", options.group_size);
  check_entries("groups", options.groups_file, options.groups.size(), ranks);
  check_entries("topology", options.network_file, options.network.size(), ranks);
}

}  // namespace breadth
