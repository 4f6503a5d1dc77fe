// Weights that can be lengths.
#pragma once

#include "comm/context.hpp"
#include "io/graph_file.hpp"

namespace breadth {

/// Throws AgreedError unless each edge of the graph has a weight that is a finite number and not negative. The message
/// says what is missing in a file of that format, or names the first such edge of the lowest rank that has one, its
/// place in the file and its weight; of text its reader has named the line. Collective; one pass over the edges of
/// other files.
void require_lengths(const GraphFile& graph, const Context& context);

}  // namespace breadth
