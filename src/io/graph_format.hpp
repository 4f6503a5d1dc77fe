// The formats of graph files: a row for each, with all that differs from format to format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace breadth {

struct Context;
struct FileKind;
struct GraphFile;
struct ReadOptions;
struct TextFormat;
class SharedOutputFile;

/// What files of a format say of whether their edges are directed: nothing; which of the two; always undirected.
enum class Directions { unsaid, said, undirected };

/// Which weights something can take.
struct WeightRule {
  bool (*takes)(float weight);
  std::string_view who_needs_what;  ///< "shortest paths need finite weights of at least 0"
};

/// A format of graph files: how they are read and written, and what they can hold. A graph that its files cannot hold
/// is refused before anything is written (require_fits, io/graph_file.hpp).
struct GraphFormat {
  std::string name;                  ///< "matrix market"
  std::vector<std::string> endings;  ///< of the names of its files, in lower case: ".mtx"
  /// What a text format has of its own (io/text/text_head.hpp). Text is read into memory, once, and may be compressed.
  /// Files of other formats, with nullptr, stay where they are and are read whenever their edges are.
  const TextFormat* text = nullptr;
  Directions directions = Directions::unsaid;
  /// What a file calls its first vertex where it can only number them; nothing where it keeps any names.
  std::optional<std::int64_t> first_number = std::nullopt;
  const WeightRule* weights = nullptr;  ///< those that it can hold; nullptr: any
  /// What the file of this path that has no weights would need to have them: "each line needs a third column".
  std::string (*missing_weights)(const std::string& path);
  /// Reads a file, each rank its part; as read_graph, without a look at the weights. Collective; throws AgreedError.
  GraphFile (*read)(const std::string& path, const FileKind& kind, const ReadOptions& options, const Context& context);
  /// Writes a whole graph that fits to a file that is committed afterwards. Throws AgreedError. Collective.
  void (*write)(SharedOutputFile& file, const GraphFile& graph, const Context& context);
};

/// The rows, each in the file that reads and writes the format.
namespace graph_formats {
const GraphFormat& edge_list();      ///< io/text/edge_list.cpp: an edge a line
const GraphFormat& matrix_market();  ///< io/text/matrix_market.cpp: coordinate format
const GraphFormat& metis();          ///< io/text/metis.cpp: a vertex a line
const GraphFormat& packed();         ///< io/binary/packed_file.cpp: the tuples of the Graph500 reference
const GraphFormat& binary();         ///< io/binary/breadth_reader.cpp: Breadth's own format

/// All formats, in the order in which messages list them.
inline constexpr std::array all{edge_list, matrix_market, metis, packed, binary};
}  // namespace graph_formats

enum class Compression { none, gzip, zstd };

/// What a file's name says of it.
struct FileKind {
  const GraphFormat* format = nullptr;  ///< one of graph_formats
  std::string_view ending = {};         ///< which of the format's endings
  Compression compression = Compression::none;

  /// Whether such a file is read into memory, once.
  [[nodiscard]] bool is_text() const { return format->text != nullptr; }
  friend bool operator==(const FileKind&, const FileKind&) = default;
};

/// What the labels of a text edge list are: as the first edge looks, integers only, or any words.
enum class LabelWords { automatic, integers, strings };

/// The kind of file that a name stands for, by its ending; .gz or .zst may follow that of a text format. Throws Error
/// that lists the endings for an unknown one.
FileKind file_kind(const std::string& path);

/// The endings of the formats that are not text: ".g500 or .breadth".
std::string endings_read_in_place();

}  // namespace breadth
