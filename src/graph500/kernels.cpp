#include "graph500/kernels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "comm/phase.hpp"
#include "core/data/label_array.hpp"
#include "core/memory/memory.hpp"
#include "graph/graph_contents.hpp"
#include "graph500/devices/device_edges.hpp"
#include "graph500/search_keys.hpp"
#include "graph500/searches.hpp"
#include "model/traffic_prediction.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"
#include "validate/label_messages.hpp"
#include "validate/validate.hpp"

namespace breadth {

// Kernels that search.

namespace {
/// The parts of SearchKernel that are specific to kernel 2.
struct BreadthFirst {
  static constexpr KernelKind kind = KernelKind::bfs;
  using Search = BreadthFirstSearch;
  using Result = LabelArray;

  static const BfsOptions& options(const BenchmarkOptions& all) { return all.bfs; }
  static const LabelArray& parents(const LabelArray& result) { return result; }
  static SearchResult claim(Label key, const LabelArray& result) { return {key, result}; }
  static std::vector<ValidationReport> validate(std::span<const SearchResult> found, const EdgeList& edges,
                                                const BlockDistribution& distribution, const Context& context,
                                                std::size_t per_pass) {
    return validate_bfs(edges, Directedness::undirected, found, distribution, context, per_pass);
  }
  /// Predicts the traffic of searches with these options, if the formulas apply to them.
  static void predict_traffic(CommunicationReport& report, const Graph& graph, const BfsOptions& options, int ranks) {
    if (options.direction.may_pull() || options.messages.exchange != ExchangePolicy::asynchronous) return;
    if (graph.partition().hubs().count() > 0 || options.messages.route.policy != RoutePolicy::direct) return;
    const PushTraffic traffic = predict_push_traffic(graph.edge_count(), ranks, options.messages.coalescing);
    report.predicted_messages = traffic.messages_per_rank;
    if (options.messages.packets == PacketFormat::pairs) report.predicted_bytes = traffic.bytes;
  }
};

/// The parts of SearchKernel that are specific to kernel 3.
struct ShortestPaths {
  static constexpr KernelKind kind = KernelKind::sssp;
  using Search = ShortestPathSearch;
  using Result = ShortestPathTree;

  static const SsspOptions& options(const BenchmarkOptions& all) { return all.sssp; }
  static const LabelArray& parents(const ShortestPathTree& result) { return result.parents; }
  static ShortestPathResult claim(Label key, const ShortestPathTree& result) {
    return {key, result.parents, result.distances.span()};
  }
  static std::vector<ValidationReport> validate(std::span<const ShortestPathResult> found, const EdgeList& edges,
                                                const BlockDistribution& distribution, const Context& context,
                                                std::size_t per_pass) {
    return validate_sssp(edges, Directedness::undirected, found, distribution, context, per_pass);
  }
  static void predict_traffic(CommunicationReport&, const Graph&, const SsspOptions&, int) {}
};

/// The results of searches from these keys, in the form that validation takes.
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
    const Phase phase(context_.ranks, about(Kind::kind).name());
    BufferPool pool;  // memory of one validation is reused by the next
    std::vector<Result> results;
    for (std::size_t i = 0; i < plan.searches; ++i) results.push_back(search_.empty_result());
    const std::unique_ptr<DeviceValidation> on_device =
        validation_on_device(options_, input.edges, graph_.vertex_count(), about(Kind::kind).weighted, context_);

    const std::optional<WarmUp> before = warm_up(input.keys, results.front());
    const std::optional<DeviceRecord> at_first = search_.device();
    const CommunicationRecord sent_before = search_.communication();
    const Verifying verifying{input.edges, {context_.ranks, context_.threads, &pool}, on_device.get(), plan.per_pass};
    KernelReport report = run_searches(
        name_of(Kind::kind), input.keys, plan.searches, {context_.ranks, input.observer, input.stop},
        [&](Label key, std::size_t place) { return search_.run(key, results[place]); },
        [&](std::size_t first, std::span<const Label> keys) {
          return verify_batch(first, keys, std::span<const Result>(results), verifying);
        });

    if (context_.ranks.size() > 1) {
      const RouteOptions& route = Kind::options(options_).messages.route;
      report.communication = gather_communication(search_.communication().since(sent_before), route, context_.ranks);
      Kind::predict_traffic(*report.communication, graph_, Kind::options(options_), context_.ranks.size());
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

  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const override { return search_.bytes_counted_elsewhere(); }

 private:
  /// The means to verify a batch.
  struct Verifying {
    const EdgeList& edges;
    Context context;
    const DeviceValidation* on_device;  ///< nullptr if processors validate
    std::size_t per_pass;
  };

  [[nodiscard]] std::vector<Verification> verify_batch(std::size_t first, std::span<const Label> keys,
                                                       std::span<const Result> found,
                                                       const Verifying& verifying) const {
    const DeviceValidation* const on_device = verifying.on_device;
    const std::size_t validated = to_validate(options_.validation, first, keys.size());
    const auto validate = [&] {
      const auto claimed = claims(keys.first(validated), found, Kind::claim);
      return on_device != nullptr ? on_device->validate(claimed)
                                  : Kind::validate(claimed, verifying.edges, graph_.distribution(), verifying.context,
                                                   verifying.per_pass);
    };
    const auto count = [&] {
      const auto tree = [](Label key, const Result& result) { return SearchResult{key, Kind::parents(result)}; };
      const auto trees = claims(keys.subspan(validated), found.subspan(validated), tree);
      return on_device != nullptr ? on_device->count_traversed_edges(trees)
                                  : count_traversed_edges(verifying.edges, trees, graph_.distribution(),
                                                          verifying.context, verifying.per_pass);
    };
    return verify(keys.size(), validated, validate, count, context_.ranks);
  }

  /// On devices, runs an untimed search from a vertex drawn after the keys. Collective.
  std::optional<WarmUp> warm_up(std::span<const Label> keys, Result& result) {
    if (Kind::options(options_).device.kind == Device::cpu) return {};
    return breadth::warm_up(draw_search_keys(graph_, {.scale = options_.scale, .seed = options_.seed}, 1,
                                             {keys.begin(), keys.end()}, context_.ranks),
                            [&](Label vertex) { (void)search_.run(vertex, result); });
  }

  const Graph& graph_;
  const BenchmarkOptions& options_;
  Context context_;
  typename Kind::Search search_;
};

/// The bytes of messages in a round of validation, with or without weights of tuples.
std::uint64_t validation_message_bytes(const GraphSize& size, bool with_weights, std::uint64_t levels_bytes, int ranks,
                                       int threads) {
  const std::uint64_t tuple_bytes = sizeof(PackedEdge) + (with_weights ? sizeof(float) : 0);
  return message_bytes_for(size.tuples, tuple_bytes, levels_bytes, ranks, threads);
}

SearchCosts bfs_costs(const GraphSize& size, int ranks, int threads) {
  SearchCosts costs{
      .search_bytes = bfs_search_bytes(size, ranks, threads), .result_bytes = result_bytes(size), .passes = {}};
  for (const std::size_t per_pass : searches_per_pass) {
    const std::uint64_t levels_bytes =
        per_pass == max_searches_per_pass ? 20 : 4;  // bytes; in lanes if searches are many
    costs.passes.push_back({per_pass, validation_bytes_per_label(per_pass, label_bytes(size)) * size.labels +
                                          validation_message_bytes(size, false, levels_bytes, ranks, threads)});
  }
  return costs;
}

SearchCosts sssp_costs(const GraphSize& size, int ranks, int threads) {
  SearchCosts costs{.search_bytes = sssp_search_bytes(size, ranks),
                    .result_bytes = result_bytes(size) + sizeof(float) * size.labels,
                    .passes = {}};
  for (const std::size_t per_pass : sssp_searches_per_pass) {
    costs.passes.push_back(
        {per_pass, sssp_validation_bytes_per_label(per_pass, label_bytes(size)) * size.labels +
                       validation_message_bytes(size, true, per_pass * sizeof(float), ranks, threads)});
  }
  return costs;
}

template <class Made>
std::unique_ptr<Kernel> make_as(const Graph& graph, const BenchmarkOptions& options, const Context& context) {
  return std::make_unique<Made>(graph, options, context);
}

constexpr std::array kernel_types = {
    KernelType{.kind = KernelKind::bfs,
               .costs = bfs_costs,
               .device_memory = [](const gpu::DeviceGraphSize& size) { return gpu::plan_memory(size); },
               .part_memory = gpu::plan_part_memory,
               .make = make_as<SearchKernel<BreadthFirst>>},
    KernelType{.kind = KernelKind::sssp,
               .costs = sssp_costs,
               .device_memory = [](const gpu::DeviceGraphSize& size) { return gpu::plan_paths_memory(size); },
               .part_memory = gpu::plan_part_paths_memory,
               .make = make_as<SearchKernel<ShortestPaths>>}};
static_assert(kernel_types.size() == kernel_list.size());
}  // namespace

const KernelType& kernel_type(KernelKind kind) { return *std::ranges::find(kernel_types, kind, &KernelType::kind); }

// Kernel 1.

void ConstructionClock::start() {
  ranks_.barrier();
  since_start_.emplace();
}

void ConstructionClock::stop() {
  const double seconds = since_start_->seconds();
  since_start_.reset();
  seconds_ += ranks_.all_reduce(seconds, Reduction::maximum);
}

std::uint64_t BuiltKernels::bytes_counted_elsewhere() const {
  std::uint64_t bytes = 0;
  for (const BuiltKernel& built : all) bytes += built.kernel ? built.kernel->bytes_counted_elsewhere() : 0;
  // Shared memory that did not raise the peak is not included.
  return std::min(bytes, peak_resident_bytes() - peak_before_kernels);
}

BuiltKernels construct(const EdgeList& edges, const BenchmarkOptions& options, const Context& context,
                       const std::function<void(const Graph& bfs)>& calibrate, const MakeKernel& make,
                       ConstructionClock& clock) {
  BuiltKernels built;
  const Graph* of_bfs = nullptr;
  clock.start();
  for (const KernelKind kind : options.kernels.kinds()) {
    const GraphOptions graph{.layout = about(kind).layout(options.layout), .keeps_weights = about(kind).weighted};
    built.all.push_back({&kernel_type(kind), std::make_unique<const Graph>(build_graph(edges, graph, context))});
    if (kind == KernelKind::bfs) of_bfs = built.all.back().graph.get();
  }
  if (calibrate && of_bfs != nullptr) {
    clock.stop();
    calibrate(*of_bfs);
    clock.start();
  }
  const Phase phase(context.ranks, "kernel 1: what searches need");
  built.peak_before_kernels = peak_resident_bytes();
  for (BuiltKernel& one : built.all) {
    one.kernel = make(*one.type, *one.graph, options, context);
    if (options.kernels_in_turn) break;
  }
  clock.stop();
  return built;
}

ConstructionReport report_of(const BuiltKernels& built, const ConstructionClock& clock, const Communicator& ranks) {
  std::uint64_t graph_bytes = 0;
  for (const BuiltKernel& one : built.all) graph_bytes += one.graph->bytes();
  return {.seconds = clock.seconds(),
          .peak_bytes = ranks.all_reduce(peak_resident_bytes() - built.bytes_counted_elsewhere(), Reduction::sum),
          .graph_bytes = ranks.all_reduce(graph_bytes, Reduction::sum),
          .hubs = built.any_graph().partition().hubs().count()};
}

}  // namespace breadth
