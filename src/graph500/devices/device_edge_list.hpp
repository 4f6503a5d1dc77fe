// The edge list of a run on its device.
#pragma once

#include <memory>
#include <optional>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "generate/kronecker.hpp"
#include "gpu/edges.hpp"
#include "graph500/report/report.hpp"

namespace breadth {

/// Throws Error where several ranks are told how a device has the edge list: none has it.
void require_edges_on_one_rank(EdgeResidence asked, int ranks);

/// On options.bfs.device, of one rank. Where it is not resident tuples come in blocks whenever they are wanted, made
/// anew there or copied from the host's memory or the file.
class DeviceEdgeList {
 public:
  /// Of `edges`, which outlive it, with their weights if `weighted`. Throws OutOfMemory with the figures where the
  /// device has too little memory.
  DeviceEdgeList(const BenchmarkOptions& options, const EdgeList& edges, bool weighted, const Context& context);

  [[nodiscard]] gpu::Edges& operator*() const { return *edges_; }
  gpu::Edges* operator->() const { return edges_.get(); }

 private:
  std::optional<Kronecker> kronecker_;  ///< where tuples are made on the device
  std::unique_ptr<gpu::Edges> edges_;
};

}  // namespace breadth
