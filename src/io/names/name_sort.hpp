// Names in order, each once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel/thread_team.hpp"
#include "io/names/name_list.hpp"

namespace breadth {

/// The distinct names of several lists, rising, and the place among them of each name of each list.
struct SortedNames {
  NameList distinct;
  std::vector<std::vector<std::uint64_t>> places;
};

/// Up to 65536 lists. O(n log n) in parallel, then merged two by two; 24 bytes a name for a while.
SortedNames sort_names(std::span<const NameList> lists, ThreadTeam& threads);

}  // namespace breadth
