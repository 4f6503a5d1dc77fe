// What a run of the benchmark starts from.
#pragma once

#include <functional>
#include <memory>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "generate/kronecker.hpp"
#include "graph500/report/report.hpp"
#include "model/graph_size.hpp"

namespace breadth {

/// The edge list of a run, with its measure.
struct BenchmarkInput {
  std::unique_ptr<EdgeList> edges;
  int scale = 0;               ///< every label is below 2^scale
  double edgefactor = 0;       ///< tuples for each of the 2^scale labels
  bool from_generator = true;  ///< whether it is, tuple for tuple, what the generator makes from the options' seeds
};

/// Told the size of a graph from a file, as an upper bound, before it takes any memory; throws AgreedError where it
/// does not fit. Collective.
using AdmitGraph = std::function<void(const GraphSize& size)>;

/// The generator of the options' edge list.
Kronecker generator(const BenchmarkOptions& options);

/// The edge list where the options want it; to a device it is for DeviceRun to bring it, so where that is to keep it
/// the host keeps none. Collective. Throws AgreedError for a file that cannot be read, or that has labels beyond the
/// scale that was given.
BenchmarkInput prepare_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context);

}  // namespace breadth
