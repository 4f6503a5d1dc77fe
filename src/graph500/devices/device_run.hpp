// The benchmark with edge list, graph and results in the memory of a device.
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

/// Edge list, kernel 1, kernel 2 and validation on options.bfs.device.kind, for one rank, if stays_on_device(). The
/// constructor's arguments must outlive it. Each step throws OutOfMemory with the figures if the device has too little
/// memory.
class DeviceRun {
 public:
  /// Brings the edge list to the device.
  DeviceRun(const BenchmarkOptions& options, const BenchmarkInput& input, const Context& context);

  /// Allocates the device's memory for kernel 1 before it is timed.
  void reserve();
  /// Runs kernel 1, timed: from the edge list to a graph on the device and a search that is ready to run.
  ConstructionReport construct();
  /// The number of labels; valid after construct().
  [[nodiscard]] std::uint64_t label_count() const { return graph_->size().labels; }
  /// Draws search keys as draw_search_keys (search_keys.hpp) does for a graph on the host.
  [[nodiscard]] std::vector<Label> draw_search_keys(const SearchKeySeed& seed, std::uint64_t count,
                                                    const std::unordered_set<Label>& excluded) const;
  /// Runs an untimed search from a vertex drawn after the keys, then a search for every key. Each is verified on the
  /// device before the next. Its parents are also copied to the host, which is timed separately.
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
