// How many threads a rank should run.
#pragma once

#include "comm/communicator.hpp"

namespace breadth::cli {

/// This rank's share of the processors that the scheduler lets it use: one that several ranks of the machine may use
/// counts for each of them by as much less. At least 1. Collective over the ranks of the machine, which `node` is.
int default_threads(const Communicator& node);

}  // namespace breadth::cli
