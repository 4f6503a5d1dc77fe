// What graphs take of memory, before there is any.
#pragma once

#include <cstdint>

#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"

namespace breadth::python {

/// The size of a graph of so many rows of edges, which are taken for distinct.
GraphSize size_of(std::uint64_t vertices, std::uint64_t edges, bool weighted, bool directed, const GraphLayout& layout);

/// What it takes where its edges are the caller's. `threads` is 0 for one on each processor.
MemoryPrediction predict(GraphSize size, int threads);

/// The peak of that beside a process that is there already. Results as numpy has them are in it: a benchmark's
/// validation, which the prediction counts, takes as much.
std::uint64_t peak_bytes(const MemoryPrediction& prediction);

/// Throws OutOfMemory with the figures where so much, and so many bytes beside it, is not available.
void require_memory(const MemoryPrediction& prediction, std::uint64_t beside_bytes);

}  // namespace breadth::python
