// Reading and writing the files of text formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

/// Reads a file of a text format; each rank and thread reads a part. A compressed file is decompressed on rank 0, a
/// window at a time, and parsed by all ranks. Throws AgreedError with file and line; and one with the figures if the
/// edges do not fit in memory, which is estimated from the size of a plain file, and checked while a compressed file is
/// read. Collective.
GraphFile read_text(const std::string& path, const FileKind& kind, const ReadOptions& options, const Context& context);

/// The separator of columns that other programs expect in files with this ending: a comma in .csv, a tab in .tsv;
/// white_space in others.
char separator_of(std::string_view ending);

/// The number of vertices of a file that numbers all of them: every label up to the largest that has an edge, or that
/// is a vertex without edges. Collective.
std::uint64_t vertices_to_write(const GraphFile& graph, const Context& context);

/// The lines for edges first to last - 1 of this rank, whose names are in a dictionary. Throws AgreedError, also for a
/// name that would not be read again: where white space separates columns, one that has some or begins a comment.
/// Collective.
std::string named_text(const std::string& path, const GraphFile& graph, std::uint64_t first, std::uint64_t last,
                       const Context& context);

/// Writes a line for each edge: source, target and, if there are any, its weight, with the user's names of vertices.
/// Throws AgreedError. Collective.
void write_named_edges(SharedOutputFile& file, const GraphFile& graph, const Context& context);

/// How vertices are numbered in lines of edges.
struct NumberedEdges {
  std::int64_t first_name = 0;  ///< the number of label 0
  bool lower_triangle = false;  ///< whether the larger number comes first
  char separator = ' ';         ///< between columns
};

/// Writes `head`, then a line for each edge, with numbers for vertices. Throws AgreedError. Collective.
void write_numbered_edges(SharedOutputFile& file, const std::string& head, const GraphFile& graph,
                          const NumberedEdges& numbers, const Context& context);

}  // namespace breadth
