// What to change about a run of the benchmark that does not fit into memory.
#pragma once

#include <cstdint>
#include <string>

#include "graph500/report/report.hpp"
#include "model/memory_prediction.hpp"

namespace breadth::cli {

/// Where a run takes place: `ranks` on `nodes` machines, as far as that is known before it starts.
struct RunPlace {
  int ranks = 1;
  std::uint64_t nodes = 1;
  int threads = 1;
};

/// What a run takes of the memory of the hosts, on the graph that these options generate.
MemoryPrediction predict_generated(const BenchmarkOptions& options, const RunPlace& place);

/// "; it would fit with --edge-list file (12.1 GiB, …), or on 2 machines like this (…); not with …": what a run that
/// does not fit takes with the edge list in a file, with compressed rows, with both, and on more machines, of which
/// each has `available` bytes and as many ranks as the largest now.
std::string what_fits(const BenchmarkOptions& options, const RunPlace& place, std::uint64_t available);

}  // namespace breadth::cli
