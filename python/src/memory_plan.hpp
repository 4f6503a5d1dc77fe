// How much memory graphs take, predicted before they are built.
#pragma once

#include <cstdint>

#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"

namespace breadth::python {

/// The size of a graph of this many rows of edges, all counted as distinct.
GraphSize size_of(std::uint64_t vertices, std::uint64_t edges, bool weighted, bool directed, const GraphLayout& layout);

/// The memory of a graph whose edges are in the caller's memory. `threads` is 0 for one on each processor.
MemoryPrediction predict(GraphSize size, int threads);

/// The peak of a prediction without the memory of the process itself. It covers results as numpy arrays, because the
/// prediction counts a benchmark's validation, which takes as much.
std::uint64_t peak_bytes(const MemoryPrediction& prediction);

/// Throws OutOfMemory with the figures if the predicted memory and beside_bytes more are not available.
void require_memory(const MemoryPrediction& prediction, std::uint64_t beside_bytes);

}  // namespace breadth::python
