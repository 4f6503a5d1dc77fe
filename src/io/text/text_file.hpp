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

/// Reads a file of a text format, each rank and thread a part of it. A compressed one is decompressed on rank 0, a
/// window at a time, and parsed by all. Throws AgreedError naming file and line; and one with the figures where the
/// edges, by the size of a plain file and as a compressed one grows, do not fit in memory. Collective.
GraphFile read_text(const std::string& path, const FileKind& kind, const ReadOptions& options, const Context& context);

/// What stands between the columns of files with this ending, for other programs to read them: a comma in .csv, a tab
/// in .tsv, a space in those that are no tables.
char separator_of(std::string_view ending);

/// How many vertices a file has that numbers them all: every label up to the largest that has an edge, or that is a
/// vertex without any. Collective.
std::uint64_t vertices_to_write(const GraphFile& graph, const Context& context);

/// Lines of a file for some of this rank's edges, whose names are in a dictionary. Throws AgreedError, also for a name
/// that would begin a comment. Collective.
std::string named_text(const std::string& path, const GraphFile& graph, std::uint64_t first, std::uint64_t last,
                       const Context& context);

/// Writes a line for each edge: source, target and, if there are any, its weight, with the user's names. Throws
/// AgreedError. Collective.
void write_named_edges(SharedOutputFile& file, const GraphFile& graph, const Context& context);

/// What the numbers in lines of edges mean.
struct NumberedEdges {
  std::int64_t first_name = 0;  ///< what label 0 is called
  bool lower_triangle = false;  ///< whether the larger number comes first
  char separator = ' ';         ///< between columns
};

/// The same after a head, with numbers for names.
void write_numbered_edges(SharedOutputFile& file, const std::string& head, const GraphFile& graph,
                          const NumberedEdges& numbers, const Context& context);

}  // namespace breadth
