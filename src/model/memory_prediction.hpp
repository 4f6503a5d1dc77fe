// Predicts the memory of a run before it starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/graph_size.hpp"

namespace breadth {

/// The predicted bytes of all ranks together.
struct MemoryPrediction {
  std::uint64_t edge_list_bytes = 0;   ///< if it is held in memory: 12 per tuple, 4 more with weights
  std::uint64_t graph_bytes = 0;       ///< the finished graph
  std::uint64_t scratch_bytes = 0;     ///< peak of kernel 1 beside edge list and graph
  std::uint64_t search_bytes = 0;      ///< state of a search, including its result
  std::uint64_t result_bytes = 0;      ///< the result's part of search_bytes
  std::uint64_t validation_bytes = 0;  ///< validation of one search, beside its result
  std::uint64_t program_bytes = 0;     ///< the processes when they start
  std::uint64_t buffer_bytes = 0;      ///< buffers that MPI and the allocator take in use
  std::uint64_t peak_bytes = 0;        ///< peak of the run

  /// Bytes that are in use from the edge list to the end of the run.
  [[nodiscard]] std::uint64_t lasting_bytes() const { return edge_list_bytes + program_bytes + buffer_bytes; }
};

/// Bytes of a label in results: 4 if all labels and no_label fit, else 8 (core/data/label_array.hpp).
inline std::uint64_t label_bytes(const GraphSize& size) { return size.labels < 0xFFFFFFFFU ? 4 : 8; }
/// Bytes of the edge list in memory or in a file: 12 per tuple, 4 more with weights.
inline std::uint64_t edge_list_bytes(const GraphSize& size) { return size.tuples * (size.weighted ? 16 : 12); }
/// Bytes of the parents that a search finds, all ranks together.
inline std::uint64_t result_bytes(const GraphSize& size) { return size.labels * label_bytes(size); }

/// Bytes of a kernel's searches while they run, wait and are validated, all ranks together.
struct SearchCosts {
  /// A validation of `per_pass` searches in one pass.
  struct Pass {
    std::size_t per_pass;
    std::uint64_t bytes;
  };
  std::uint64_t search_bytes = 0;  ///< state of a search, including its result
  std::uint64_t result_bytes = 0;  ///< of one search
  std::vector<Pass> passes;        ///< the most searches first, one search last
};

/// Bytes of the state of a breadth-first search with `threads` threads per rank, and of a shortest-path search.
std::uint64_t bfs_search_bytes(const GraphSize& size, int ranks, int threads);
std::uint64_t sssp_search_bytes(const GraphSize& size, int ranks);

/// Predicts the memory for building and searching a graph on `ranks` ranks with `threads` threads each.
/// `edge_list_in_memory`: whether the edge list is in memory, not in a file or generated when read.
MemoryPrediction predict_memory(const GraphSize& size, const SearchCosts& searches, int ranks, int threads,
                                bool edge_list_in_memory);

/// Predicts the memory of the host if graph, searches and validation are in the memory of a device: a result, and, if
/// the edge list is in memory, the edge list and its staging buffer. Does not include the GPU's driver.
MemoryPrediction predict_beside_device(const GraphSize& size, int threads, bool edge_list_in_memory);

/// Predicts the memory of two graphs of one edge list. The first graph stays while the second is built. Then the first
/// is searched, and after it the second. `first` and `second` are the predictions for each graph alone.
MemoryPrediction with_second_graph(const MemoryPrediction& first, const MemoryPrediction& second);

}  // namespace breadth
