// Names on the move between ranks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "io/names/name_list.hpp"

namespace breadth {

/// Names from all ranks, in rank order, with how many came from each.
struct ReceivedNames {
  NameList names;
  std::vector<std::size_t> counts;
};

/// Sends the first counts[0] names to rank 0, the next counts[1] to rank 1 and so on. Collective.
ReceivedNames exchange_names(const NameList& names, std::span<const std::size_t> counts, const Communicator& ranks);

/// Every rank's names, in rank order, on every rank. Collective.
NameList gather_names(const NameList& names, const Communicator& ranks);

}  // namespace breadth
