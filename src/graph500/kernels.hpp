// Kernels 2 and 3: every search of a benchmark, timed and verified.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "graph500/batch_plan.hpp"
#include "graph500/report/observer.hpp"
#include "graph500/report/report.hpp"

namespace breadth {

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

/// Makes a kernel. The graph, the options and what the context refers to outlive it. Collective.
using MakeKernel =
    std::function<std::unique_ptr<Kernel>(const Graph& graph, const BenchmarkOptions& options, const Context& context)>;

/// Kernel 2, breadth-first searches.
std::unique_ptr<Kernel> make_bfs_kernel(const Graph& graph, const BenchmarkOptions& options, const Context& context);
/// Kernel 3, searches for shortest paths.
std::unique_ptr<Kernel> make_sssp_kernel(const Graph& graph, const BenchmarkOptions& options, const Context& context);

/// How a run makes its kernels.
struct KernelMakers {
  MakeKernel bfs = make_bfs_kernel;
  MakeKernel sssp = make_sssp_kernel;
};

}  // namespace breadth
