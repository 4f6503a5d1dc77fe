// Options of the engine from Python's keyword arguments, by the program's own table.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"

namespace breadth::python {

/// Names as in the program, without the leading dashes, and values as a user writes them.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// The ranks of a search. Options of messages between ranks are for several ranks only.
enum class SearchedBy { one_rank, ranks };

/// Options of searches on processors. Throws UsageError for an unknown name (with the nearest one), for an option that
/// has no effect there, and for a value that is out of range or excludes another.
BfsOptions bfs_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by = SearchedBy::one_rank);
SsspOptions sssp_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by = SearchedBy::one_rank);
/// Options for a graph with weights of 64 bits, for which only some have an effect.
SsspOptions wide_sssp_options(const OptionTexts& texts, const GraphLayout& layout,
                              SearchedBy by = SearchedBy::one_rank);
/// The largest distance to find, rounded down to each type of distances.
struct Cutoff {
  double real = std::numeric_limits<double>::infinity();
  std::int64_t integer = std::numeric_limits<std::int64_t>::max();
};

/// The largest float that is not above a cutoff.
float rounded_down(double cutoff);
/// The layout of a graph in memory and on ranks.
GraphLayout graph_layout(const OptionTexts& texts, SearchedBy by = SearchedBy::one_rank);

}  // namespace breadth::python
