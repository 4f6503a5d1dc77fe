// Reading and writing graph files.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "io/graph_format.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

// Reading.

/// What weights are for: `lengths` must be there, finite and not negative; `lengths_if_any` only the latter two.
enum class WeightUse { optional, lengths_if_any, lengths };

/// How graph files are read.
struct ReadOptions {
  WeightUse weights = WeightUse::optional;
  LabelWords labels = LabelWords::automatic;           ///< of text edge lists
  std::size_t block_bytes = std::size_t{4} << 20;      ///< of text that a thread parses at a time, at most
  std::size_t window_bytes = std::size_t{64} << 20;    ///< of a text file that a rank has in memory at a time, roughly
  std::atomic<std::uint64_t>* parsed_bytes = nullptr;  ///< counts those of text, if it is there: to show progress
};

/// A graph as a file has it, this rank's part.
struct GraphFile {
  std::string path;
  FileKind kind;
  std::unique_ptr<EdgeList> edges;
  std::uint64_t edge_count = 0;  ///< on all ranks, at least one
  bool weighted = false;
  /// What the file says of it, if it does (GraphFormat::directions).
  std::optional<Directedness> directedness;
  /// For each label what the file calls it. Of a packed file, whose labels are their names, the count is label_bound:
  /// the largest label is not known before its edges are read.
  VertexNames names;
  /// Whether every label below names.count() is a vertex (the rows of a matrix, names in a dictionary), or only those
  /// that edges have.
  bool every_label_is_vertex = false;
};

/// Reads a graph file of any format, each rank its part. Text is in memory afterwards; packed and .breadth files stay
/// mapped, to be read whenever their edges are. Throws AgreedError that names the file, and the line where there are
/// lines, for a file that is missing, damaged, not what its name says or without edges, or whose weights are not what
/// they are for. Collective.
GraphFile read_graph(const std::string& path, const ReadOptions& options, const Context& context);

/// Throws AgreedError unless the rule takes the weight of each edge, naming the first edge of the lowest rank that has
/// another one, its place in the file and its weight. One pass over the edges. Collective.
void require_weights(const GraphFile& graph, const WeightRule& rule, const Context& context);

/// The label of the vertex that the user calls `text`. Throws AgreedError for one that is not in the graph; its message
/// says what vertices are called there, and which name is nearest. Collective; where not every label is a vertex, it
/// reads all edges.
Label require_vertex(const GraphFile& graph, std::string_view text, const Context& context);

// Writing.

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
  /// Leaves no file unless one was written.
  ~GraphOutput();
  GraphOutput(const GraphOutput&) = delete;
  GraphOutput& operator=(const GraphOutput&) = delete;

  /// Writes the graph of all ranks and puts the file in its place. Throws AgreedError for what does not fit. To be
  /// called once. Collective.
  void write(const GraphFile& graph, const Context& context);

 private:
  FileKind kind_;
  std::unique_ptr<SharedOutputFile> file_;
};

}  // namespace breadth
