// The benchmark where edge list, graph and results stay in the memory of a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/ids.hpp"
#include "generate/kronecker.hpp"
#include "gpu/edges.hpp"
#include "graph500/benchmark.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/report.hpp"
#include "graph500/search_keys.hpp"
#include "validate/report.hpp"

namespace breadth {

/// Tuples that come to the device together where it does not hold them all: 128 MiB.
inline constexpr std::uint64_t device_block_tuples = std::uint64_t{1} << 24;

/// Edge list, kernel 1, kernel 2 and validation on options.bfs.device, on one rank, where stays_on_device().
/// What it is made of outlives it. Each step throws OutOfMemory with the figures where the device has too little
/// memory.
class DeviceRun {
 public:
  /// Brings the edge list to the device: EdgeListPlace::memory is the device's own, else tuples come in blocks, made
  /// anew or read from the file, whenever they are wanted.
  DeviceRun(const BenchmarkOptions& options, const BenchmarkInput& input, const Context& context);

  /// Kernel 1, from the edge list to a graph on the device; timed.
  ConstructionReport construct();
  /// Once it is built: as draw_search_keys (search_keys.hpp) chooses them for a graph of the host.
  [[nodiscard]] std::vector<Label> draw_search_keys(const SearchKeySeed& seed) const;
  /// A search for every key, verified on the device before the next; its parents are copied to the host as well, which
  /// is timed apart.
  [[nodiscard]] KernelReport run_bfs_kernel(std::span<const Label> keys, const BenchmarkSurroundings& surroundings);

 private:
  [[nodiscard]] ValidationReport check(const gpu::Search& search, Label key);

  const BenchmarkOptions& options_;
  Context context_;
  std::optional<Kronecker> kronecker_;  ///< where tuples are made on the device
  std::unique_ptr<gpu::Edges> edges_;
  std::unique_ptr<gpu::BuiltGraph> graph_;
};

}  // namespace breadth
