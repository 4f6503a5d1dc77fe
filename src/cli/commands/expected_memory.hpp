// What a command will take of memory, of a GPU's and of the hosts': refusing what cannot fit, and what to change.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "comm/communicator.hpp"
#include "core/policy/graph_layout.hpp"
#include "gpu/memory_plan.hpp"
#include "graph500/report/report.hpp"
#include "model/memory_prediction.hpp"

namespace breadth::cli {

// Refusing what cannot fit.

/// Throws AgreedError, or OutOfMemory on one rank alone, with the figures where any machine has less memory available
/// than its ranks' share of what is predicted. `more(available)` ends the message, given the bytes that are available:
/// what the prediction comes from, or what would fit. Collective.
void require_memory(
    const MemoryPrediction& prediction, const Communicator& ranks,
    const std::function<std::string(std::uint64_t available)>& more = [](std::uint64_t) { return std::string(); });

// The memory of a GPU.

/// Of a rank's device: of its part of the expected Kronecker graph (model/graph_size.hpp) and its searches, where there
/// are several kinds, those that take most: a device without room for all has one kind after the other. At most on
/// several ranks: where there are hubs, only that light vertices are ghosts of a rank as often as edges lead there, if
/// not as often as without hubs, is known of how many ghosts there are.
gpu::MemoryPlan expected_device_memory(const BenchmarkOptions& benchmark, int ranks);

/// The same of a run that stays on a device; or of one whose graphs processors build, with shortest paths among its
/// searches, and which are validated on the device of one rank where there is room for that, too.
gpu::RunPlan expected_run_memory(const BenchmarkOptions& benchmark, int ranks);

/// Of searches, and if it stays on the device the run, on a graph of this size at most, in whatever way its edges lie.
gpu::RunPlan most_run_memory(const GraphSize& size, const BenchmarkOptions& benchmark, int ranks);

// The memory of hosts.

/// Where a run takes place: `ranks` on `nodes` machines, as far as that is known before it starts.
struct RunPlace {
  int ranks = 1;
  std::uint64_t nodes = 1;
  int threads = 1;
};

/// The size of the graph that these options generate, as it is expected.
GraphSize generated_size(const BenchmarkOptions& options, const RunPlace& place);
/// What a run takes of the memory of the hosts, on the graph that these options generate.
MemoryPrediction predict_generated(const BenchmarkOptions& options, const RunPlace& place);

/// "; it would fit with --edge-list file (12.1 GiB, …), or on 2 machines like this (…); not with …": what a run that
/// does not fit takes with the edge list in a file, with compressed rows, with both, and on more machines, of which
/// each has `available` bytes and as many ranks as the largest now.
std::string what_fits(const BenchmarkOptions& options, const RunPlace& place, std::uint64_t available);

}  // namespace breadth::cli
