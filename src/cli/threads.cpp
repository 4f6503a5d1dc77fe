#include "cli/threads.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "graph500/machine.hpp"

namespace breadth::cli {

int default_threads(const Communicator& node) {
  const std::vector<int> mine = usable_processors();
  std::map<int, int> users;
  for (const int processor : node.all_gather_varying(std::span<const int>(mine))) ++users[processor];
  double share = 0;
  for (const int processor : mine) share += 1.0 / users[processor];
  constexpr double rounding = 1e-6;  // thirds add up to a little less than a whole
  return std::max(1, static_cast<int>(share + rounding));
}

}  // namespace breadth::cli
