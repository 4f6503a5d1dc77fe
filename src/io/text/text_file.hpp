// Reading text edge lists and Matrix Market files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "comm/context.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

/// Reads a text or Matrix Market file, each rank and thread a part of it. A compressed one is decompressed on rank 0,
/// a window at a time, and parsed by all. Throws AgreedError naming file and line; and one with
/// the figures where the edges, by the size of a plain file and as a compressed one grows, do not fit in memory.
/// Collective.
GraphFile read_text(const std::string& path, FileKind kind, const ReadOptions& options, const Context& context);

}  // namespace breadth
