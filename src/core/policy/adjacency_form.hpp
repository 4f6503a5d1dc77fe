// How the neighbours of a graph's vertices lie in memory.
#pragma once

namespace breadth {

/// Every search gives the same levels on each of them (Checconi & Petrini 2014, section II-D and fig. 14).
enum class AdjacencyForm {
  rows,          ///< rows that an index leads to, their first neighbours in columns as well
  compressed,    ///< the same, the neighbours in a row as the differences between them
  full_scan,     ///< every edge as a pair of vertices, all looked at in each level
  skip_list,     ///< rows back to back behind headers: a level jumps from one header to the next
  coarse_index,  ///< a skip list with one pointer into it for each 64 vertices
};

}  // namespace breadth
