// The edge list of a benchmark run, and the temporary file that a run may keep it in.
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

/// The folder of the file that a run makes for its edge list: the option's, otherwise TMPDIR, otherwise /tmp.
std::string edge_folder(const BenchmarkOptions& options);

/// Whether files in a folder are kept in memory (tmpfs or ramfs) instead of on a disk.
bool is_in_memory(const std::string& folder);

/// Writes this rank's part of an edge list, with its weights if it has any, to a file in `folder`, and returns a list
/// that reads the file. The file has no name, so that it is deleted when the last reader closes it, however the run
/// ends. Nodes may use different folders. Throws AgreedError if the disk has too little room for all ranks of the node
/// (before anything is written), or if the file cannot be made or written. Collective.
std::unique_ptr<EdgeList> keep_in_file(const EdgeList& made, const std::string& folder, const Context& context);

// The edge list of a run.

/// The edge list of a run, with its size.
struct BenchmarkInput {
  std::unique_ptr<EdgeList> edges;
  int scale = 0;               ///< every label is below 2^scale
  double edgefactor = 0;       ///< tuples for each of the 2^scale labels
  bool from_generator = true;  ///< whether it equals, tuple for tuple, the generator's output for the options' seeds
};

/// Called with an upper bound of the size of a graph from a file, before memory is allocated for it; throws AgreedError
/// if the graph does not fit. Collective.
using AdmitGraph = std::function<void(const GraphSize& size)>;

/// Makes or reads the edge list and keeps it where the options say. If the device is to keep it, DeviceRun brings it
/// there and the host keeps no copy. Collective. Throws AgreedError if a file cannot be read, or if it has labels
/// beyond the given scale.
BenchmarkInput prepare_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context);

}  // namespace breadth
