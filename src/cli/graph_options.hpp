// What commands on graph files share.
#pragma once

#include <string>

#include "comm/context.hpp"
#include "core/directedness.hpp"
#include "core/graph_layout.hpp"
#include "graph/graph.hpp"
#include "io/graph_file.hpp"

namespace breadth::cli {

/// The kind of a graph file. Throws UsageError for an ending that is not known.
FileKind graph_kind(const std::string& path);

/// Reads a graph file after finding out that a graph of its size fits in that layout. Collective; throws AgreedError.
GraphFile read_fitting_graph(const std::string& path, const GraphLayout& layout, WeightUse weights,
                             const Context& context);

/// How its edges are meant: `directed` is the user's word, and what the file says comes after it.
Directedness directedness_of(const GraphFile& file, bool directed);

/// Builds the graph; labels that only the file's header knows are in it.
Graph build_file_graph(const GraphFile& file, Directedness directedness, const GraphLayout& layout,
                       const Context& context);

}  // namespace breadth::cli
