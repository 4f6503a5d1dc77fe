// What a run of the benchmark starts from: its edge list, also in a file that the run makes for itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "graph500/report/report.hpp"
#include "model/graph_size.hpp"

namespace breadth {

// An edge list in a file.

/// The folder of the file that a run makes for its edge list: where none is named, TMPDIR, or else /tmp.
std::string edge_folder(const BenchmarkOptions& options);

/// Whether files in a folder take memory, not a disk.
bool is_in_memory(const std::string& folder);

/// Writes this rank's part of a list, with its weights if it has any, to a file in `folder`, and reads it from there
/// from then on. The file has no name, so that it is gone once nobody reads it any more, however the run ends. Nodes
/// may each have a folder of their own. Throws AgreedError where the folder's disk has too little room for all ranks of
/// the node, before anything is written, and where the file cannot be made or written. Collective.
std::unique_ptr<EdgeList> keep_in_file(const EdgeList& made, const std::string& folder, const Context& context);

// The edge list of a run.

/// The edge list of a run, with its measure.
struct BenchmarkInput {
  std::unique_ptr<EdgeList> edges;
  int scale = 0;               ///< every label is below 2^scale
  double edgefactor = 0;       ///< tuples for each of the 2^scale labels
  bool from_generator = true;  ///< whether it is, tuple for tuple, what the generator makes from the options' seeds
};

/// Is given the size of a graph from a file, as an upper bound, before it takes any memory; throws AgreedError where it
/// does not fit. Collective.
using AdmitGraph = std::function<void(const GraphSize& size)>;

/// The edge list where the options want it; to a device it is for DeviceRun to bring it, so where that is to keep it
/// the host keeps none. Collective. Throws AgreedError for a file that cannot be read, or that has labels beyond the
/// scale that was given.
BenchmarkInput prepare_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context);

}  // namespace breadth
