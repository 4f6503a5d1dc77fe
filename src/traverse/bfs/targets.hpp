// Searches that end once they have found what they look for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Vertices that a search looks for.
class Targets {
 public:
  /// Of all ranks; the source is found before the first level.
  Targets(const Graph& graph, Label source, std::span<const Label> targets, const Communicator& ranks)
      : ranks_(ranks), wanted_(!targets.empty()) {
    for (const Label target : targets) {
      if (target == source || graph.distribution().owner(target) != graph.partition().rank()) continue;
      const LocalVertex vertex = graph.partition().local(target);
      if (vertex == no_local_vertex) {
        ++unreachable_;
      } else {
        not_found_.push_back(vertex.value);
      }
    }
  }

  /// Whether all of them are visited; false where there are none. Amortised O(1) for each. Collective.
  [[nodiscard]] bool are_in(const Bitmap& visited) {
    if (!wanted_) return false;
    while (!not_found_.empty() && visited.contains(not_found_.back())) not_found_.pop_back();
    return ranks_.all_reduce(std::uint64_t{not_found_.size() + unreachable_}, Reduction::sum) == 0;
  }
  [[nodiscard]] bool empty() const noexcept { return !wanted_; }

 private:
  const Communicator& ranks_;
  bool wanted_;
  std::vector<std::uint32_t> not_found_;  ///< on this rank, as far as is known
  std::size_t unreachable_ = 0;           ///< without edges
};

}  // namespace breadth
