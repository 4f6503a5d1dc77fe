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
#include "io/names/vertex_names.hpp"

namespace breadth {

struct GraphFormat;
struct WeightRule;
class SharedOutputFile;

// Kinds of files.

enum class Compression { none, gzip, zstd };

/// The format and compression of a file, by its name.
struct FileKind {
  const GraphFormat* format = nullptr;  ///< one of graph_formats (io/graph_format.hpp)
  std::string_view ending = {};         ///< the ending that the file has
  Compression compression = Compression::none;

  /// Whether the file is text, which is read into memory once.
  [[nodiscard]] bool is_text() const;
  friend bool operator==(const FileKind&, const FileKind&) = default;
};

/// The labels of a text edge list: decided by the first edge, integers only, or any words.
enum class LabelWords { automatic, integers, strings };

/// The kind of file by the ending of its name; .gz or .zst may follow the ending of a text format. For an unknown
/// ending throws an Error that lists the known ones.
FileKind file_kind(const std::string& path);

// Reading.

/// The use of weights. `lengths`: they must exist and be finite and not negative. `lengths_if_any`: if they exist, they
/// must be finite and not negative.
enum class WeightUse { optional, lengths_if_any, lengths };

/// Options for reading graph files.
struct ReadOptions {
  WeightUse weights = WeightUse::optional;
  LabelWords labels = LabelWords::automatic;           ///< in text edge lists
  std::size_t block_bytes = std::size_t{4} << 20;      ///< of text that a thread parses at a time, at most
  std::size_t window_bytes = std::size_t{64} << 20;    ///< of a text file that a rank holds in memory at a time,
                                                       ///< roughly
  std::atomic<std::uint64_t>* parsed_bytes = nullptr;  ///< counts the parsed bytes of text for progress, if set
};

/// This rank's part of a graph from a file.
struct GraphFile {
  std::string path;
  FileKind kind;
  std::unique_ptr<EdgeList> edges;
  std::uint64_t edge_count = 0;  ///< on all ranks, at least one
  bool weighted = false;
  /// Whether edges are directed, if the file says so (GraphFormat::directions).
  std::optional<Directedness> directedness;
  /// The file's names of the labels. For a packed file, whose labels are their own names, the count is label_bound,
  /// because the largest label is not known before the edges are read.
  VertexNames names;
  /// Whether every label below names.count() is a vertex (rows of a matrix, names in a dictionary), or only the labels
  /// of edges.
  bool every_label_is_vertex = false;
};

/// Reads a graph file of any format; each rank reads its part. Text is held in memory afterwards; packed and .breadth
/// files stay mapped, and their edges are read from the mapping. Throws AgreedError with the file's name, and the line
/// for text, if the file is missing, damaged, without edges or not of the format that its name implies, or if its
/// weights do not fit their use. Collective.
GraphFile read_graph(const std::string& path, const ReadOptions& options, const Context& context);

/// Throws AgreedError unless the rule accepts the weight of every edge. The message gives the first rejected edge in
/// the file, its index and its weight. One pass over the edges. Collective.
void require_weights(const GraphFile& graph, const WeightRule& rule, const Context& context);

/// Returns the label of the vertex that the user names `text`. Throws AgreedError if the graph has no such vertex; the
/// message describes the names of vertices and gives the nearest one. Collective; reads all edges if not every label is
/// a vertex.
Label require_vertex(const GraphFile& graph, std::string_view text, const Context& context);

// Writing.

/// Throws AgreedError with the output file's name if the format cannot store the graph: its names, directed edges, or
/// weights. Checking weights reads all edges. Collective.
void require_fits(const GraphFormat& format, const std::string& path, const GraphFile& graph, const Context& context);

/// A graph file that is being written. It appears under its name only when it is complete.
class GraphOutput {
 public:
  /// Checks whether the file can be written, in the format of its ending, before the graph is made. Throws AgreedError
  /// for unknown formats, compressed files, and everything that OutputFile rejects. Collective; the communicator must
  /// outlive the output.
  GraphOutput(const std::string& path, const Communicator& ranks);
  /// Removes the file unless it was completed.
  ~GraphOutput();
  GraphOutput(const GraphOutput&) = delete;
  GraphOutput& operator=(const GraphOutput&) = delete;

  /// Writes the graph of all ranks and moves the file to its name. Throws AgreedError if the graph does not fit. May be
  /// called once. Collective.
  void write(const GraphFile& graph, const Context& context);

 private:
  FileKind kind_;
  std::unique_ptr<SharedOutputFile> file_;
};

}  // namespace breadth
