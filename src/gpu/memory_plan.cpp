#include "gpu/memory_plan.hpp"

#include "core/errors.hpp"
#include "core/memory.hpp"

namespace breadth::gpu {

namespace {
constexpr std::uint64_t word_bytes = 4;
constexpr std::uint64_t offset_bytes = 8;

std::uint64_t words_for(std::uint64_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }
}  // namespace

std::uint64_t count_pieces(const HostGraph& graph) {
  std::uint64_t pieces = 0;
  for (std::uint32_t vertex = 0; vertex < graph.bounds.pieces; ++vertex) {
    pieces += (graph.offsets[vertex + 1] - graph.offsets[vertex] + piece_edges - 1) / piece_edges;
  }
  return pieces;
}

MemoryPlan plan_memory(const HostGraph& graph) {
  const std::uint64_t vertices = graph.bounds.vertices;
  const std::uint64_t words = words_for(vertices);
  const std::uint64_t label_words = words_for(graph.label_count);
  const std::uint64_t pieces = count_pieces(graph);
  MemoryPlan plan;
  // offsets; rows; first neighbours, labels, vertices by label; mean degrees; pieces and their starts
  plan.graph = offset_bytes * (vertices + 1) +
               word_bytes * (graph.neighbours.size() + 3 * vertices + words + pieces + graph.bounds.pieces + 1);
  plan.graph += word_bytes * 2 * label_words;  // connected labels, and how many before each word
  // two bitmaps; parents and two queues; pieces in these; the result; sizes; sums
  plan.search = word_bytes * (2 * words + 3 * vertices + 2 * pieces + graph.label_count) +
                word_bytes * (2 * row_classes + miss_classes) + offset_bytes * tally_kinds;
  return plan;
}

void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device) {
  if (plan.bytes() <= free_bytes) return;
  fail<OutOfMemory>("the graph ({}) and its search ({}) do not fit into the memory of {}, of which {} are free",
                    bytes_text(plan.graph), bytes_text(plan.search), device, bytes_text(free_bytes));
}

}  // namespace breadth::gpu
