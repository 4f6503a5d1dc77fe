// The formats of graph files: one row for each, with all properties that differ between formats.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/graph_file.hpp"

namespace breadth {

struct TextFormat;
class SharedOutputFile;

/// Whether files of a format say that edges are directed: `unsaid`, they do not; `said`, each file says it;
/// `undirected`, edges are always undirected.
enum class Directions { unsaid, said, undirected };

/// A condition on weights.
struct WeightRule {
  bool (*takes)(float weight);
  std::string_view who_needs_what;  ///< "shortest paths need finite weights of at least 0"
};

/// A format of graph files: how they are read and written, and what they can store. A graph that a format cannot store
/// is rejected before anything is written (require_fits, io/graph_file.hpp).
struct GraphFormat {
  std::string name;                  ///< "matrix market"
  std::vector<std::string> endings;  ///< endings of file names, in lower case: ".mtx"
  /// The properties of a text format (io/text/text_head.hpp); nullptr for other formats. Text is read into memory once,
  /// and may be compressed. Files of other formats are mapped, and their edges are read from the mapping.
  const TextFormat* text = nullptr;
  Directions directions = Directions::unsaid;
  /// The number of a file's first vertex if the format only numbers vertices; nothing if it stores any names.
  std::optional<std::int64_t> first_number = std::nullopt;
  const WeightRule* weights = nullptr;  ///< weights that it can store; nullptr: any
  /// The change that would give a file weights, for messages: "each line needs a third column". {} is the file's path.
  const char* missing_weights;
  /// Reads a file, each rank its part, as read_graph does but without checking weights. Collective; throws AgreedError.
  GraphFile (*read)(const std::string& path, const FileKind& kind, const ReadOptions& options, const Context& context);
  /// Writes a whole graph that fits to a file; the caller commits the file. Throws AgreedError. Collective.
  void (*write)(SharedOutputFile& file, const GraphFile& graph, const Context& context);
};

/// The rows; each is defined in the source file that reads and writes the format.
namespace graph_formats {
const GraphFormat& edge_list();      ///< io/text/edge_list.cpp: one edge per line
const GraphFormat& matrix_market();  ///< io/text/matrix_market.cpp: coordinate format
const GraphFormat& metis();          ///< io/text/metis.cpp: one vertex per line
const GraphFormat& packed();         ///< io/binary/packed_file.cpp: the tuples of the Graph500 reference
const GraphFormat& binary();         ///< io/binary/breadth_reader.cpp: Breadth's own format

/// All formats, in the order in which messages list them.
inline constexpr std::array all{edge_list, matrix_market, metis, packed, binary};
}  // namespace graph_formats

/// The endings of formats that are not text: ".g500 or .breadth".
std::string endings_read_in_place();

}  // namespace breadth
