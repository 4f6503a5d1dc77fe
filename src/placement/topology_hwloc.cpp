// The machine as hwloc sees it.
#include <hwloc.h>

#include <memory>

#include "placement/binding_plan.hpp"

namespace breadth {

namespace {
using TopologyOwner = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

TopologyOwner load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {nullptr, hwloc_topology_destroy};
  TopologyOwner topology(raw, hwloc_topology_destroy);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0 || hwloc_topology_is_thissystem(raw) == 0) topology.reset();
  return topology;
}

/// The index of the machine's object of a type that contains this processor; `otherwise` if there is no such object.
int place_in(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t processor, unsigned otherwise) {
  const hwloc_obj* object = hwloc_get_ancestor_obj_by_type(topology, type, processor);
  return static_cast<int>(object == nullptr ? otherwise : object->logical_index);
}
}  // namespace

Topology this_topology() {
  const TopologyOwner owner = load_topology();
  if (owner == nullptr) return {};
  hwloc_topology* topology = owner.get();
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology);
  Topology processors;
  for (hwloc_obj_t processor = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, nullptr); processor != nullptr;
       processor = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, processor)) {
    processors.push_back({.number = static_cast<int>(processor->os_index),
                          .core = place_in(topology, HWLOC_OBJ_CORE, processor, processor->logical_index),
                          .numa_domain = hwloc_bitmap_first(processor->nodeset),
                          .socket = place_in(topology, HWLOC_OBJ_PACKAGE, processor, 0),
                          .allowed = hwloc_bitmap_isset(allowed, processor->os_index) != 0});
  }
  return processors;
}

}  // namespace breadth
