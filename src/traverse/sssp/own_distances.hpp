// A rank's own tentative distances, where no rank looks at others'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "comm/context.hpp"
#include "comm/nodes.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/replication.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// In the place of ReplicatedDistances: there is nothing to know of other ranks' vertices.
class OwnDistances {
 public:
  OwnDistances(const Partition& partition, std::optional<Replication> /*how*/, const Nodes& nodes, const Context&)
      : node_count_(nodes.count()), places_(partition.local_count()) {}

  [[nodiscard]] std::span<float> by_position() noexcept { return places_.span(); }
  [[nodiscard]] IndexRange own_places() const noexcept { return {0, places_.size()}; }
  static void start(std::span<const std::uint32_t>) {}
  static void note(std::size_t, float) noexcept {}
  [[nodiscard]] static std::uint64_t borrowed_bytes() { return 0; }
  [[nodiscard]] std::size_t node_count() const noexcept { return node_count_; }

 private:
  std::size_t node_count_;
  Buffer<float> places_;
};

}  // namespace breadth
