// The expected memory of a command, on GPUs and hosts; runs that cannot fit are refused, with advice.
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

// Refusal of runs that cannot fit.

/// Throws AgreedError, or OutOfMemory on a single rank, with the figures if any machine has less available memory than
/// its ranks' share of the prediction. `more(available)` is given the available bytes and returns the end of the
/// message: the origin of the prediction, or what would fit. Collective.
void require_memory(
    const MemoryPrediction& prediction, const Communicator& ranks,
    const std::function<std::string(std::uint64_t available)>& more = [](std::uint64_t) { return std::string(); });

// The memory of a GPU.

/// The memory of a rank's device for its part of the expected Kronecker graph (model/graph_size.hpp) and for the
/// searches of the kernel that needs most: a device without room for all kernels has one after the other. On several
/// ranks this is an upper bound, because with hubs the number of ghosts is known only to be at most the number of edges
/// that lead to light vertices on other ranks, and at most the number without hubs.
gpu::MemoryPlan expected_device_memory(const BenchmarkOptions& benchmark, int ranks);

/// The device memory of a whole run that stays on the device; or of a run whose graphs processors build, with shortest
/// paths among its searches, which the device of a single rank validates if there is room for that too.
gpu::RunPlan expected_run_memory(const BenchmarkOptions& benchmark, int ranks);

/// An upper bound of the device memory for searches, and for the whole run if it stays on the device, on a graph of at
/// most this size, for any distribution of its edges.
gpu::RunPlan max_run_memory(const GraphSize& size, const BenchmarkOptions& benchmark, int ranks);

// The memory of hosts.

/// The place of a run: `ranks` ranks on `nodes` machines, as far as it is known before the start.
struct RunPlace {
  int ranks = 1;
  std::uint64_t nodes = 1;
  int threads = 1;
};

/// The expected size of the graph that these options generate.
GraphSize generated_size(const BenchmarkOptions& options, const RunPlace& place);
/// The host memory of a run on the graph that these options generate.
MemoryPrediction predict_generated(const BenchmarkOptions& options, const RunPlace& place);

/// Advice for a run that does not fit: "; it would fit with --edge-list file (12.1 GiB, …), or on 2 machines like this
/// (…); not with …". Considers the edge list in a file, compressed rows, both, and more machines, each with `available`
/// bytes and as many ranks as the largest now.
std::string what_fits(const BenchmarkOptions& options, const RunPlace& place, std::uint64_t available);

}  // namespace breadth::cli
