// Options of the engine as Python's keyword arguments, from the program's own table.
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

/// Names as the program has them, without dashes in front, and values as a user writes them.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// Where a search goes on: options of messages between ranks are for several.
enum class SearchedBy { one_rank, ranks };

/// Options of searches on processors. Throws UsageError for a name that is unknown (with the nearest) or changes
/// nothing there, and for a value that is out of range or goes with no other.
BfsOptions bfs_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by = SearchedBy::one_rank);
SsspOptions sssp_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by = SearchedBy::one_rank);
/// Those of a graph whose weights take 64 bits, of which only some have an effect.
SsspOptions wide_sssp_options(const OptionTexts& texts, const GraphLayout& layout,
                              SearchedBy by = SearchedBy::one_rank);
/// The farthest distance that is wanted, in each kind of distances, rounded down.
struct Cutoff {
  double real = std::numeric_limits<double>::infinity();
  std::int64_t integer = std::numeric_limits<std::int64_t>::max();
};

/// The largest number of 32 bits that is not above a cutoff.
float rounded_down(double cutoff);
/// How a graph lies in memory, and on ranks.
GraphLayout graph_layout(const OptionTexts& texts, SearchedBy by = SearchedBy::one_rank);

}  // namespace breadth::python
