// Exchange of shortest paths to hubs between ranks with devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "gpu/part_search.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// Of all paths to a hub that ranks found, the shortest becomes that of all its replicas at once, as HubBounds has it
/// on processors. Memory: 16 bytes a hub. Costs nothing where there are no hubs.
class HubPaths {
 public:
  HubPaths(const Hubs& hubs, Communicator ranks);

  /// A search begins at a vertex, of which `source` is the local id on the rank that owns it, no_local_vertex
  /// elsewhere. Returns its id on this rank: a hub has one on each. Collective: where there are hubs, one number is
  /// reduced.
  LocalVertex start(LocalVertex source);

  /// Of each hub that comes closer by what any rank found, the shortest path, of equal ones that with the least label,
  /// the same on all ranks. Collective: one number of each rank, then 12 bytes for each path or, if that is less, 8 for
  /// each hub.
  std::span<const gpu::Relaxation> share(std::span<const gpu::Relaxation> found);

  /// Bytes that this rank has sent since the last call.
  [[nodiscard]] std::uint64_t take_bytes();

 private:
  void gather(std::span<const gpu::Relaxation> found, std::span<const std::size_t> counts);
  void reduce_all(std::span<const gpu::Relaxation> found);

  const Hubs& hubs_;
  Communicator ranks_;
  std::vector<std::uint64_t> known_;  ///< the path of each hub (gpu/sssp/path_phases.hpp)
  std::vector<std::uint64_t> least_;  ///< of each hub, while they are being shared; gpu::no_path else
  std::vector<gpu::Relaxation> received_;
  std::vector<gpu::Relaxation> closer_;
  std::uint64_t bytes_ = 0;
};

}  // namespace breadth
