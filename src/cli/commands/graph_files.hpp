// What commands on graph files share.
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

/// The kind of a graph file. Throws UsageError for an ending that is not known.
FileKind graph_kind(const std::string& path);
/// The same of a file that is to be read: a missing one is reported first, and standard input and pipes are refused.
FileKind input_kind(const std::string& path);
/// Whether a table is for numpy.
bool is_npy(const std::string& path);
/// A file, and those that belong to it: weights to packed edges, labels to a table of numpy.
std::vector<std::string> files_with(const std::string& path);
/// Throws UsageError where an option names a file to write that another option has read or written, under any name: a
/// slip of the hand would replace it.
void keep_files_apart(const OptionSet& options);

/// Throws AgreedError for a text file of which a part already shows that its graph does not fit in that layout, with
/// these kernels and searches that keep such a summary of the frontier (BfsOptions::summary). Other files take no
/// memory before their size is known. Collective.
void require_memory_for_file(const std::string& path, const GraphLayout& layout, std::size_t summary,
                             const Kernels& kernels, const Context& context);

/// Throws as require_memory (expected_memory.hpp) where the graph of these edges, were each there once, does not fit
/// beside them. Collective; where names do not say how many labels there are, it reads all edges.
void require_memory_for_graph(const GraphFile& file, const GraphLayout& layout, std::size_t summary,
                              const Kernels& kernels, const Context& context);

/// Reads a graph file after finding out that a graph of its size fits, as above; with weights as lengths for shortest
/// paths, else for breadth-first search; with lengths if there are any, which only the file shows, first for the
/// latter. Collective; throws AgreedError, or OutOfMemory on one rank alone.
GraphFile read_fitting_graph(const std::string& path, const GraphLayout& layout, std::size_t summary,
                             const ReadOptions& options, const Context& context);

/// How its edges are meant: as the file says, or as the user does. Throws AgreedError where both do and the file's have
/// no direction: it has each of them once, from any of its ends.
Directedness directedness_of(const GraphFile& file, bool directed);

/// Builds the graph; labels that only the file's header knows are in it.
Graph build_file_graph(const GraphFile& file, Directedness directedness, const GraphLayout& layout,
                       const Context& context);

}  // namespace breadth::cli
