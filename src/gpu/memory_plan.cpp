#include "gpu/memory_plan.hpp"

#include "core/errors.hpp"
#include "core/memory.hpp"
#include "gpu/search_control.hpp"

namespace breadth::gpu {

namespace {
constexpr std::uint64_t word_bytes = 4;
constexpr std::uint64_t offset_bytes = 8;

std::uint64_t words_for(std::uint64_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }
}  // namespace

DeviceGraphSize size_of(const HostGraph& graph) {
  DeviceGraphSize size{.vertices = graph.bounds.vertices,
                       .entries = graph.neighbours.size(),
                       .labels = graph.label_count,
                       .long_rows = graph.bounds.pieces};
  for (std::uint32_t vertex = 0; vertex < graph.bounds.pieces; ++vertex) {
    size.pieces += (graph.offsets[vertex + 1] - graph.offsets[vertex] + piece_edges - 1) / piece_edges;
  }
  return size;
}

MemoryPlan plan_memory(const DeviceGraphSize& size, std::uint32_t record_levels) {
  const std::uint64_t words = words_for(size.vertices);
  MemoryPlan plan;
  // offsets; rows; first neighbours, labels, vertices by label; mean degrees; pieces and their starts
  plan.graph = offset_bytes * (size.vertices + 1) +
               word_bytes * (size.entries + 3 * size.vertices + words + size.pieces + size.long_rows + 1);
  plan.graph += word_bytes * 2 * words_for(size.labels);  // connected labels, and how many before each word
  // two bitmaps; parents and two queues; pieces in these; the result
  plan.search = word_bytes * (2 * words + 3 * size.vertices + 2 * size.pieces + size.labels) +
                counter_sets * (word_bytes * (std::uint64_t{row_classes} + miss_classes) + offset_bytes * tally_kinds) +
                sizeof(SearchState) + record_levels * sizeof(LevelRecord);
  return plan;
}

void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device) {
  if (plan.bytes() <= free_bytes) return;
  fail<OutOfMemory>("the graph ({}) and its search ({}) do not fit into the memory of {}, of which {} are free",
                    bytes_text(plan.graph), bytes_text(plan.search), device, bytes_text(free_bytes));
}

}  // namespace breadth::gpu
