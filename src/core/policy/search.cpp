#include "core/policy/search.hpp"

#include <bit>

#include "core/errors.hpp"

namespace breadth {

namespace {

constexpr auto in_range = [](auto number, const auto& range) { check_range(number, range); };

}  // namespace

bool waits_with_messages_under_way(const BfsOptions& options) {
  return options.hub_masks == HubMaskPolicy::two_phase_nonblocking && options.device.kind == Device::cpu &&
         options.messages.exchange == ExchangePolicy::asynchronous &&
         options.subgraphs.policy == SubgraphPolicy::together;
}

void check(const BfsOptions& options) {
  options.check_numbers(in_range);
  if (options.summary != 0 && !std::has_single_bit(options.summary)) {
    fail("{} is {}; it must be a power of two", BfsOptions::summaries.option, options.summary);
  }
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
  options.check_numbers(in_range);
  if (options.messages.packets == PacketFormat::pairs)
    fail("shortest paths cannot use packets pairs: a pair has no room for a distance");
  if (options.replicate == Replication::shared_in) {
    fail("shortest paths cannot use replicate shared-in: the shared array always contains each rank's own distances");
  }
  if (!(options.max_distance >= 0)) fail("max-distance is {}; it must be at least 0", options.max_distance);
}

}  // namespace breadth
