// How large a Kronecker graph comes out, before it is generated.
#pragma once

#include <cstdint>

#include "model/graph_size.hpp"

namespace breadth {

/// The expected size of the benchmark's graph of 2^scale labels and edgefactor times as many tuples: each tuple is an
/// independent draw of one of the four quadrants a bit (0.57, 0.19, 0.19, 0.05), so the chance that no tuple meets a
/// vertex or joins a pair depends only on how many of their bits are set, and the expectation is a sum over these
/// numbers. Exact but for rounding. O(scale^2).
GraphSize expected_kronecker_size(int scale, std::uint64_t edgefactor, bool weighted);

}  // namespace breadth
