// The kernels of the benchmark: how each of those that search runs (kernel_list.hpp has the list), and kernel 1,
// which makes graphs from the edge list, and kernels that are ready to search them.
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

/// What the searches of a run start from, and who watches and may stop them. Outlived by what it refers to.
struct KernelInput {
  const EdgeList& edges;  ///< what the graph was made of: validation goes by it alone
  std::span<const Label> keys;
  RunObserver& observer;
  const std::function<bool()>& stop;
};

/// A kernel that is ready to search: all that a search needs beyond the graph is made with it, so that it is made in
/// kernel 1's time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// A search for every key, as many at a time as the plan says. Collective.
  virtual KernelReport run(const KernelInput& input, const BatchPlan& plan) = 0;
  /// Bytes of memory that this rank uses and another one of its node counts as its own.
  [[nodiscard]] virtual std::uint64_t borrowed_bytes() const = 0;
};

/// How a kernel runs, beside what the list says about it.
struct KernelType {
  KernelKind kind;
  /// What its searches take of memory, on so many ranks with so many threads each.
  SearchCosts (*costs)(const GraphSize& size, int ranks, int threads);
  /// What a graph and its search take of the memory of a device; nullptr where only processors run it,
  gpu::MemoryPlan (*device_memory)(const gpu::DeviceGraphSize& size) = nullptr;
  /// and of each of the devices of several ranks.
  gpu::MemoryPlan (*part_memory)(const gpu::DeviceGraphSize& size, const gpu::PartSize& part) = nullptr;
  /// Makes it ready to search. The graph, the options and what the context refers to outlive it. Collective.
  std::unique_ptr<Kernel> (*make)(const Graph& graph, const BenchmarkOptions& options, const Context& context);
};

const KernelType& kernel_type(KernelKind kind);

/// How a run makes its kernels.
using MakeKernel = std::function<std::unique_ptr<Kernel>(const KernelType& type, const Graph& graph,
                                                         const BenchmarkOptions& options, const Context& context)>;

// Kernel 1.

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

/// A graph, and the kernel that searches it.
struct BuiltKernel {
  const KernelType* type;
  std::unique_ptr<const Graph> graph;
  std::unique_ptr<Kernel> kernel = {};  ///< none where it is left for its user to make
};

/// What kernel 1 leaves.
struct BuiltKernels {
  std::vector<BuiltKernel> all;           ///< in the order in which they run
  std::uint64_t peak_before_kernels = 0;  ///< most memory resident on this rank before kernels were made

  /// One of the graphs: they have the same vertices.
  [[nodiscard]] const Graph& any_graph() const { return *all.front().graph; }
  /// What this rank counts in its peak of memory though another one of its node does, too.
  [[nodiscard]] std::uint64_t borrowed_bytes() const;
};

/// Builds a graph for each of the options' kernels and makes the kernels, while the clock runs; in between, once the
/// graphs are there, the clock stands still for calibrate(graph), which may change options.bfs. With
/// options.kernels_in_turn all but the first kernel are left for their user to make. Collective. The edge list, the
/// options and what the context refers to outlive what is built.
BuiltKernels construct(const EdgeList& edges, const BenchmarkOptions& options, const Context& context,
                       const std::function<void(const Graph& bfs)>& calibrate, const MakeKernel& make,
                       ConstructionClock& clock);

/// What the report says of it, at its end. Collective.
ConstructionReport report_of(const BuiltKernels& built, const ConstructionClock& clock, const Communicator& ranks);

}  // namespace breadth
