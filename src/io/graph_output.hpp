// Writing graph files.
#pragma once

#include <string>

#include "comm/context.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

/// Throws AgreedError, naming the file that is written, for what the format cannot hold of a graph: its names, directed
/// edges, or weights, for which it reads all edges. Collective.
void require_fits(const GraphFormat& format, const std::string& path, const GraphFile& graph, const Context& context);

/// A graph file to be: it exists once a graph was written to it, whole, and not before.
class GraphOutput {
 public:
  /// Finds out whether the file can be written, in the format of its ending, before the graph is made. Throws
  /// AgreedError for a format that is not known, compressed files, and what OutputFile refuses. Collective; the
  /// communicator outlives the output.
  GraphOutput(const std::string& path, const Communicator& ranks);

  /// Writes the graph of all ranks and puts the file in its place. Throws AgreedError for what does not fit. To be
  /// called once. Collective.
  void write(const GraphFile& graph, const Context& context);

 private:
  FileKind kind_;
  SharedOutputFile file_;
};

}  // namespace breadth
