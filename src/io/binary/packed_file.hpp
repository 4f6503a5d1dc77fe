// The packed edge files of the Graph500 reference.
#pragma once

#include <string>

#include "comm/context.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"

namespace breadth {

/// Where the weights of a packed file are, if it has any: float32, one a tuple.
std::string weights_path(const std::string& path);

/// Opens a packed file: 12 bytes a tuple (PackedEdge), nothing else. The edges stay in the file, each rank's a
/// consecutive part. Throws AgreedError for a size that is no multiple of 12, or weights of another number. Collective.
GraphFile read_packed(const std::string& path, const Context& context);

/// Writes the tuples of all ranks in rank order from a byte of the file on. Collective; throws AgreedError.
void write_packed_edges(const SharedOutputFile& file, std::uint64_t at, const EdgeList& edges, const Context& context);
/// The same for their weights. The list has weights, where it has edges.
void write_packed_weights(const SharedOutputFile& file, std::uint64_t at, const EdgeList& edges,
                          const Context& context);

}  // namespace breadth
