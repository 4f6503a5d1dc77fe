// What a run of the benchmark starts from.
#pragma once

#include <memory>

#include "comm/context.hpp"
#include "core/edge_list.hpp"
#include "graph500/report.hpp"

namespace breadth {

/// The edge list of a run, with its measure.
struct BenchmarkInput {
  std::unique_ptr<EdgeList> edges;
  int scale = 0;               ///< every label is below 2^scale
  double edgefactor = 0;       ///< tuples for each of the 2^scale labels
  bool from_generator = true;  ///< whether it is, tuple for tuple, what the generator makes from the options' seeds
};

/// The edge list where the options want it. Collective. Throws AgreedError for a file that cannot be read, or that has
/// labels beyond the scale that was given.
BenchmarkInput prepare_input(const BenchmarkOptions& options, const Context& context);

}  // namespace breadth
