// Writing graph files.
#pragma once

#include <string>

#include "comm/context.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

/// A graph file to be: it exists once a graph was written to it, whole, and not before.
class GraphOutput {
 public:
  /// Finds out whether the file can be written, in the format of its ending, before the graph is made. Throws
  /// AgreedError for a format that is not known, compressed files, and what OutputFile refuses. Collective; the
  /// communicator outlives the output.
  GraphOutput(const std::string& path, const Communicator& ranks);

  /// Writes the graph of all ranks and puts the file in its place: text and Matrix Market with the user's names,
  /// .breadth with everything, packed files without directedness. Throws AgreedError for names that the format cannot
  /// hold (words in a Matrix Market file, any dictionary in a packed one). To be called once. Collective.
  void write(const GraphFile& graph, const Context& context);

 private:
  FileKind kind_;
  SharedOutputFile file_;
};

}  // namespace breadth
