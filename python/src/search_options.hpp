// Options of the engine as Python's keyword arguments, from the program's own table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"

namespace breadth::python {

/// Names as the program has them, without dashes in front, and values as a user writes them.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// Options of one rank's searches. Throws UsageError for a name that is unknown (with the nearest) or changes nothing
/// on one rank's processors, and for a value that is out of range or goes with no other.
BfsOptions bfs_options(const OptionTexts& texts, const GraphLayout& layout);
SsspOptions sssp_options(const OptionTexts& texts, const GraphLayout& layout);
/// Those of a graph whose weights take 64 bits, of which only delta, fuse and sweeps have an effect.
SsspOptions wide_sssp_options(const OptionTexts& texts, const GraphLayout& layout);
/// How a graph lies in memory.
GraphLayout graph_layout(const OptionTexts& texts);

}  // namespace breadth::python
