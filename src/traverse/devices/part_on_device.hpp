// A rank's part of a graph on its device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "comm/agreement.hpp"
#include "comm/context.hpp"
#include "gpu/device_control.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/node_place.hpp"
#include "graph/graph.hpp"
#include "traverse/device.hpp"
#include "traverse/devices/gpu_part.hpp"
#include "traverse/devices/gpu_search.hpp"

namespace breadth {

/// What this rank's device has. Search is gpu::PartSearch or gpu::PartPaths.
template <class Search>
struct PartOnDevice {
  std::unique_ptr<Search> search;
  std::uint64_t own_entries = 0;  ///< edges between vertices of a rank, each way, on all ranks
  std::uint64_t bytes = 0;        ///< of devices' memory, on all ranks
};

/// This rank's GPU among those of its node; of other devices each rank has its own. Throws the same on all ranks where
/// any has no GPU. Collective.
gpu::NodePlace place_on_node(const Communicator& ranks, Device device);

/// Throws Error where ranks share a GPU and the transport is one that they cannot.
void require_own_device(Device device, DeviceTransport transport, const gpu::NodePlace& place);
/// Throws OutOfMemory with the figures where this does not fit into the memory that this rank's device has free, of
/// which each rank that shares it has an equal part. To be asked on all ranks before any takes memory.
void require_memory_on(Device device, const gpu::MemoryPlan& plan, const gpu::NodePlace& place);

/// The part of this rank with its search, on the device that its place on the node gives it: plan(part) is what both
/// take, and make(part, place) takes it. Throws the same on all ranks. Collective.
template <class Search, class Plan, class Make>
PartOnDevice<Search> take_part(const Graph& graph, PartEdges edges, Device device, DeviceTransport transport,
                               const Context& context, Plan&& plan, Make&& make) {
  const Communicator& ranks = context.ranks;
  run_together(ranks, [&] { require_device(device); });
  const gpu::NodePlace place = place_on_node(ranks, device);
  const GpuPart part = run_together(ranks, [&] { return GpuPart(graph, edges, context.threads); });
  std::uint64_t incoming = 0;
  for (const std::size_t count : ranks.exchange_counts(part.ghosts().counts())) incoming += count;
  gpu::HostPart on_host = part.view(graph, incoming);
  on_host.transport = transport;
  run_together(ranks, [&] {
    require_own_device(device, transport, place);
    require_memory_on(device, plan(on_host), place);
  });
  PartOnDevice<Search> result;
  run_together(ranks, [&] { result.search = make(on_host, place); });
  std::uint64_t sums[] = {part.own_entries(), result.search->device_bytes()};
  ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
  result.own_entries = sums[0];
  result.bytes = sums[1];
  return result;
}

}  // namespace breadth
