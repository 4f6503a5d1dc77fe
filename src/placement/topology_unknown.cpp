// For a build without hwloc: the machine is unknown, and nothing is bound.
#include "placement/binding_plan.hpp"

namespace breadth {

Topology this_topology() { return {}; }

}  // namespace breadth
