// How much memory a run takes, before it starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/graph_size.hpp"

namespace breadth {

/// Bytes, all ranks together.
struct MemoryPrediction {
  std::uint64_t edge_list_bytes = 0;   ///< while it is held in memory: 12 a tuple, 4 more with weights
  std::uint64_t graph_bytes = 0;       ///< what kernel 1 leaves
  std::uint64_t scratch_bytes = 0;     ///< what kernel 1 takes beside edge list and graph at its peak
  std::uint64_t search_bytes = 0;      ///< state of a search, its result among it
  std::uint64_t result_bytes = 0;      ///< of these, the result
  std::uint64_t validation_bytes = 0;  ///< of one search at a time, beside its result
  std::uint64_t program_bytes = 0;     ///< the processes themselves, as they start
  std::uint64_t buffer_bytes = 0;      ///< what MPI and the allocator take once they are used
  std::uint64_t peak_bytes = 0;        ///< the most at once

  /// What is there from the edge list to the end of the run.
  [[nodiscard]] std::uint64_t lasting_bytes() const { return edge_list_bytes + program_bytes + buffer_bytes; }
};

/// Bytes of a label in results: 4 where all of them and "none" fit, else 8 (core/data/label_array.hpp).
std::uint64_t label_bytes(const GraphSize& size);
/// The edge list in memory or in a file: 12 bytes a tuple, 4 more with weights.
std::uint64_t edge_list_bytes(const GraphSize& size);
/// The parents that a search finds, all ranks together.
std::uint64_t result_bytes(const GraphSize& size);

/// What the searches of a kernel take while they run, wait and are validated, all ranks together.
struct SearchCosts {
  /// A validation of `a_pass` searches in one pass.
  struct Pass {
    std::size_t a_pass;
    std::uint64_t bytes;
  };
  std::uint64_t search_bytes = 0;  ///< the state of a search, its result among it
  std::uint64_t result_bytes = 0;  ///< of one search
  std::vector<Pass> passes;        ///< the most searches first, one search last
};

/// The state of breadth-first searches of so many threads a rank, and of searches for shortest paths.
std::uint64_t bfs_search_bytes(const GraphSize& size, int ranks, int threads);
std::uint64_t sssp_search_bytes(const GraphSize& size, int ranks);

/// What building and searching a graph of that size takes on so many ranks with so many threads each.
/// `edge_list_in_memory`: whether it is held there, rather than in a file or nowhere.
MemoryPrediction predict_memory(const GraphSize& size, const SearchCosts& searches, int ranks, int threads,
                                bool edge_list_in_memory);

/// What the host has of a run whose graph, searches and validation are in the memory of a device: a result, and where
/// it is kept there, the edge list and what it is copied by way of. What a GPU's driver takes is not in it.
MemoryPrediction predict_beside_device(const GraphSize& size, int threads, bool edge_list_in_memory);

/// What two graphs of one edge list take, of which the first stays while the second is built. Then searches of both are
/// made; first the one is searched, then the other. Both as predict_memory predicts them alone.
MemoryPrediction with_second_graph(const MemoryPrediction& first, const MemoryPrediction& second);

}  // namespace breadth
