// Which processors a thread may run on.
#pragma once

#include <span>
#include <vector>

namespace breadth {

/// The logical processors that the calling thread may run on, in rising order; empty where the system does not tell.
std::vector<int> usable_processors();

/// Lets the calling thread run on these alone. Returns whether the system agreed.
bool bind_this_thread(std::span<const int> processors);

}  // namespace breadth
