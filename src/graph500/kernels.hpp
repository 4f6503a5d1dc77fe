// The kernels of the benchmark: how search kernels run (the list of them is in kernel_list.hpp), and kernel 1, which
// builds graphs from the edge list and makes search kernels ready to run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "core/stopwatch.hpp"
#include "gpu/memory_plan.hpp"
#include "graph/graph.hpp"
#include "graph500/report/progress.hpp"
#include "graph500/report/report.hpp"
#include "graph500/run_prediction.hpp"

namespace breadth {

// Kernels that search.

/// The input of a kernel's searches, their observer, and a hook that stops them. The objects that it refers to must
/// outlive it.
struct KernelInput {
  const EdgeList& edges;  ///< the list that the graph was built from; validation uses only this list
  std::span<const Label> keys;
  RunObserver& observer;
  const std::function<bool()>& stop;
};

/// A kernel that is ready to search. Everything that a search needs beyond the graph is made in the constructor, so
/// that it counts in kernel 1's time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Runs a search for every key, in batches as planned. Collective.
  virtual KernelReport run(const KernelInput& input, const BatchPlan& plan) = 0;
  /// Bytes of memory that this rank uses but another rank of its node counts as its own.
  [[nodiscard]] virtual std::uint64_t bytes_counted_elsewhere() const = 0;
};

/// How a kernel runs: complements its row in the list.
struct KernelType {
  KernelKind kind;
  /// The memory that its searches take on `ranks` ranks with `threads` threads each.
  SearchCosts (*costs)(const GraphSize& size, int ranks, int threads);
  /// The device memory of a graph and its search; nullptr if the kernel runs only on processors.
  gpu::MemoryPlan (*device_memory)(const gpu::DeviceGraphSize& size) = nullptr;
  /// The device memory of one of several ranks.
  gpu::MemoryPlan (*part_memory)(const gpu::DeviceGraphSize& size, const gpu::PartSize& part) = nullptr;
  /// Makes a kernel that is ready to search. The graph, the options and everything that the context refers to must
  /// outlive it. Collective.
  std::unique_ptr<Kernel> (*make)(const Graph& graph, const BenchmarkOptions& options, const Context& context);
};

const KernelType& kernel_type(KernelKind kind);

/// A function that makes a kernel of a run.
using MakeKernel = std::function<std::unique_ptr<Kernel>(const KernelType& type, const Graph& graph,
                                                         const BenchmarkOptions& options, const Context& context)>;

// Kernel 1.

/// Measures kernel 1's time. The clock is stopped while a run does work that is not part of kernel 1. Starting and
/// stopping are collective.
class ConstructionClock {
 public:
  /// The communicator must outlive the clock.
  explicit ConstructionClock(const Communicator& ranks) : ranks_(ranks) {}
  /// Waits for all ranks, then starts the clock.
  void start();
  void stop();
  [[nodiscard]] bool runs() const noexcept { return since_start_.has_value(); }
  /// The sum over all periods between start and stop, each of the slowest rank.
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  const Communicator& ranks_;
  std::optional<Stopwatch> since_start_;
  double seconds_ = 0;
};

/// A graph, and the kernel that searches it.
struct BuiltKernel {
  const KernelType* type;
  std::unique_ptr<const Graph> graph;
  std::unique_ptr<Kernel> kernel = {};  ///< nullptr if its user is to make it
};

/// The result of kernel 1.
struct BuiltKernels {
  std::vector<BuiltKernel> all;           ///< in the order in which they run
  std::uint64_t peak_before_kernels = 0;  ///< the most resident memory on this rank before kernels were made

  /// One of the graphs; all have the same vertices.
  [[nodiscard]] const Graph& any_graph() const { return *all.front().graph; }
  /// The bytes that this rank counts in its peak of memory although another rank of its node counts them too.
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const;
};

/// Builds a graph for each of the options' kernels, then makes the kernels, while the clock runs. In between the clock
/// is stopped for calibrate(graph), which may change options.bfs. With options.kernels_in_turn, only the first kernel
/// is made here; the caller makes the others. Collective. The edge list, the options and everything that the context
/// refers to must outlive the result.
BuiltKernels construct(const EdgeList& edges, const BenchmarkOptions& options, const Context& context,
                       const std::function<void(const Graph& bfs)>& calibrate, const MakeKernel& make,
                       ConstructionClock& clock);

/// The report of kernel 1, made at its end. Collective.
ConstructionReport report_of(const BuiltKernels& built, const ConstructionClock& clock, const Communicator& ranks);

}  // namespace breadth
