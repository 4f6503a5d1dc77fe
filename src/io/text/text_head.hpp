// What the beginning of a text or Matrix Market file says about the rest.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/policy/directedness.hpp"
#include "io/files/line_parser.hpp"
#include "io/graph_format.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

/// What the labels of a text edge list are: as the first edge looks, integers only, or any words.
enum class LabelWords { automatic, integers, strings };

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

}  // namespace breadth
