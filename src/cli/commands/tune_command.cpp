// breadth tune
#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>

#include "cli/command.hpp"
#include "cli/commands/expected_memory.hpp"
#include "cli/commands/graph_files.hpp"
#include "cli/commands/profile.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/tunables.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/run_prediction.hpp"
#include "io/files/output_file.hpp"
#include "model/graph_size.hpp"
#include "tune/tuning.hpp"

namespace breadth::cli {

namespace {
struct TuneSettings {
  CommonSettings common;
  std::string graph;
  bool directed = false;
  int scale = 0;
  std::uint64_t edgefactor = 16;
  std::array<std::uint64_t, 2> seed = {2, 3};
  GraphLayout layout = {};
  std::uint64_t keys = 64;
  double seconds = 120;
  std::string output;
};

void declare(Command& command, TuneSettings& settings) {
  OptionSet& options = command.options;
  options.add_argument(
      "graph", settings.graph,
      {.group = OptionGroup::everyday, .meaning = "graph file to tune for, instead of a generated graph"});
  add_directed_option(options, settings.directed);
  add_scale_option(options, settings.scale, "none; not with a graph file");
  add_edgefactor_option(options, settings.edgefactor);
  add_seed_option(options, settings.seed);
  options.add_number("keys", settings.keys, {1, 4096},
                     {.group = OptionGroup::everyday,
                      .meaning = "sources of each measurement, none of them a timed search key",
                      .source = graph500_specification});
  options.add_number(
      "time", settings.seconds, {0.001, 1e7},
      {.group = OptionGroup::everyday, .meaning = "seconds that tuning may take, building the graph included"});
  options.add_text(
      "output", settings.output, "a file",
      {.group = OptionGroup::everyday, .meaning = "profile to write, a TOML file", .required = true, .writes = true});
  add_layout_options(options, settings.layout);
  add_common_options(options, settings.common);
}

void check(const OptionSet& options, const TuneSettings& settings) {
  if (settings.layout.grid) {
    fail<UsageError>("{}: a search on a grid of ranks has no options to tune", options.named_for(settings.layout.grid));
  }
  check_layout_options(options, settings.layout);
  check_effect(options, {.layout = settings.layout});
  if (settings.graph.empty()) {
    if (!options.given_for(settings.scale)) fail<UsageError>("breadth tune needs a graph file, or --scale");
    if (settings.directed) fail<UsageError>("--directed needs a graph file: the generated graph is undirected");
    return;
  }
  (void)input_kind(settings.graph);
  const auto leave_to_file = [&options](const auto& field) {
    if (!options.given_for(field)) return;
    fail<UsageError>("a graph file and {} exclude each other: the file gives the edges", options.named_for(field));
  };
  leave_to_file(settings.scale);
  leave_to_file(settings.edgefactor);
  leave_to_file(settings.seed);
}

/// The frontier summary that takes the most memory among those that tuning tries: one bit for this many global ids.
constexpr std::size_t largest_summary = 64;

GraphLayout with_hubs(GraphLayout layout, const HubChoice& hubs) {
  layout.hubs = hubs;
  return layout;
}

/// The graphs for tuning, and the seed from which the benchmark would draw its search keys.
struct TunedInput {
  std::function<Graph(const HubChoice& hubs)> build;  ///< kernel 1
  SearchKeySeed key_seed;
};

TunedInput generate_input(const TuneSettings& settings, const Context& context) {
  GraphSize size = expected_kronecker_size(settings.scale, settings.edgefactor, false);
  size.layout = settings.layout;
  size.frontier.granularity = largest_summary;
  require_memory(predict_run(size, KernelKind::bfs, context.ranks.size(), context.threads.size(), true), context.ranks);
  BenchmarkOptions generated;  // not by initialisers: GCC 12 warns of uninitialised fields there
  generated.scale = settings.scale;
  generated.edgefactor = settings.edgefactor;
  generated.seed = settings.seed;
  const auto input = std::make_shared<const BenchmarkInput>(prepare_input(
      generated, [](const GraphSize&) {}, context));
  return {[&settings, input, context](const HubChoice& hubs) {
            return build_graph(*input->edges, {.layout = with_hubs(settings.layout, hubs)}, context);
          },
          {.scale = settings.scale, .seed = settings.seed}};
}

TunedInput read_input(const TuneSettings& settings, const Context& context) {
  const auto file = std::make_shared<const GraphFile>(
      read_fitting_graph(settings.graph, settings.layout, largest_summary, {}, context));
  return {[&settings, file, context](const HubChoice& hubs) {
            return build_file_graph(*file, directedness_of(*file, settings.directed), with_hubs(settings.layout, hubs),
                                    context);
          },
          {.scale = min_scale(discover_vertex_count(*file->edges, context))}};
}

/// Reports progress on standard error of the first rank.
class Narrator {
 public:
  explicit Narrator(const Communicator& ranks) : speaks_(ranks.rank() == 0) {}

  void step(std::string_view what) const {
    if (speaks_) say(fmt::format("{}\n", what));
  }
  void trial(const Trial& trial) const {
    step(fmt::format("{} {}: {} is {}: {}", trial.option, trial.incumbent, trial.challenger, text(trial.comparison),
                     trial.kept ? fmt::format("now {}", trial.challenger) : fmt::format("stays {}", trial.incumbent)));
  }
  void judged(const Comparison& comparison) const {
    step(fmt::format("on other keys, the options found are, against the defaults, {}: {}", text(comparison),
                     comparison.convincing ? "kept" : "not proved faster, so the defaults stay"));
  }

 private:
  static std::string text(const Comparison& comparison) {
    return fmt::format("{:.3f} times as fast (noise {:.3f}, spread {:.3f})", comparison.speedup, comparison.noise,
                       comparison.spread);
  }

  bool speaks_;
};

/// The graphs that tuning searches. If only one graph is needed, the edge list is freed after it is built.
class TunedGraphs {
 public:
  TunedGraphs(const TuneSettings& settings, const Context& context, const Narrator& narrator)
      : input_(settings.graph.empty() ? generate_input(settings, context) : read_input(settings, context)),
        tunables_(engine_tunables(context.ranks.size())),
        variants_([this](const Setting& setting) { return hubs_of(tunables_, setting); },
                  [this, &narrator](const std::string& hubs) {
                    narrator.step("building the graph, hubs: " + hubs);
                    return input_.build(hub_choice(hubs));
                  },
                  context.ranks) {
    const Graph& first = variants_.with(hubs_of({}, {}));
    const auto hubs = std::ranges::find_if(tunables_, &Tunable::of_graph);
    if (hubs != tunables_.end()) {
      if (settings.layout.neighbours == NeighbourOrder::vertices && fit(first, hubs->values.size(), context)) return;
      not_tried_.push_back(hubs->option);
      tunables_.erase(hubs);
    }
    input_.build = nullptr;
  }

  [[nodiscard]] const std::vector<Tunable>& tunables() const { return tunables_; }
  [[nodiscard]] const SearchKeySeed& key_seed() const { return input_.key_seed; }
  /// Options that are not tried, because the machine has too little memory for their graphs, or the layout does not
  /// allow them.
  [[nodiscard]] const std::vector<std::string>& not_tried() const { return not_tried_; }
  [[nodiscard]] GraphVariants& variants() { return variants_; }
  [[nodiscard]] const Graph& first() { return variants_.with(hubs_of({}, {})); }

 private:
  /// Whether `count` graphs fit, with the extra memory of kernel 1 for the last, assuming that all ranks share one
  /// machine.
  static bool fit(const Graph& graph, std::size_t count, const Context& context) {
    const std::uint64_t all = context.ranks.all_reduce(graph.bytes(), Reduction::sum);
    const std::uint64_t available = context.ranks.all_reduce(available_memory_bytes(), Reduction::minimum);
    return available / (count + 1) >= all;
  }

  TunedInput input_;
  std::vector<Tunable> tunables_;
  GraphVariants variants_;
  std::vector<std::string> not_tried_;
};

/// Checks early whether the profile can be written, and removes the file again, so that a run that is interrupted
/// during tuning leaves no file.
void require_writable(const std::string& path, const Communicator& ranks) {
  run_together(ranks, [&] {
    if (ranks.rank() == 0) const OutputFile removed_again(path);
  });
}

ProfileRecord record_of(const TuneSettings& settings, std::span<const Tunable> tunables, const TuningResult& result,
                        const Graph& graph, const Machine& machine, const Context& context) {
  ProfileRecord record{.version = BREADTH_VERSION,
                       .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                       .speedup = result.judged.speedup,
                       .spread = result.judged.spread,
                       .noise = result.noise,
                       .not_tried = result.not_tried,
                       .setup = {.cpu = machine.cpu,
                                 .cores = machine.cores,
                                 .ranks = context.ranks.size(),
                                 .threads = context.threads.size()},
                       .file = settings.graph,
                       .scale = settings.scale,
                       .edgefactor = settings.edgefactor,
                       .seed = settings.seed,
                       .adjacency = name_of(settings.layout.adjacency),
                       .vertices = graph.connected_vertices(),
                       .edges = graph.edge_count()};
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    if (result.tried[i]) record.options.emplace_back(tunables[i].option, result.best[i]);
  }
  return record;
}

std::string result_text(const ProfileRecord& record, const std::string& path) {
  std::string text;
  for (const auto& [option, value] : record.options) text += fmt::format("{}: {}\n", option, value);
  return text +
         fmt::format(
             "speedup: {:.4f}\nspread: {:.4f}\nnoise: {:.4f}\nkeys: {}\nseconds: {:.1f}\ngraphs: {}\nnot_tried: {}\n"
             "profile: {}\n",
             record.speedup, record.spread, record.noise, record.keys, record.seconds, record.graphs,
             record.not_tried.empty() ? "nothing" : joined(record.not_tried, ", "), path);
}

int run(const TuneSettings& settings, const Communicator& ranks) {
  const TimeBudget budget(settings.seconds);
  const InterruptGuard interrupts;
  require_writable(settings.output, ranks);
  RankThreads threads(settings.common, ranks);
  const Context context{ranks, threads.team()};
  const Narrator narrator(ranks);

  TunedGraphs graphs(settings, context, narrator);
  const TuningKeys keys =
      draw_tuning_keys(graphs.first(), graphs.key_seed(), BenchmarkOptions().keys, settings.keys, ranks);

  narrator.step("measuring");
  const std::vector<Tunable>& tunables = graphs.tunables();
  const TuningResult result =
      tune(graphs.variants(), keys, {.tunables = tunables, .defaults = default_setting(tunables)},
           {.options_of = [&](const Setting& setting) { return bfs_options(tunables, setting); },
            .budget = budget,
            .stop = InterruptGuard::has_received},
           {.trial = [&](const Trial& trial) { narrator.trial(trial); },
            .judged = [&](const Comparison& comparison) { narrator.judged(comparison); }},
           context);
  if (result.interrupted) return interrupt_status(ranks);
  ProfileRecord record =
      record_of(settings, tunables, result, graphs.first(), describe_machine(threads.placement()), context);
  record.keys = keys.search.size();
  record.graphs = graphs.variants().count();
  record.not_tried.insert(record.not_tried.end(), graphs.not_tried().begin(), graphs.not_tried().end());
  record.seconds = budget.spent(ranks);
  if (record.options.empty()) {
    fail<AgreedError>(
        "--time {} is too short to try anything: {:.1f} s passed before the first comparison, which takes about "
        "{:.1f} s with {} --keys, judging included; use --time {:.0f} or more, or fewer --keys",
        settings.seconds, record.seconds, result.left_out_seconds, record.keys,
        std::ceil(1.5 * (record.seconds + result.left_out_seconds)));
  }
  run_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    OutputFile file(settings.output);
    file.write(profile_text(record));
    file.commit();
  });
  print_result(result_text(record, settings.output), ranks);
  return 0;
}
}  // namespace

Command tune_command() {
  return command_with<TuneSettings>({.name = "tune",
                                     .summary = "find the fastest options for this machine and a graph",
                                     .example = "--scale 20 --output machine.toml"});
}

}  // namespace breadth::cli
