// The inner loop of the Kronecker generator.
#pragma once

#include <cstdint>
#include <span>

#include "core/edge_list.hpp"
#include "generate/recurrence.hpp"

namespace breadth {

/// What the loop needs of a Kronecker graph.
struct KroneckerLanes {
  /// Draws below this are drawn again, so that the remainder by draw_values is fair: (2^31 - 1) mod 10000.
  static constexpr std::uint32_t least_draw = 3647;
  static constexpr std::uint32_t draw_values = 10000;
  static constexpr double weight_unit = 4.65661287524579692e-10;

  int scale;
  Recurrence::State start;  ///< of the first tuple
  Recurrence::Jump next_edge;
  std::uint64_t scramble_sum;
  std::uint64_t scramble_factor_1;
  std::uint64_t scramble_factor_2;
};

/// Makes consecutive tuples, one in each lane of the widest vectors of this processor. `weights` may be empty.
void generate_kronecker_lanes(const KroneckerLanes& lanes, std::span<Edge> edges, std::span<float> weights);

}  // namespace breadth
