// Functions that commands on graph files share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/graph.hpp"
#include "graph500/report/report.hpp"
#include "io/graph_file.hpp"

namespace breadth::cli {

/// The kind of a graph file. Throws UsageError for an unknown ending.
FileKind graph_kind(const std::string& path);
/// The kind of a graph file to read. A missing file is reported first; standard input and pipes are refused.
FileKind input_kind(const std::string& path);
/// Whether the file of a table has numpy's format.
inline bool is_npy(const std::string& path) { return path.ends_with(".npy"); }
/// A file and those that belong to it: weights for packed edges, labels for a table in numpy's format.
std::vector<std::string> files_with(const std::string& path);
/// Throws UsageError if an option names an output file that another option also names for reading or writing, even by a
/// different path: it would be replaced by mistake.
void keep_files_apart(const OptionSet& options);

/// Throws AgreedError if a part of a text file already shows that its graph does not fit in memory, with this layout,
/// these kernels, and this summary of the frontier in searches (BfsOptions::summary). Other files take no memory before
/// their size is known. Collective.
void require_memory_for_file(const std::string& path, const GraphLayout& layout, std::size_t summary,
                             const Kernels& kernels, const Context& context);

/// Throws like require_memory (expected_memory.hpp) if the graph of these edges, assuming no duplicates, does not fit
/// beside them. Collective; reads all edges if the names do not give the number of labels.
void require_memory_for_graph(const GraphFile& file, const GraphLayout& layout, std::size_t summary,
                              const Kernels& kernels, const Context& context);

/// Reads a graph file after checking, as above, that a graph of its size fits: for shortest paths if weights are used
/// as lengths, otherwise for breadth-first search. With lengths if there are any, which only the file shows, it first
/// checks for breadth-first search. Collective; throws AgreedError, or OutOfMemory on a single rank.
GraphFile read_fitting_graph(const std::string& path, const GraphLayout& layout, std::size_t summary,
                             const ReadOptions& options, const Context& context);

/// The directedness of a file's edges: as the file says, or else as the user says. Throws AgreedError if the user says
/// directed but the file's edges are undirected, because it lists each edge once, from either end.
Directedness directedness_of(const GraphFile& file, bool directed);

/// Builds the graph, including labels that only the file's header knows.
Graph build_file_graph(const GraphFile& file, Directedness directedness, const GraphLayout& layout,
                       const Context& context);

}  // namespace breadth::cli
