// The properties of a text format, and what the beginning of a file and samples of it tell about the rest: its columns,
// its names, and its number of edges.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/data/edge_list.hpp"
#include "io/files/input_file.hpp"
#include "io/files/line_parser.hpp"
#include "io/graph_format.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

// The beginning.

/// Reads the lines of a file from its beginning, with decompression.
class LineReader {
 public:
  /// Throws Error with the file's name if the file is missing, empty, or compressed without an ending that says so.
  LineReader(const std::string& path, const FileKind& kind);

  /// Reads the next line without its end; returns false after the last line. Throws Error for a line that is not text,
  /// or too long.
  bool next(std::string& line);
  /// Reads the next line that is not a comment; returns false after the last line.
  bool next_content(std::string& line);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Parses a word of the last line as a number of vertices or edges. Throws Error with the line.
  [[nodiscard]] std::uint64_t size(std::string_view word) const;
  /// The number of the last line, from 1; its offset, and that of the next line.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t line_offset() const { return line_offset_; }
  [[nodiscard]] std::uint64_t next_offset() const { return dropped_ + at_; }

 private:
  /// Reads more of the file; returns false at its end.
  bool fill();

  std::string path_;
  const TextFormat& format_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t dropped_ = 0;  ///< bytes of the file before the buffer
  std::uint64_t line_offset_ = 0;
  std::uint64_t number_ = 0;
};

/// What the beginning of a file says. Plain values, so that one rank can send them to the others.
struct TextHead {
  NameKind names = NameKind::integers;  ///< `range` if a header gives the number of vertices; numbered from 1
  char separator = white_space;         ///< of columns; a comma or a tab in tables whose first line has it
  bool weighted = false;
  std::optional<Directedness> directedness = {};            ///< if the file says so
  std::uint64_t vertices = 0;                               ///< for a range
  std::uint64_t entries = 0;                                ///< the number of edges by a header; 0 without one
  std::uint64_t data_offset = 0;                            ///< offset of the edges in the decompressed text
  std::uint64_t longest_line = std::uint64_t{1} << 20;      ///< the most bytes of a line in compressed text
  float min_weight = std::numeric_limits<float>::lowest();  ///< set by the reader, not by the file

  [[nodiscard]] bool says_entries() const { return entries != 0; }
  /// The rules for the file's lines.
  [[nodiscard]] LineRules rules() const;
};

/// Parses lines with one edge each. Labels are words or integers, depending on `names`.
std::optional<BadLine> parse_edge_lines(std::string_view text, std::uint64_t first_row, const LineRules& rules,
                                        NameKind names, ParsedLines& lines);

inline std::uint64_t one_edge(std::string_view) { return 1; }

/// The properties of a text format: how a file begins, and the form of its lines.
struct TextFormat {
  /// Reads up to the first edge. Throws Error with the file's name and line if the beginning is invalid or there are no
  /// edges.
  TextHead (*read_head)(LineReader& lines, const FileKind& kind, LabelWords labels);
  /// Appends the edges of whole lines until one breaks the rules. If lines count as rows, the first of these lines is
  /// row `first_row` of the file, from 0. There may be more rows than vertices; they break the rules unless the format
  /// allows empty ones. If lines do not count as rows, `first_row` is not used.
  std::optional<BadLine> (*parse)(std::string_view text, std::uint64_t first_row, const LineRules& rules,
                                  NameKind names, ParsedLines& lines) = parse_edge_lines;
  /// The number of edges in a line that is not a comment, or slightly more.
  std::uint64_t (*edges_of)(std::string_view line) = one_edge;
  /// Whether a line after the head is to be skipped.
  bool (*is_comment)(std::string_view line) = breadth::is_comment;
  /// Whether the meaning of a line depends on the number of lines before it: each line that is not a comment is a row,
  /// and the head gives the number of rows as that of vertices. Such text is read twice, the first time to count rows.
  bool counts_rows = false;
};

/// The number of rows in whole lines; 0 if the format does not count rows.
std::uint64_t rows_in(std::string_view text, const TextFormat& format);

// The number of edges of a text before it is read.

/// The size of a graph, estimated from a small part of its file. Plain values, so that one rank can send them to the
/// others.
struct TextSize {
  TextHead head;
  std::uint64_t edges = 0;  ///< given by a header, otherwise an estimate
  /// A number of edges that the text has in all likelihood: given by a header; otherwise a tenth less than the
  /// estimate, or half of it for compressed text, of which only the beginning is sampled, where labels may be shorter.
  std::uint64_t fewest_edges = 0;
};

/// Estimates the number of edges from lines in evenly spaced parts of the text. For compressed text, uses some
/// megabytes at its beginning and their compression ratio. A header with the number of edges is trusted. Takes some
/// milliseconds. Throws Error with the file's name and line if its beginning is not of its format. Not collective.
TextSize estimate_text_size(const std::string& path, const FileKind& kind, LabelWords labels = LabelWords::automatic);

}  // namespace breadth
