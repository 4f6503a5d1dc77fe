// Which format a graph file has, and what the labels of text are.
#pragma once

#include <string>

namespace breadth {

/// The formats of graph files.
enum class GraphFormat {
  text,           ///< an edge a line: two labels and perhaps a weight
  matrix_market,  ///< .mtx, coordinate format
  packed,         ///< .g500: the 12-byte tuples of the Graph500 reference, weights beside them
  breadth,        ///< .breadth: Breadth's own binary format (io/binary/breadth_file.hpp)
};

/// Whether such a file is read into memory, once; others stay where they are and are read whenever their edges are.
constexpr bool is_text(GraphFormat format) {
  return format == GraphFormat::text || format == GraphFormat::matrix_market;
}

enum class Compression { none, gzip, zstd };

struct FileKind {
  GraphFormat format = GraphFormat::text;
  Compression compression = Compression::none;
  bool table = false;  ///< .csv and .tsv, text whose first line may name its columns

  friend bool operator==(const FileKind&, const FileKind&) = default;
};

/// What the labels of a text edge list are: as the first edge looks, integers only, or any words.
enum class LabelWords { automatic, integers, strings };

/// The kind of file that a name stands for, by its ending; .gz or .zst may follow that of a text or Matrix Market file.
/// Throws Error that lists the endings for an unknown one.
FileKind file_kind(const std::string& path);

}  // namespace breadth
