// The benchmark where edge list, graph and results stay in the memory of a device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "gpu/edges.hpp"
#include "graph500/benchmark.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/devices/device_edges.hpp"
#include "graph500/report/report.hpp"
#include "graph500/search_keys.hpp"
#include "validate/validate.hpp"

namespace breadth {

/// Edge list, kernel 1, kernel 2 and validation on options.bfs.device.kind, on one rank, where stays_on_device().
/// What it is made of outlives it. Each step throws OutOfMemory with the figures where the device has too little
/// memory.
class DeviceRun {
 public:
  /// Brings the edge list to the device.
  DeviceRun(const BenchmarkOptions& options, const BenchmarkInput& input, const Context& context);

  /// Has the device's memory for kernel 1 at hand before it is timed.
  void reserve();
  /// Kernel 1, from the edge list to a graph on the device and a search that is ready to run; timed.
  ConstructionReport construct();
  /// Once it is built.
  [[nodiscard]] std::uint64_t label_count() const { return graph_->size().labels; }
  /// As draw_search_keys (search_keys.hpp) chooses them for a graph of the host.
  [[nodiscard]] std::vector<Label> draw_search_keys(const SearchKeySeed& seed, std::uint64_t count,
                                                    const std::unordered_set<Label>& excluded) const;
  /// After a search that is not timed, from a vertex drawn after the keys: a search for every key, verified on the
  /// device before the next; its parents are copied to the host as well, which is timed apart.
  [[nodiscard]] KernelReport run_bfs_kernel(std::span<const Label> keys, const SearchKeySeed& seed,
                                            const BenchmarkSurroundings& surroundings);

 private:
  [[nodiscard]] ValidationReport check(Label key);
  [[nodiscard]] gpu::SearchRecord search(Label key);

  const BenchmarkOptions& options_;
  Context context_;
  DeviceEdgeList edges_;
  std::uint64_t reserved_bytes_ = 0;
  std::unique_ptr<gpu::BuiltGraph> graph_;
  std::unique_ptr<gpu::Search> search_;
};

}  // namespace breadth
