// How many edges a text has, before it is read.
#pragma once

#include <cstdint>
#include <string>

#include "io/graph_format.hpp"
#include "io/text/text_head.hpp"

namespace breadth {

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

}  // namespace breadth
