// A rank's own tentative distances, where no rank looks at others'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "graph/partition.hpp"
#include "traverse/replicated_distances.hpp"

namespace breadth {

/// In the place of ReplicatedDistances: there is nothing to know of other ranks' vertices.
class OwnDistances {
 public:
  OwnDistances(const Partition& partition, const DistanceReplication&, const Context&)
      : places_(partition.local_count()) {}

  [[nodiscard]] std::span<float> by_position() noexcept { return places_.span(); }
  [[nodiscard]] IndexRange own_places() const noexcept { return {0, places_.size()}; }
  static void start(std::span<const std::uint32_t>) {}
  static void note(std::size_t, float) noexcept {}
  [[nodiscard]] static std::uint64_t borrowed_bytes() { return 0; }

 private:
  Buffer<float> places_;
};

}  // namespace breadth
