// Breadth's own binary graph files.
//
// A file is, little-endian and each part starting at a multiple of 64 bytes: a header of 128 bytes; the edges, 12 bytes
// each as in a packed file; the weights, float32, if it has them; of a dictionary of names, in rising order, where each
// ends (uint64), then their bytes; and a table with the XXH3 checksum of each chunk of 1 MiB between header and table.
// The header has the checksum of the table, and ends in its own. docs/formats.md lists the header's fields.
#pragma once

#include <string>

#include "comm/context.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"

namespace breadth {

/// Opens a .breadth file. The edges stay in the file, each rank's a consecutive part; names are read, each rank's
/// block. Ranks and threads verify the checksums together, each chunk once. Throws AgreedError for what is no such
/// file, of another version, truncated or damaged. Collective.
GraphFile read_breadth(const std::string& path, const ReadOptions& options, const Context& context);

/// Writes a whole graph to a file that is committed afterwards. Collective; throws AgreedError.
void write_breadth(const SharedOutputFile& file, const GraphFile& graph, const Context& context);

}  // namespace breadth
