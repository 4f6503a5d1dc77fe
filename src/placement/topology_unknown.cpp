// A build without hwloc: nothing is known, and nothing is bound.
#include "placement/binding_plan.hpp"

namespace breadth {

Topology this_topology() { return {}; }

}  // namespace breadth
