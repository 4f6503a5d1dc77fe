#include "graph500/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "comm/phase.hpp"
#include "core/memory.hpp"
#include "graph500/device_validation.hpp"
#include "graph500/searches.hpp"
#include "graph500/verification.hpp"
#include "model/traffic_prediction.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"
#include "validate/validate_bfs.hpp"
#include "validate/validate_sssp.hpp"

namespace breadth {

namespace {
/// What the formulas say of searches like these, as far as they say anything.
void predict(CommunicationReport& report, const Graph& graph, const BfsOptions& options, const Communicator& ranks) {
  if (options.direction != DirectionPolicy::push || options.exchange != ExchangePolicy::asynchronous) return;
  if (graph.partition().hubs().count() > 0) return;
  if (options.route.policy != RoutePolicy::direct) return;
  const PushTraffic traffic = predict_push_traffic(graph.edge_count(), ranks.size(), options.coalescing);
  report.predicted_messages = traffic.messages_per_rank;
  if (options.packets == PacketFormat::pairs) report.predicted_bytes = traffic.bytes;
}

/// What kernel 2 has of its own.
struct BfsKernel {
  static constexpr const char* name = "bfs";
  static constexpr const char* phase = "kernel 2";
  using Search = BreadthFirstSearch;
  using Result = LabelArray;

  static const BfsOptions& options(const BenchmarkOptions& all) { return all.bfs; }
  static const LabelArray& parents(const LabelArray& result) { return result; }
  static SearchResult claim(Label key, const LabelArray& result) { return {key, result}; }
  static std::vector<ValidationReport> validate(std::span<const SearchResult> found, const KernelInput& input,
                                                const Context& context, std::size_t a_pass) {
    return validate_bfs(input.edges, Directedness::undirected, found, input.graph.distribution(), context, a_pass);
  }
  static std::uint64_t borrowed_bytes(const Search& search) { return search.borrowed_bytes(); }
  static std::optional<DeviceRecord> device(const Search& search) { return search.device(); }
  static void predict_traffic(CommunicationReport& report, const KernelInput& input, const Communicator& ranks) {
    predict(report, input.graph, input.options.bfs, ranks);
  }
};

/// What kernel 3 has of its own.
struct SsspKernel {
  static constexpr const char* name = "sssp";
  static constexpr const char* phase = "kernel 3";
  using Search = ShortestPathSearch;
  using Result = ShortestPathTree;

  static const SsspOptions& options(const BenchmarkOptions& all) { return all.sssp; }
  static const LabelArray& parents(const ShortestPathTree& result) { return result.parents; }
  static ShortestPathResult claim(Label key, const ShortestPathTree& result) {
    return {key, result.parents, result.distances.span()};
  }
  static std::vector<ValidationReport> validate(std::span<const ShortestPathResult> found, const KernelInput& input,
                                                const Context& context, std::size_t a_pass) {
    return validate_sssp(input.edges, Directedness::undirected, found, input.graph.distribution(), context, a_pass);
  }
  static std::uint64_t borrowed_bytes(const Search& search) { return search.borrowed_bytes(); }
  static std::optional<DeviceRecord> device(const Search& search) { return search.device(); }
  static void predict_traffic(CommunicationReport&, const KernelInput&, const Communicator&) {}
};

/// The results of searches from these keys, each as what is to be verified.
template <class Claim, class Result>
auto claims(std::span<const Label> keys, std::span<const Result> results, const Claim& claim) {
  std::vector<decltype(claim(keys[0], results[0]))> all;
  for (std::size_t i = 0; i < keys.size(); ++i) all.push_back(claim(keys[i], results[i]));
  return all;
}

template <class Kernel>
KernelReport run_kernel(const KernelInput& input, const BatchPlan& plan) {
  using Result = typename Kernel::Result;
  const Context& context = input.surroundings.context;
  const std::uint64_t peak_before = peak_resident_bytes();
  const Phase phase(context.ranks, Kernel::phase);
  typename Kernel::Search search(input.graph, Kernel::options(input.options), context);
  BufferPool pool;  // what one validation takes serves the next ones too
  const Context validating{context.ranks, context.threads, &pool};
  std::vector<Result> results;
  for (std::size_t i = 0; i < plan.searches; ++i) results.push_back(search.empty_result());

  constexpr bool weighted = std::is_same_v<Kernel, SsspKernel>;
  const std::unique_ptr<DeviceValidation> on_device =
      validation_on_device(input.options, input.edges, input.graph.vertex_count(), weighted, context);

  const auto verify_batch = [&](std::size_t first, std::span<const Label> keys) {
    const std::size_t validated = to_validate(input.options.validation, first, keys.size());
    const std::span<const Result> found(results);
    return verify(
        keys.size(), validated,
        [&] {
          const auto claimed = claims(keys.first(validated), found, Kernel::claim);
          return on_device ? on_device->validate(claimed) : Kernel::validate(claimed, input, validating, plan.a_pass);
        },
        [&] {
          const auto tree = [](Label key, const Result& result) { return SearchResult{key, Kernel::parents(result)}; };
          const auto trees = claims(keys.subspan(validated), found.subspan(validated), tree);
          return on_device
                     ? on_device->count_traversed_edges(trees)
                     : count_traversed_edges(input.edges, trees, input.graph.distribution(), validating, plan.a_pass);
        },
        context.ranks);
  };
  KernelReport report = run_searches(
      Kernel::name, input.keys, plan.searches, {context.ranks, input.surroundings.observer, input.surroundings.stop},
      [&](Label key, std::size_t place) { return search.run(key, results[place]); }, verify_batch);

  if (context.ranks.size() > 1) {
    const RouteOptions& route = Kernel::options(input.options).route;
    report.communication = gather_communication(search.communication(), route, context.ranks);
    Kernel::predict_traffic(*report.communication, input, context.ranks);
  }
  report.device = Kernel::device(search);
  report.validated_on_device = on_device != nullptr;
  // What shared memory has added to a peak that was higher before is not in it.
  const std::uint64_t borrowed = std::min(Kernel::borrowed_bytes(search), peak_resident_bytes() - peak_before);
  report.borrowed_bytes = context.ranks.all_reduce(borrowed, Reduction::sum);
  return report;
}
}  // namespace

KernelReport run_bfs_kernel(const KernelInput& input, const BatchPlan& plan) {
  return run_kernel<BfsKernel>(input, plan);
}

KernelReport run_sssp_kernel(const KernelInput& input, const BatchPlan& plan) {
  return run_kernel<SsspKernel>(input, plan);
}

}  // namespace breadth
