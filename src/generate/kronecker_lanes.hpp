// The inner loop of the Kronecker generator.
#pragma once

#include <span>

#include "core/data/edge_list.hpp"
#include "generate/kronecker_tuple.hpp"
#include "generate/recurrence.hpp"

namespace breadth {

/// What the loop needs of a Kronecker graph (Kronecker::stream).
struct KroneckerLanes {
  LabelScramble scramble;
  Recurrence::State start;                   ///< of the first tuple
  std::span<const Recurrence::Jump> powers;  ///< powers[k] leads 2^k tuples on; a vector needs the first 6 at most
};

/// Makes consecutive tuples, one in each lane of the widest vectors of this processor. `weights` may be empty.
void generate_kronecker_lanes(const KroneckerLanes& graph, std::span<Edge> edges, std::span<float> weights);

}  // namespace breadth
