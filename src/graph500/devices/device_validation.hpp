// Validation on a device of what searches have left in the memory of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "graph500/devices/device_edge_list.hpp"
#include "graph500/report/report.hpp"
#include "validate/report.hpp"
#include "validate/validate_bfs.hpp"
#include "validate/validate_sssp.hpp"

namespace breadth {

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
