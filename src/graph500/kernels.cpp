#include "graph500/kernels.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "comm/phase.hpp"
#include "core/stopwatch.hpp"
#include "graph500/devices/device_validation.hpp"
#include "graph500/search_keys.hpp"
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
struct BreadthFirst {
  static constexpr const char* name = "bfs";
  static constexpr const char* phase = "kernel 2";
  using Search = BreadthFirstSearch;
  using Result = LabelArray;

  static const BfsOptions& options(const BenchmarkOptions& all) { return all.bfs; }
  static const LabelArray& parents(const LabelArray& result) { return result; }
  static SearchResult claim(Label key, const LabelArray& result) { return {key, result}; }
  static std::vector<ValidationReport> validate(std::span<const SearchResult> found, const EdgeList& edges,
                                                const BlockDistribution& distribution, const Context& context,
                                                std::size_t a_pass) {
    return validate_bfs(edges, Directedness::undirected, found, distribution, context, a_pass);
  }
  static void predict_traffic(CommunicationReport& report, const Graph& graph, const BenchmarkOptions& options,
                              const Communicator& ranks) {
    predict(report, graph, options.bfs, ranks);
  }
};

/// What kernel 3 has of its own.
struct ShortestPaths {
  static constexpr const char* name = "sssp";
  static constexpr const char* phase = "kernel 3";
  using Search = ShortestPathSearch;
  using Result = ShortestPathTree;

  static const SsspOptions& options(const BenchmarkOptions& all) { return all.sssp; }
  static const LabelArray& parents(const ShortestPathTree& result) { return result.parents; }
  static ShortestPathResult claim(Label key, const ShortestPathTree& result) {
    return {key, result.parents, result.distances.span()};
  }
  static std::vector<ValidationReport> validate(std::span<const ShortestPathResult> found, const EdgeList& edges,
                                                const BlockDistribution& distribution, const Context& context,
                                                std::size_t a_pass) {
    return validate_sssp(edges, Directedness::undirected, found, distribution, context, a_pass);
  }
  static void predict_traffic(CommunicationReport&, const Graph&, const BenchmarkOptions&, const Communicator&) {}
};

/// The results of searches from these keys, each as what is to be verified.
template <class Claim, class Result>
auto claims(std::span<const Label> keys, std::span<const Result> results, const Claim& claim) {
  std::vector<decltype(claim(keys[0], results[0]))> all;
  for (std::size_t i = 0; i < keys.size(); ++i) all.push_back(claim(keys[i], results[i]));
  return all;
}

template <class Kind>
class SearchKernel final : public Kernel {
  using Result = typename Kind::Result;

 public:
  SearchKernel(const Graph& graph, const BenchmarkOptions& options, const Context& context)
      : graph_(graph), options_(options), context_(context), search_(graph, Kind::options(options), context) {}

  KernelReport run(const KernelInput& input, const BatchPlan& plan) override {
    const Phase phase(context_.ranks, Kind::phase);
    BufferPool pool;  // what one validation takes serves the next ones too
    std::vector<Result> results;
    for (std::size_t i = 0; i < plan.searches; ++i) results.push_back(search_.empty_result());
    constexpr bool weighted = std::is_same_v<Kind, ShortestPaths>;
    const std::unique_ptr<DeviceValidation> on_device =
        validation_on_device(options_, input.edges, graph_.vertex_count(), weighted, context_);

    const std::optional<WarmUp> before = warm_up(input.keys, results.front());
    const std::optional<DeviceRecord> at_first = search_.device();
    const CommunicationRecord sent_before = search_.communication();
    const Verifying verifying{input.edges, {context_.ranks, context_.threads, &pool}, on_device.get(), plan.a_pass};
    KernelReport report = run_searches(
        Kind::name, input.keys, plan.searches, {context_.ranks, input.observer, input.stop},
        [&](Label key, std::size_t place) { return search_.run(key, results[place]); },
        [&](std::size_t first, std::span<const Label> keys) {
          return verify_batch(first, keys, std::span<const Result>(results), verifying);
        });

    if (context_.ranks.size() > 1) {
      const RouteOptions& route = Kind::options(options_).route;
      report.communication = gather_communication(search_.communication().since(sent_before), route, context_.ranks);
      Kind::predict_traffic(*report.communication, graph_, options_, context_.ranks);
    }
    report.device = search_.device();
    if (report.device) {
      report.device->copies -= at_first->copies;
      report.device->copy_seconds -= at_first->copy_seconds;
    }
    report.warm_up = before;
    report.validated_on_device = on_device != nullptr;
    return report;
  }

  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return search_.borrowed_bytes(); }

 private:
  /// By what a batch is verified, and where.
  struct Verifying {
    const EdgeList& edges;
    Context context;
    const DeviceValidation* on_device;  ///< nullptr where processors validate
    std::size_t a_pass;
  };

  [[nodiscard]] std::vector<Verification> verify_batch(std::size_t first, std::span<const Label> keys,
                                                       std::span<const Result> found,
                                                       const Verifying& verifying) const {
    const DeviceValidation* const on_device = verifying.on_device;
    const std::size_t validated = to_validate(options_.validation, first, keys.size());
    const auto validate = [&] {
      const auto claimed = claims(keys.first(validated), found, Kind::claim);
      return on_device != nullptr
                 ? on_device->validate(claimed)
                 : Kind::validate(claimed, verifying.edges, graph_.distribution(), verifying.context, verifying.a_pass);
    };
    const auto count = [&] {
      const auto tree = [](Label key, const Result& result) { return SearchResult{key, Kind::parents(result)}; };
      const auto trees = claims(keys.subspan(validated), found.subspan(validated), tree);
      return on_device != nullptr ? on_device->count_traversed_edges(trees)
                                  : count_traversed_edges(verifying.edges, trees, graph_.distribution(),
                                                          verifying.context, verifying.a_pass);
    };
    return verify(keys.size(), validated, validate, count, context_.ranks);
  }

  /// On devices a search from a vertex drawn after the keys. Collective.
  std::optional<WarmUp> warm_up(std::span<const Label> keys, Result& result) {
    if (Kind::options(options_).device == Device::cpu) return {};
    const std::vector<Label> others = draw_search_keys(graph_, {.scale = options_.scale, .seed = options_.seed}, 1,
                                                       {keys.begin(), keys.end()}, context_.ranks);
    if (others.empty()) return {};
    const Stopwatch stopwatch;
    (void)search_.run(others.front(), result);
    return WarmUp{others.front(), stopwatch.seconds()};
  }

  const Graph& graph_;
  const BenchmarkOptions& options_;
  Context context_;
  typename Kind::Search search_;
};
}  // namespace

std::unique_ptr<Kernel> make_bfs_kernel(const Graph& graph, const BenchmarkOptions& options, const Context& context) {
  return std::make_unique<SearchKernel<BreadthFirst>>(graph, options, context);
}

std::unique_ptr<Kernel> make_sssp_kernel(const Graph& graph, const BenchmarkOptions& options, const Context& context) {
  return std::make_unique<SearchKernel<ShortestPaths>>(graph, options, context);
}

}  // namespace breadth
