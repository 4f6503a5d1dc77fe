// The edge list of a run on its device, and validation on the device of results in host memory.
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

/// Throws Error if options for several ranks say how a device keeps the edge list: with several ranks no device has it.
void require_edges_on_one_rank(EdgeResidence asked, int ranks);

/// The edge list on options.bfs.device.kind, for one rank. If it is not resident, tuples come in blocks each time they
/// are read: generated on the device, or copied from the host's memory or the file.
class DeviceEdgeList {
 public:
  /// Brings `edges` to the device, with their weights if `weighted`. `edges` must outlive the object. Throws
  /// OutOfMemory with the figures if the device has too little memory.
  DeviceEdgeList(const BenchmarkOptions& options, const EdgeList& edges, bool weighted, const Context& context);

  gpu::Edges* operator->() const { return edges_.get(); }

 private:
  std::optional<Kronecker> kronecker_;  ///< if tuples are generated on the device
  std::unique_ptr<gpu::Edges> edges_;
};

/// The size and kind of a tree that a device checked.
struct TreeShape {
  std::uint64_t labels = 0;
  bool distances = false;  ///< whether it is a tree of shortest paths
};

/// Converts a device's findings about a tree with this root to a report with the texts of validation on processors. The
/// root must be a label.
ValidationReport report_of(const gpu::TreeFindings& found, Label root, const TreeShape& shape);

/// Validates search results on a device: copies them to the device one at a time and checks them against the edge list
/// there (gpu/edges.hpp). For one rank, and for graphs that a device can search. Throws OutOfMemory with the figures if
/// the device has too little memory.
class DeviceValidation {
 public:
  DeviceValidation(const BenchmarkOptions& options, const EdgeList& edges, bool weighted, const Context& context)
      : edges_(options, edges, weighted, context) {}

  /// Like validate_bfs and validate_sssp; for validate_sssp the edges must be weighted. The root must be a label.
  [[nodiscard]] std::vector<ValidationReport> validate(std::span<const SearchResult> results) const;
  [[nodiscard]] std::vector<ValidationReport> validate(std::span<const ShortestPathResult> results) const;
  [[nodiscard]] std::vector<std::uint64_t> count_traversed_edges(std::span<const SearchResult> results) const;

 private:
  DeviceEdgeList edges_;
};

/// Makes a validation on the device for results of `labels` labels. Returns nullptr if processors validate: because
/// they search, because there are several ranks, or because the device has too little free memory.
std::unique_ptr<DeviceValidation> validation_on_device(const BenchmarkOptions& options, const EdgeList& edges,
                                                       std::uint64_t labels, bool weighted, const Context& context);

}  // namespace breadth
