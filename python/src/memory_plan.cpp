#include "memory_plan.hpp"

#include <algorithm>
#include <thread>

#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "graph500/run_prediction.hpp"

namespace breadth::python {

GraphSize size_of(std::uint64_t vertices, std::uint64_t edges, bool weighted, bool directed,
                  const GraphLayout& layout) {
  return largest_size(vertices, edges, weighted, directed_if(directed), layout, FrontierPlan().granularity);
}

MemoryPrediction predict(GraphSize size, int threads) {
  size.frontier.keeps_depths = true;
  constexpr int on_one_rank = 1;
  constexpr bool list_is_kept = false;
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return predict_run(size, size.weighted ? KernelKind::sssp : KernelKind::bfs, on_one_rank, threads, list_is_kept);
}

std::uint64_t peak_bytes(const MemoryPrediction& prediction) {
  return prediction.peak_bytes - prediction.program_bytes;
}

void require_memory(const MemoryPrediction& prediction, std::uint64_t beside_bytes) {
  constexpr std::uint64_t not_worth_asking = std::uint64_t{64}
                                             << 20;  // to fill it takes less time than to ask the system
  const std::uint64_t needed = peak_bytes(prediction) + beside_bytes;
  if (needed <= not_worth_asking) return;
  const std::uint64_t available = available_memory_bytes();
  if (needed <= available) return;
  fail<OutOfMemory>("too little memory: {} needed, {} of it for the graph, and {} available", bytes_text(needed),
                    bytes_text(prediction.graph_bytes), bytes_text(available));
}

}  // namespace breadth::python
