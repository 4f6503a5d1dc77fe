// The edge list of a run on its device, and validation by it of what searches have left in the memory of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "generate/generators.hpp"
#include "gpu/edges.hpp"
#include "graph500/report/report.hpp"
#include "validate/validate.hpp"

namespace breadth {

/// Throws Error where the options of several ranks say how a device has the edge list: no device has it then.
void require_edges_on_one_rank(EdgeResidence asked, int ranks);

/// On options.bfs.device.kind, of one rank. Where it is not resident tuples come in blocks whenever they are wanted,
/// made anew there or copied from the host's memory or the file.
class DeviceEdgeList {
 public:
  /// Of `edges`, which outlive it, with their weights if `weighted`. Throws OutOfMemory with the figures where the
  /// device has too little memory.
  DeviceEdgeList(const BenchmarkOptions& options, const EdgeList& edges, bool weighted, const Context& context);

  gpu::Edges* operator->() const { return edges_.get(); }

 private:
  std::optional<Kronecker> kronecker_;  ///< where tuples are made on the device
  std::unique_ptr<gpu::Edges> edges_;
};

/// What was checked of a tree on a device.
struct TreeShape {
  std::uint64_t labels = 0;
  bool distances = false;  ///< whether it is a tree of shortest paths
};

/// What a device found of a tree with this root, which is a label; in the words of the processors' validation.
ValidationReport report_of(const gpu::TreeFindings& found, Label root, const TreeShape& shape);

/// One result after the other is copied to the device and judged by the edge list there (gpu/edges.hpp). Of one rank,
/// for graphs that a device can search. Throws OutOfMemory with the figures where it has too little memory.
class DeviceValidation {
 public:
  DeviceValidation(const BenchmarkOptions& options, const EdgeList& edges, bool weighted, const Context& context)
      : edges_(options, edges, weighted, context) {}

  /// As validate_bfs and validate_sssp; for the latter the edges are weighted. The root is a label.
  [[nodiscard]] std::vector<ValidationReport> validate(std::span<const SearchResult> results) const;
  [[nodiscard]] std::vector<ValidationReport> validate(std::span<const ShortestPathResult> results) const;
  [[nodiscard]] std::vector<std::uint64_t> count_traversed_edges(std::span<const SearchResult> results) const;

 private:
  DeviceEdgeList edges_;
};

/// For results of so many labels; nothing where processors validate: since they search, or since there are several
/// ranks, or since the device has no room for it beside what is there.
std::unique_ptr<DeviceValidation> validation_on_device(const BenchmarkOptions& options, const EdgeList& edges,
                                                       std::uint64_t labels, bool weighted, const Context& context);

}  // namespace breadth
