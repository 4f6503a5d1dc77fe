#include "core/policy/search.hpp"

#include <bit>

#include "core/errors.hpp"

namespace breadth {

bool waits_with_messages_under_way(const BfsOptions& options) {
  return options.hub_masks == HubMaskPolicy::two_phase_nonblocking && options.device.kind == Device::cpu &&
         options.messages.exchange == ExchangePolicy::asynchronous &&
         options.subgraphs.policy == SubgraphPolicy::together;
}

void check(const BfsOptions& options) {
  check_range(options.direction.alpha, DirectionRule::alphas);
  check_range(options.direction.beta, DirectionRule::betas);
  check_range(options.messages.coalescing, MessageOptions::coalescings);
  if (options.summary != 0) {
    check_range(options.summary, BfsOptions::summaries);
    if (!std::has_single_bit(options.summary))
      fail("{} is {}; it must be a power of two", BfsOptions::summaries.option, options.summary);
  }
  check_range(options.replication.ranks_per_node, BfsOptions::ranks_per_node);
  check_range(options.small_level, BfsOptions::small_levels);
  check_range(options.max_depth, BfsOptions::depths);
  if (waits_with_messages_under_way(options)) {
    fail("hub-masks two-phase-nonblocking needs exchange bulk or subgraphs apart: ranks of a node wait for each other");
  }
  for (const DirectionFactors& factors :
       {options.subgraphs.hub_to_hub, options.subgraphs.hub_to_light, options.subgraphs.light_to_hub}) {
    check_range(factors.pull, DirectionFactors::pulls);
    check_range(factors.push, {0.0, factors.pull, "factor to push"});
  }
}

void check(const SsspOptions& options) {
  check_range(options.delta, SsspOptions::deltas);
  check_range(options.messages.coalescing, SsspOptions::coalescings);
  check_range(options.ball_divisor, SsspOptions::ball_divisors);
  check_range(options.bucket_batch, SsspOptions::bucket_batches);
  check_range(options.small_batch, SsspOptions::small_batches);
  if (options.messages.packets == PacketFormat::pairs)
    fail("shortest paths cannot use packets pairs: a pair has no room for a distance");
  if (options.replicate == Replication::shared_in) {
    fail("shortest paths cannot use replicate shared-in: the shared array always contains each rank's own distances");
  }
  if (!(options.max_distance >= 0)) fail("max-distance is {}; it must be at least 0", options.max_distance);
}

}  // namespace breadth
