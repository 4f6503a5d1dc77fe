#include "cli/commands/calibration.hpp"

#include "cli/options/effect.hpp"
#include "cli/options/tunables.hpp"
#include "cli/running.hpp"
#include "comm/nodes.hpp"
#include "graph500/run_prediction.hpp"
#include "model/graph_size.hpp"
#include "model/traffic_prediction.hpp"
#include "tune/tuning.hpp"

namespace breadth::cli {

// Hubs by the speed of links.

bool leaves_hubs_open(const OptionSet& options, const BenchmarkOptions& benchmark) {
  const BfsOptions& bfs = benchmark.bfs;
  const bool searches =
      benchmark.kernels == KernelKind::bfs && bfs.direction.may_choose() && bfs.pull == PullPolicy::replicated;
  const bool graph =
      benchmark.input.empty() && !benchmark.layout.grid && benchmark.layout.neighbours == NeighbourOrder::vertices;
  const bool nobody_chose = benchmark.preset == "auto" && !benchmark.profile && benchmark.calibrate_seconds > 0;
  return searches && graph && nobody_chose && !options.given_for(benchmark.layout.hubs);
}

void choose_hubs_by_links(BenchmarkOptions& benchmark, const Communicator& ranks) {
  const Nodes nodes(ranks);  // real machines: there are no links between simulated nodes
  const std::optional<LinkSpeed> links = measure_links(nodes);
  if (!links) return;
  const HubChoice automatic{HubRule::automatic};
  const std::uint64_t hubs = expected_hubs(automatic, benchmark.scale, benchmark.edgefactor, ranks.size()).count;
  const std::uint64_t edges = expected_kronecker_size(benchmark.scale, benchmark.edgefactor, false).edges;
  LinkHubs why{.saved_bytes = predict_hub_savings(edges, hubs, nodes.count()),
               .bytes_per_second = links->bytes_per_second,
               .round_seconds = links->round_seconds};
  why.saved_seconds = why.saved_bytes / static_cast<double>(nodes.count()) / links->bytes_per_second;
  why.chosen = why.saved_seconds > links->round_seconds;
  if (why.chosen) benchmark.layout.hubs = automatic;
  benchmark.link_hubs = why;
}

// Options by trying them.

void add_calibrate_option(OptionSet& options, CalibrationSettings& calibration) {
  options.add_number(
      "calibrate", calibration.seconds, {0, 1e6},
      {.group = OptionGroup::ranks,
       .meaning = "seconds to try options between ranks that you did not give; no search key is used as a source",
       .between_ranks = true,
       .on_processors = true});
}

namespace {
/// A few keys are enough to find large differences, which are all that matters here; `breadth tune` uses more.
constexpr std::uint64_t calibration_keys = 8;
/// The fewest edges for calibration. With fewer a search on one machine takes less than a millisecond, and all choices
/// are alike; between machines each level waits for links.
constexpr std::uint64_t fewest_edges = std::uint64_t{1} << 20;
constexpr std::uint64_t fewest_edges_between_machines = std::uint64_t{1} << 16;

/// The option whose value leaves nothing to calibrate, and the reason.
struct Against {
  const Option* option;
  const char* reason;
};

std::optional<Against> against_calibration(const OptionSet& options, const BenchmarkOptions& benchmark) {
  const auto because_of = [&options](const auto& field, const char* reason) {
    return Against{options.option_of(&field), reason};
  };
  if (benchmark.preset != "auto") return because_of(benchmark.preset, "a preset chooses the options");
  if (benchmark.profile) return Against{options.find("profile"), "a profile chooses the options"};
  if (!benchmark.kernels.has(KernelKind::bfs)) return because_of(benchmark.kernels, unless_bfs.reason);
  if (!benchmark.bfs.direction.may_choose())
    return because_of(benchmark.bfs.direction.policy, "only searches that choose their direction are calibrated");
  if (benchmark.layout.grid) return because_of(benchmark.layout.grid, on_grid.reason);
  return {};
}

/// Throws UsageError if the user requested calibration and there is nothing to try.
void require_something_to_try(const OptionSet& options, const BenchmarkOptions& benchmark,
                              const CalibrationSettings& calibration) {
  if (!calibration.asked || !calibration.tunables.empty()) return;
  const Option& calibrate = *options.option_of(&calibration.seconds);
  if (const std::optional<Against> against = against_calibration(options, benchmark))
    options.refuse(calibrate.name, against->option->name, against->reason);
  fail<UsageError>("{} has no effect: you gave every option that it would try", options.named(calibrate.name));
}

/// The options that calibration would try.
std::vector<Tunable> open_tunables(const OptionSet& options, const BenchmarkOptions& benchmark) {
  std::vector<Tunable> tunables;
  for (const Tunable& tunable : engine_tunables()) {
    const bool open_here = tunable.only_between_ranks && !tunable.of_graph;  // the graph is already built
    if (open_here && !options.given(tunable.option)) tunables.push_back(tunable);
  }
  const Choices choices{.bfs = benchmark.bfs, .layout = benchmark.layout, .kernels = benchmark.kernels};
  std::erase_if(tunables, [&](const Tunable& tunable) {
    return idle_by(*options.find(tunable.option), options, choices) != nullptr;
  });
  // A bulk exchange would make these options ineffective, so it is not tried if they were given.
  if (!options.given_for(benchmark.bfs.messages.ending) && !options.given_for(benchmark.bfs.messages.coalescing))
    return tunables;
  std::erase_if(tunables, [&](const Tunable& tunable) {
    return options.find(tunable.option)->field == &benchmark.bfs.messages.exchange;
  });
  return tunables;
}

/// The reason why no choice matters for this graph on these ranks; empty if one may matter.
std::string nothing_to_try(const Graph& graph, std::uint64_t search_keys, const Communicator& ranks) {
  if (ranks.size() == 1) return "there is one rank";
  const bool one_machine = Nodes(ranks).count() == 1;
  const std::uint64_t fewest = one_machine ? fewest_edges : fewest_edges_between_machines;
  if (graph.edge_count() < fewest)
    return fmt::format("the graph has {} edges, fewer than {}", graph.edge_count(), fewest);
  if (graph.connected_vertices() < 2 * search_keys) return "more than half of the vertices with edges are search keys";
  return {};
}
}  // namespace

void choose_tunables(const OptionSet& options, const BenchmarkOptions& benchmark, CalibrationSettings& calibration) {
  const bool open = calibration.seconds > 0 && !against_calibration(options, benchmark);
  calibration.asked = calibration.seconds > 0 && options.given_for(calibration.seconds);
  calibration.tunables = open ? open_tunables(options, benchmark) : std::vector<Tunable>();
  require_something_to_try(options, benchmark, calibration);
}

std::optional<CalibrationReport> calibrate(const Graph& graph, const SearchKeySeed& seed, BenchmarkOptions& benchmark,
                                           const CalibrationSettings& calibration, RunObserver& observer,
                                           const Context& context) {
  if (calibration.tunables.empty()) return {};
  if (const std::string why = nothing_to_try(graph, benchmark.keys, context.ranks); !why.empty()) {
    if (calibration.asked) observer.step("auto: no options are tried (--calibrate), because " + why);
    return {};
  }
  observer.step("auto: trying options that you did not give");
  const TimeBudget budget(calibration.seconds);
  const TuningKeys keys = draw_tuning_keys(graph, seed, benchmark.keys, calibration_keys, context.ranks);
  CalibrationReport report{.keys = keys.search.size()};
  const BfsOptions given = benchmark.bfs;
  const auto options_of = [&](const Setting& setting) { return bfs_options(calibration.tunables, setting, given); };
  const TuningResult result =
      tune(graph, keys, {.tunables = calibration.tunables, .defaults = default_setting(calibration.tunables, given)},
           {.options_of = options_of, .budget = budget, .stop = InterruptGuard::has_received},
           {.trial =
                [&report](const Trial& trial) {
                  report.trials.push_back(
                      {trial.option, trial.incumbent, trial.challenger, trial.comparison.speedup, trial.kept});
                }},
           context);
  benchmark.bfs = options_of(result.best);
  report.not_tried = result.not_tried;
  report.interrupted = result.interrupted;
  report.speedup = result.judged.speedup;
  for (std::size_t i = 0; i < calibration.tunables.size(); ++i) {
    report.chosen.emplace_back(calibration.tunables[i].option, result.best[i]);
  }
  report.seconds = budget.spent(context.ranks);
  observer.step("auto: " + describe(report));
  return report;
}

}  // namespace breadth::cli
