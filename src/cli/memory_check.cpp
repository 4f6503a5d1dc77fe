#include "cli/memory_check.hpp"

#include <fmt/format.h>

#include <optional>

#include "comm/agreement.hpp"
#include "core/memory/memory.hpp"

namespace breadth::cli {

void require_memory(const MemoryPrediction& prediction, const Communicator& ranks,
                    const std::function<std::string(std::uint64_t available)>& more) {
  const auto ranks_here = static_cast<std::uint64_t>(ranks.node().size());
  const std::uint64_t needed = prediction.peak_bytes / static_cast<std::uint64_t>(ranks.size()) * ranks_here;
  // What one rank sees is taken for all ranks of its machine, which start at the same time.
  const std::uint64_t available = available_memory_bytes();
  std::optional<std::string> failure;
  if (needed > available) {
    failure = fmt::format(
        "too little memory: {} needed on this machine for its {} of {} ranks, {} available; all ranks together need {} "
        "for the edge list, {} for the graph and {} beside them{}",
        bytes_text(needed), ranks_here, ranks.size(), bytes_text(available), bytes_text(prediction.edge_list_bytes),
        bytes_text(prediction.graph_bytes),
        bytes_text(prediction.peak_bytes - prediction.edge_list_bytes - prediction.graph_bytes), more(available));
  }
  agree_on_failure(ranks, failure);
}

}  // namespace breadth::cli
