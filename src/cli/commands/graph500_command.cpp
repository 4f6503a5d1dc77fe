// breadth graph500
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/commands/calibration.hpp"
#include "cli/commands/device_choice.hpp"
#include "cli/commands/expected_memory.hpp"
#include "cli/commands/graph_files.hpp"
#include "cli/commands/profile.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_json.hpp"
#include "cli/options/presets.hpp"
#include "cli/options/rank_options.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "comm/nodes.hpp"
#include "core/text.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/search.hpp"
#include "graph500/benchmark.hpp"
#include "graph500/devices/device_edges.hpp"
#include "graph500/report/output.hpp"
#include "graph500/report/progress.hpp"
#include "graph500/run_prediction.hpp"
#include "io/graph_format.hpp"
#include "traverse/devices/gpu_part.hpp"

namespace breadth::cli {

namespace {
enum class OutputFormat { specification, reference };

struct Graph500Settings {
  CommonSettings common;
  BenchmarkOptions benchmark;
  DeviceSettings device;
  Profile profile;
  CalibrationSettings calibration;
  bool hubs_open = false;                     ///< whether the speed of links decides about hubs
  std::vector<std::string> idle_on_one_rank;  ///< options that were given or set by the preset
  std::string json;
  OutputFormat format = OutputFormat::specification;
};

void declare(Command& command, Graph500Settings& settings) {
  OptionSet& options = command.options;
  BenchmarkOptions& benchmark = settings.benchmark;
  add_scale_option(options, benchmark.scale, "none; with --input, from the file");
  add_edgefactor_option(options, benchmark.edgefactor);
  add_seed_option(options, benchmark.seed);
  add_run_options(options, benchmark);
  add_json_option(options, settings.json);
  options.add_choice("output-format", settings.format,
                     {{"spec", OutputFormat::specification}, {"reference", OutputFormat::reference}},
                     {.group = OptionGroup::everyday,
                      .meaning = "format: the specification's, or that of the reference's release 3.0"});
  add_device_options(options, settings.device);
  add_device_control_option(options, settings.device.control);
  add_device_edges_options(options, benchmark.device_edges, benchmark.device_block);
  add_layout_options(options, benchmark.layout);
  add_hubs_option(options, benchmark.layout.hubs);
  add_engine_options(options, benchmark.bfs);
  add_topology_option(options, benchmark.bfs.messages.route);
  add_sssp_options(options, benchmark.sssp);
  add_weighted_columns_option(options, benchmark.layout.weighted_columns);
  add_calibrate_option(options, settings.calibration);
  add_common_options(options, settings.common);
  add_profile(command, settings.profile);
  add_preset(command, benchmark.preset);
}

/// Whether a file's edges are read from it repeatedly, instead of once into memory.
bool stays_in_file(const std::string& path) { return !path.empty() && !input_kind(path).is_text(); }

void check(const OptionSet& options, Graph500Settings& settings) {
  BenchmarkOptions& benchmark = settings.benchmark;
  check_partition(options, benchmark.kernels, benchmark.layout);
  share_options(options, benchmark.kernels, benchmark.bfs, benchmark.sssp);
  benchmark.bfs.messages.route.ranks_per_node = benchmark.bfs.replication.ranks_per_node;
  benchmark.profile = used_profile(settings.profile);
  check_layout_options(options, benchmark.layout);
  check_engine_options(options, benchmark.bfs, benchmark.layout);
  check_effect(options, {.bfs = benchmark.bfs,
                         .sssp = benchmark.sssp,
                         .layout = benchmark.layout,
                         .kernels = benchmark.kernels,
                         .device = settings.device.device,
                         .counts_hops = true});
  check_device(options, settings.device, benchmark.layout);
  check_device_of(options, settings.device, benchmark.kernels);
  choose_tunables(options, benchmark, settings.calibration);
  benchmark.watchdog_seconds = settings.common.watchdog;
  benchmark.calibrate_seconds = settings.calibration.seconds;
  settings.hubs_open = leaves_hubs_open(options, benchmark);
  settings.idle_on_one_rank = options.without_effect_on_one_rank();
  if (!options.given_for(benchmark.input)) {
    if (!options.given_for(benchmark.scale)) fail<UsageError>("breadth graph500 needs --scale, or --input");
    if (!options.given_for(benchmark.edge_folder) || makes_edge_file(benchmark)) return;
    fail<UsageError>("--edge-folder needs --edge-list file: only then does a run write its edge list to a file");
  }
  const bool mapped = stays_in_file(benchmark.input);
  if (!options.given_for(benchmark.edge_list))
    benchmark.edge_list = mapped ? EdgeListPlace::file : EdgeListPlace::memory;
  if (benchmark.edge_list == EdgeListPlace::file && !mapped) {
    fail<UsageError>("--edge-list file needs a {} file: {} is read into memory", endings_read_in_place(),
                     benchmark.input);
  }
  if (benchmark.edge_list == EdgeListPlace::regenerate) {
    fail<UsageError>("--input and --edge-list regenerate exclude each other: only generated edges can be regenerated");
  }
}

/// Throws OutOfMemory if this rank's GPU has less free memory than planned.
void require_device_memory(const gpu::RunPlan& plan, const BenchmarkOptions& benchmark, int ranks,
                           const gpu::NodePlace& place) {
  const gpu::DeviceMemory there = gpu::cuda_memory(place);
  if (stays_on_device(benchmark, ranks)) {
    gpu::require_run_memory(plan, there.free_bytes, there.device);
  } else {
    gpu::require_memory(plan.searches, there.free_bytes, there.device);
  }
}

/// Checks the GPU memory for the graph that the options generate, before it is generated. Collective.
void require_device_memory(const BenchmarkOptions& benchmark, const Communicator& ranks) {
  const gpu::NodePlace place = place_on_node(ranks, Device::gpu);
  run_together(ranks, [&] {
    require_device_memory(expected_run_memory(benchmark, ranks.size()), benchmark, ranks.size(), place);
  });
}

/// Whether a GPU has too little memory for the searches of all kernels at once, or whether this is not known yet.
/// Collective.
bool kernels_in_turn(const BenchmarkOptions& benchmark, const Communicator& ranks) {
  if (benchmark.bfs.device.kind != Device::gpu || !benchmark.kernels.several()) return false;
  if (!benchmark.input.empty()) return true;
  std::uint64_t needed = 0;
  for (const KernelKind kind : benchmark.kernels.kinds()) {
    BenchmarkOptions alone = benchmark;
    alone.kernels = kind;
    needed += expected_device_memory(alone, ranks.size()).bytes();
  }
  const gpu::NodePlace place = place_on_node(ranks, Device::gpu);
  return !ranks.all(run_together(ranks, [&] { return needed <= gpu::cuda_memory(place).free_bytes; }));
}

/// The violations of each search that failed its validation.
std::string violations_text(const BenchmarkReport& report) {
  std::string text;
  for (const KernelReport& kernel : report.kernels) {
    for (const SearchRecord& search : kernel.searches) {
      for (const std::string& violation : search.verification.violations) {
        text += fmt::format("{} from {}: {}\n", kernel.name, search.key.value, violation);
      }
    }
  }
  return text;
}

/// Reports that a route has no effect if all ranks are in one group, and records it in the options. Collective.
void name_idle_route(BenchmarkOptions& benchmark, const Communicator& ranks) {
  const RoutePolicy route = benchmark.bfs.messages.route.policy;
  if (route == RoutePolicy::direct || make_groups(benchmark.bfs.messages.route, ranks).count() > 1) return;
  benchmark.without_effect = {"route"};
  if (ranks.rank() > 0) return;
  say(fmt::format("--route {} has no effect: all ranks are in one group\n", name_of(route)));
}

/// Reports which options have no effect on these ranks, and records their names in the options. Collective.
void name_idle_options(Graph500Settings& settings, const Communicator& ranks) {
  BenchmarkOptions& benchmark = settings.benchmark;
  if (ranks.size() > 1) return name_idle_route(benchmark, ranks);
  benchmark.without_effect = settings.idle_on_one_rank;
  say_without_effect(settings.idle_on_one_rank, ranks);
}

int exit_status(const BenchmarkReport& report, const Communicator& ranks) {
  if (!report.complete()) return interrupt_status(ranks);
  return report.valid() ? 0 : 1;
}

/// Sets this device in the options of all searches, and the settings that depend on it.
void use_device_in_all(const SettledDevice& settled, const DeviceSettings& settings, BenchmarkOptions& benchmark) {
  benchmark.bfs.device = device_options(settled, settings);
  benchmark.sssp.device = benchmark.bfs.device;
  benchmark.device_choice = settled.choice;
  settle_hub_rule(benchmark.layout.hubs, benchmark.bfs);
}

/// The device of a run. With auto, the part of the run whose size is known in advance must fit; for a file nothing is
/// known. Collective.
SettledDevice device_of(const Graph500Settings& settings, const Communicator& ranks) {
  return settle_device(settings.device, ranks, [&](Device device, DeviceTransport transport) {
    BenchmarkOptions benchmark = settings.benchmark;
    use_device_in_all({.device = device, .transport = transport, .choice = {}}, settings.device, benchmark);
    run_together(ranks, [&] {
      if (benchmark.device_edges) require_edges_on_one_rank(*benchmark.device_edges, ranks.size());
    });
    if (device != Device::gpu || !benchmark.input.empty() || settings.device.device) return;
    require_device_memory(benchmark, ranks);
  });
}

/// Throws Error on all ranks unless there is enough memory for the whole run. Collective.
void require_memory_for_run(const BenchmarkOptions& benchmark, const Communicator& ranks, ThreadTeam& team) {
  if (benchmark.input.empty()) {
    const Nodes nodes(ranks, benchmark.bfs.replication.ranks_per_node);
    const RunPlace place{ranks.size(), nodes.count(), team.size()};
    require_memory(predict_generated(benchmark, place), ranks,
                   [&](std::uint64_t available) { return what_fits(benchmark, place, available); });
    if (benchmark.bfs.device.kind == Device::gpu) require_device_memory(benchmark, ranks);
  } else if (!stays_on_device(benchmark, ranks.size())) {
    require_memory_for_file(benchmark.input, benchmark.layout, benchmark.bfs.summary, benchmark.kernels, {ranks, team});
  }
}

/// Thrown if the device that auto chose has too little memory for a file's graph, which is known only after the file is
/// read.
class NoRoomForFile : public AgreedError {
 public:
  using AgreedError::AgreedError;
};

/// Throws AgreedError if the graph of a file does not fit on this machine; NoRoomForFile if only the GPU that auto
/// chose has too little memory. Collective.
void admit(const GraphSize& size, const BenchmarkOptions& benchmark, const Communicator& ranks, ThreadTeam& team) {
  const bool copied = host_keeps_edges(benchmark, ranks.size()) && stays_in_file(benchmark.input);
  if (benchmark.device_choice && benchmark.bfs.device.kind == Device::gpu) {
    const gpu::NodePlace place = place_on_node(ranks, Device::gpu);
    try {
      run_together(ranks, [&] {
        require_device_memory(max_run_memory(size, benchmark, ranks.size()), benchmark, ranks.size(), place);
      });
    } catch (const AgreedError& error) {
      throw NoRoomForFile(error.what());
    }
  }
  require_memory(predict_run(size, benchmark, ranks.size(), team.size(), copied), ranks);
}

/// Runs the benchmark on the device that the options name. Collective.
BenchmarkReport run_there(Graph500Settings& settings, RankThreads& threads, RunObserver& observer,
                          const Communicator& ranks) {
  BenchmarkOptions& benchmark = settings.benchmark;
  ThreadTeam& team = threads.team();
  require_memory_for_run(benchmark, ranks, team);
  benchmark.kernels_in_turn = kernels_in_turn(benchmark, ranks);
  return run_benchmark(benchmark,
                       {.context = {ranks, team},
                        .observer = observer,
                        .stop = InterruptGuard::has_received,
                        .admit = [&](const GraphSize& size) { admit(size, benchmark, ranks, team); },
                        .machine = describe_machine(threads.placement()),
                        .calibrate =
                            [&](const Graph& graph, const SearchKeySeed& seed, BenchmarkOptions& options) {
                              return calibrate(graph, seed, options, settings.calibration, observer, {ranks, team});
                            }});
}

int run(Graph500Settings& settings, const Communicator& ranks) {
  BenchmarkOptions& benchmark = settings.benchmark;
  load_route_files(benchmark.bfs.messages.route, ranks);
  benchmark.sssp.messages.route = benchmark.bfs.messages.route;
  check_ranks(benchmark.kernels, ranks.size());
  use_device_in_all(device_of(settings, ranks), settings.device, benchmark);
  ResultOutput output(settings.json, ranks);
  run_together(ranks, [&] {
    if (benchmark.layout.grid) (void)grid_of(*benchmark.layout.grid, ranks.size());
  });
  if (settings.hubs_open && benchmark.bfs.device.kind == Device::cpu) choose_hubs_by_links(benchmark, ranks);
  RankThreads threads(settings.common, ranks);
  print_choice(benchmark.device_choice, ranks);
  name_idle_options(settings, ranks);
  warn_of_misfit(settings.profile, ranks, threads.placement());
  const InterruptGuard interrupts;
  RunObserver silent;
  ProgressPrinter printer(stderr, progress_style_for(stderr));
  RunObserver& observer = ranks.rank() == 0 ? printer : silent;
  const BenchmarkReport report = [&] {
    try {
      return run_there(settings, threads, observer, ranks);
    } catch (const NoRoomForFile& error) {
      const DeviceChoice choice{.taken = Device::cpu, .reason = error.what()};
      use_device_in_all({.choice = choice}, settings.device, benchmark);
      print_choice(choice, ranks);
      return run_there(settings, threads, observer, ranks);
    }
  }();

  if (ranks.rank() == 0) say(violations_text(report));
  output.write(settings.format == OutputFormat::reference ? reference_text(report) : specification_text(report),
               [&] { return json_text(report, benchmark_json(report.options, report.ranks)); });
  if (ranks.rank() == 0) say(closing_line(report));
  return exit_status(report, ranks);
}
}  // namespace

Command graph500_command() {
  return command_with<Graph500Settings>(
      {.name = "graph500", .summary = "run the Graph500 benchmark", .example = "--scale 20"});
}

}  // namespace breadth::cli
