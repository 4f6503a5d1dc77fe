// What a text format has of its own, and what the beginning of a file, and samples of it, say about the rest: its
// columns, its names, how many edges there are.
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

/// What some programs begin a text with, and no reader takes for a part of it.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The lines of a file, from its beginning, decompressed on the way.
class LineReader {
 public:
  /// Throws Error that names the file for one that is missing, empty, or compressed where its name does not say so.
  LineReader(const std::string& path, const FileKind& kind);

  /// The next line without its end; false after the last. Throws Error for one that is no text, or too long.
  bool next(std::string& line);
  /// The next line that is no comment; false after the last.
  bool next_content(std::string& line);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// A word of the line that was read last as a number of vertices or edges. Throws Error that names the line.
  [[nodiscard]] std::uint64_t size(std::string_view word) const;
  /// The number of the line that was read last, from 1 on; where it starts, and where the next one does.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t line_offset() const { return line_offset_; }
  [[nodiscard]] std::uint64_t next_offset() const { return dropped_ + at_; }

 private:
  /// Reads on; false at the end of the file.
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

/// Plain values, so that one rank can tell the others.
struct TextHead {
  NameKind names = NameKind::integers;  ///< `range` where a header says how many vertices there are: from 1 on
  bool weighted = false;
  std::optional<Directedness> directedness = {};              ///< if the file says it
  std::uint64_t vertices = 0;                                 ///< of a range
  std::uint64_t entries = 0;                                  ///< how many edges a header says; 0 where none does
  std::uint64_t data_offset = 0;                              ///< where the edges start, in the decompressed text
  std::uint64_t longest_line = std::uint64_t{1} << 20;        ///< bytes of one, at most, in compressed text
  float least_weight = std::numeric_limits<float>::lowest();  ///< as the reader wants them, whatever the file says

  [[nodiscard]] bool says_entries() const { return entries != 0; }
  /// What its lines must look like.
  [[nodiscard]] LineRules rules() const;
};

/// The edges of lines that have one each: words or integers, as the names are.
std::optional<BadLine> parse_edge_lines(std::string_view text, std::uint64_t first_row, const LineRules& rules,
                                        NameKind names, ParsedLines& lines);

inline std::uint64_t one_edge(std::string_view) { return 1; }

/// What a text format has of its own: how a file begins, and what its lines are.
struct TextFormat {
  /// Reads to where the edges start. Throws Error with the file's name and line for another beginning, or no edges.
  TextHead (*read_head)(LineReader& lines, const FileKind& kind, LabelWords labels);
  /// Appends the edges of whole lines until one breaks the rules. Where lines count as rows, the first of these lines
  /// is row `first_row` of the file, from 0 on, and there may be more rows than vertices, which break the rules unless
  /// the format lets them say nothing; otherwise the number means nothing.
  std::optional<BadLine> (*parse)(std::string_view text, std::uint64_t first_row, const LineRules& rules,
                                  NameKind names, ParsedLines& lines) = parse_edge_lines;
  /// How many edges a line has that is no comment, or a few more.
  std::uint64_t (*edges_of)(std::string_view line) = one_edge;
  /// Whether a line says nothing, wherever it stands behind the head.
  bool (*is_comment)(std::string_view line) = breadth::is_comment;
  /// Whether what a line means depends on how many are before it: each that is no comment is a row, and there are as
  /// many as the head says vertices. Such text is looked at twice, the first time to count.
  bool counts_rows = false;
};

/// How many rows whole lines are; 0 where the format does not count them.
std::uint64_t rows_in(std::string_view text, const TextFormat& format);

/// Reads the beginning of a text file. Throws Error with the file's name and line for what is none of its format.
TextHead read_text_head(const std::string& path, const FileKind& kind, LabelWords labels);

// How many edges a text has, before it is read.

/// The size of a graph as a small part of its file tells it. Plain values, so that one rank can tell the others.
struct TextSize {
  TextHead head;
  std::uint64_t edges = 0;  ///< a header's word, else an estimate
  /// As many there are in all likelihood: the header's word; a tenth less than the estimate; half of it for compressed
  /// text, of which only the beginning is looked at, where labels may be shorter.
  std::uint64_t fewest_edges = 0;
};

/// Estimates the edges of text from the lines of parts of it that lie at even distances, of a compressed one from some
/// megabytes at its beginning and how well they were compressed; believes a header that says how many there are. Takes
/// some milliseconds. Throws Error for a file whose head breaks the rules (see read_text_head). Not collective.
TextSize estimate_text_size(const std::string& path, const FileKind& kind, LabelWords labels = LabelWords::automatic);

}  // namespace breadth
