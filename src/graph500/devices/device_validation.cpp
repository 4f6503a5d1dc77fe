#include "graph500/devices/device_validation.hpp"

#include <algorithm>

#include "gpu/memory_plan.hpp"
#include "gpu/search.hpp"
#include "graph500/report/tree_findings.hpp"

namespace breadth {

namespace {
std::uint32_t narrow(Label label) { return static_cast<std::uint32_t>(label.value); }
}  // namespace

std::vector<ValidationReport> DeviceValidation::validate(std::span<const SearchResult> results) const {
  std::vector<ValidationReport> reports;
  for (const SearchResult& result : results) {
    const auto found = edges_->check_tree(result.parents.entries<std::uint32_t>(), narrow(result.root));
    reports.push_back(report_of(found, result.root, {.labels = result.parents.size()}));
  }
  return reports;
}

std::vector<ValidationReport> DeviceValidation::validate(std::span<const ShortestPathResult> results) const {
  std::vector<ValidationReport> reports;
  for (const auto& [root, parents, distances] : results) {
    const auto found = edges_->check_paths(parents.entries<std::uint32_t>(), distances, narrow(root));
    reports.push_back(report_of(found, root, {.labels = parents.size(), .distances = true}));
  }
  return reports;
}

std::vector<std::uint64_t> DeviceValidation::count_traversed_edges(std::span<const SearchResult> results) const {
  std::vector<std::uint64_t> counts;
  for (const ValidationReport& report : validate(results)) counts.push_back(report.traversed_edges);
  return counts;
}

std::unique_ptr<DeviceValidation> validation_on_device(const BenchmarkOptions& options, const EdgeList& edges,
                                                       std::uint64_t labels, bool weighted, const Context& context) {
  const Device device = options.bfs.device;
  const int ranks = context.ranks.size();
  if (device == Device::cpu || ranks > 1) return nullptr;
  const gpu::DeviceMemory there = device == Device::gpu ? gpu::cuda_memory() : gpu::simulated_memory();
  const std::uint64_t held = std::min(edges.size(), device_tuples(options, ranks));
  if (gpu::edge_bytes(held, weighted) + gpu::result_check_bytes(labels, weighted) > there.free_bytes) return nullptr;
  return std::make_unique<DeviceValidation>(options, edges, weighted, context);
}

}  // namespace breadth
