// Text edge lists and Matrix Market files: what the beginning and samples of one say about the rest (its columns, its
// names, how many edges there are), and reading it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "io/files/line_parser.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

// What is known before it is read.

// The beginning.

/// Plain values, so that one rank can tell the others.
struct TextHead {
  NameKind names = NameKind::integers;  ///< `range` for Matrix Market: its rows, from 1 on
  bool weighted = false;
  Directedness directedness = Directedness::undirected;       ///< meant for Matrix Market only
  std::uint64_t vertices = 0;                                 ///< the same
  std::uint64_t entries = 0;                                  ///< the same
  std::uint64_t data_offset = 0;                              ///< where the edges start, in the decompressed text
  float least_weight = std::numeric_limits<float>::lowest();  ///< as the reader wants them, whatever the file says

  /// What its lines must look like.
  [[nodiscard]] LineRules rules() const;
};

/// Reads the first edge of a text edge list, which in a table may be below a line that names the columns, or the header
/// of a Matrix Market file. Throws Error with the file's name and line for what is neither.
TextHead read_text_head(const std::string& path, FileKind kind, LabelWords labels);

// How many edges a text has, before it is read.

/// The size of a graph as a small part of its file tells it. Plain values, so that one rank can tell the others.
struct TextSize {
  TextHead head;
  std::uint64_t edges = 0;  ///< a Matrix Market header's word, else an estimate
  /// As many there are in all likelihood: the header's word; a tenth less than the estimate; half of it for compressed
  /// text, of which only the beginning is looked at, where labels may be shorter.
  std::uint64_t fewest_edges = 0;
};

/// Estimates the edges of text from the lines of parts of it that lie at even distances, of a compressed one from some
/// megabytes at its beginning and how well they were compressed; believes the header of a Matrix Market file. Takes
/// some milliseconds. Throws Error for a file whose head breaks the rules (see read_text_head). Not collective.
TextSize estimate_text_size(const std::string& path, FileKind kind, LabelWords labels = LabelWords::automatic);

// Reading it.

/// Reads a text or Matrix Market file, each rank and thread a part of it. A compressed one is decompressed on rank 0,
/// a window at a time, and parsed by all. Throws AgreedError naming file and line; and one with
/// the figures where the edges, by the size of a plain file and as a compressed one grows, do not fit in memory.
/// Collective.
GraphFile read_text(const std::string& path, FileKind kind, const ReadOptions& options, const Context& context);

}  // namespace breadth
