// Kernel 1: from the edge list to graphs, and to kernels that are ready to search them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph500/kernels.hpp"
#include "graph500/report/report.hpp"

namespace breadth {

/// Kernel 1's time. It stands still while a run does what is no part of kernel 1. Starting and stopping are collective.
class ConstructionClock {
 public:
  /// The communicator outlives it.
  explicit ConstructionClock(const Communicator& ranks) : ranks_(ranks) {}
  /// Goes on once all ranks are there.
  void start();
  void stop();
  [[nodiscard]] bool runs() const noexcept { return since_start_.has_value(); }
  /// The seconds between each start and its stop, of the slowest rank each time.
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  const Communicator& ranks_;
  std::optional<Stopwatch> since_start_;
  double seconds_ = 0;
};

/// A graph, and the kernel that searches it. Neither is there where the kernel is not to run.
struct BuiltKernel {
  std::unique_ptr<const Graph> graph;
  std::unique_ptr<Kernel> kernel;
};

/// What kernel 1 leaves.
struct BuiltKernels {
  BuiltKernel bfs;
  BuiltKernel sssp;
  std::uint64_t peak_before_kernels = 0;  ///< most memory resident on this rank before kernels were made

  /// One of the graphs: they have the same vertices.
  [[nodiscard]] const Graph& any_graph() const { return bfs.graph ? *bfs.graph : *sssp.graph; }
  /// What this rank counts in its peak of memory though another one of its node does, too.
  [[nodiscard]] std::uint64_t borrowed_bytes() const;
};

/// Builds a graph for each of the options' kernels and makes the kernels, while the clock runs; in between, once the
/// graphs are there, the clock stands still for calibrate(graph), which may change options.bfs. With
/// options.kernels_in_turn kernel 3 is left for its user to make. Collective. The edge list, the options and what the
/// context refers to outlive what is built.
BuiltKernels construct(const EdgeList& edges, const BenchmarkOptions& options, const Context& context,
                       const std::function<void(const Graph& bfs)>& calibrate, const KernelMakers& make,
                       ConstructionClock& clock);

/// What the report says of it, at its end. Collective.
ConstructionReport report_of(const BuiltKernels& built, const ConstructionClock& clock, const Communicator& ranks);

}  // namespace breadth
