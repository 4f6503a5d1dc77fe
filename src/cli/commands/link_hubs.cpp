#include "cli/commands/link_hubs.hpp"

#include "comm/link_speed.hpp"
#include "comm/nodes.hpp"
#include "graph500/run_prediction.hpp"
#include "model/kronecker_size.hpp"
#include "model/traffic_prediction.hpp"

namespace breadth::cli {

bool leaves_hubs_open(const OptionSet& options, const BenchmarkOptions& benchmark) {
  const BfsOptions& bfs = benchmark.bfs;
  const bool searches = benchmark.kernels == Kernels::bfs && bfs.direction == DirectionPolicy::automatic &&
                        bfs.pull == PullPolicy::replicated;
  const bool graph =
      benchmark.input.empty() && !benchmark.layout.grid && benchmark.layout.neighbours == NeighbourOrder::vertices;
  const bool nobody_chose = benchmark.preset == "auto" && !benchmark.profile && benchmark.calibrate_seconds > 0;
  return searches && graph && nobody_chose && !options.given_for(benchmark.layout.hubs);
}

void choose_hubs_by_links(BenchmarkOptions& benchmark, const Communicator& ranks) {
  const Nodes nodes(ranks);  // machines: between made-up nodes there are no links
  const std::optional<LinkSpeed> links = measure_links(nodes);
  if (!links) return;
  const HubChoice automatic{HubRule::automatic};
  const std::uint64_t hubs = expected_hubs(automatic, benchmark.scale, benchmark.edgefactor, ranks.size()).count;
  const std::uint64_t edges = expected_kronecker_size(benchmark.scale, benchmark.edgefactor, false).edges;
  LinkHubs why{.saved_bytes = predict_hub_savings(edges, hubs, nodes.count()),
               .bytes_per_second = links->bytes_per_second,
               .round_seconds = links->round_seconds};
  why.saved_seconds = why.saved_bytes / static_cast<double>(nodes.count()) / links->bytes_per_second;
  why.chosen = why.saved_seconds > links->round_seconds;
  if (why.chosen) benchmark.layout.hubs = automatic;
  benchmark.link_hubs = why;
}

}  // namespace breadth::cli
