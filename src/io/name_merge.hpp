// One list of names out of several.
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_team.hpp"
#include "io/name_list.hpp"

namespace breadth {

/// The distinct names of several lists, rising, and the place among them of each name of each list.
struct MergedNames {
  NameList distinct;
  std::vector<std::vector<std::uint64_t>> places;
};

/// O(n log n); the lists are sorted in parallel, one a thread, then merged two by two.
MergedNames merge_names(std::vector<NameList> lists, ThreadTeam& threads);

}  // namespace breadth
