#include "graph500/report/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <span>

#include "comm/phase.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "simd/instruction_set.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth {

// The machine that a result was measured on.

namespace {
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

/// The number of different values of a property among the processors of a machine.
int count_different(const Topology& topology, int Processor::*property) {
  std::set<int> values;
  for (const Processor& processor : topology) values.insert(processor.*property);
  return static_cast<int>(values.size());
}
}  // namespace

Machine describe_machine(const Placement& placement) {
  Machine machine;
  machine.hostname = host_name();
  machine.cpu = processor_model();
  machine.sockets = count_different(placement.topology, &Processor::socket);
  machine.numa_domains = count_different(placement.topology, &Processor::numa_domain);
  machine.cores = count_different(placement.topology, &Processor::core);
  machine.processors = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  machine.usable_processors = std::max(1, static_cast<int>(placement.usable.size()));
  machine.bind = placement.policy;
  machine.binding = placement.plan.binding;
  machine.binding_reason = placement.plan.reason;
  machine.simd = name_of(instruction_set());
  machine.huge_pages = huge_pages_possible();
  machine.memory_bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  machine.mpi = MessagePassing::library();
  machine.compiler = BREADTH_COMPILER;
  return machine;
}

// Traffic between ranks in all searches of a kernel.

namespace {
DistanceReport gather_distances(const CommunicationRecord& record, const RouteOptions& route,
                                const Communicator& ranks) {
  const Groups groups = make_groups(route, ranks);
  const std::vector<NetworkPlace> places = route.network.empty() ? places_of(groups) : route.network;
  TrafficByDistance traffic = by_distance(record.sent, ranks.rank(), groups, places);
  auto& [inside, between, hops] = traffic;
  std::uint64_t* const sums[] = {&inside.messages, &inside.bytes, &between.messages, &between.bytes,
                                 &hops.chip,       &hops.board,   &hops.bunch,       &hops.cabinet};
  for (std::uint64_t* sum : sums) *sum = ranks.all_reduce(*sum, Reduction::sum);
  const double seconds =
      ranks.all_reduce(record.seconds.receive + record.seconds.send + record.seconds.finish, Reduction::sum) /
      ranks.size();
  DistanceReport report{
      .groups = groups.count(), .largest_group = groups.largest(), .traffic = traffic, .efficiency = {}};
  if (seconds > 0) report.efficiency = static_cast<double>(inside.bytes + between.bytes) / seconds;
  return report;
}
}  // namespace

CommunicationReport gather_communication(const CommunicationRecord& record, const RouteOptions& route,
                                         const Communicator& ranks) {
  RankCommunication own{.sent = {},
                        .queries = record.queries,
                        .partial_packets = record.partial_packets,
                        .seconds = record.seconds,
                        .all_reduce_seconds = record.all_reduce_seconds};
  for (const SentTraffic& to_one : record.sent) own.sent += to_one;
  CommunicationReport report{.ranks = ranks.all_gather(own),
                             .matrix = {},
                             .distances = gather_distances(record, route, ranks),
                             .predicted_messages = {},
                             .predicted_bytes = {}};
  if (ranks.size() > 1 && ranks.size() <= CommunicationReport::max_ranks_of_matrix) {
    report.matrix = ranks.all_gather_varying(std::span<const SentTraffic>(record.sent));
  }
  return report;
}

// A run.

bool KernelReport::valid() const noexcept { return count(Verdict::invalid) == 0; }

std::size_t KernelReport::count(Verdict verdict) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      searches, [verdict](const SearchRecord& search) { return search.verification.verdict == verdict; }));
}

bool BenchmarkReport::complete() const noexcept { return std::ranges::all_of(kernels, &KernelReport::complete); }

bool BenchmarkReport::valid() const noexcept { return std::ranges::all_of(kernels, &KernelReport::valid); }

namespace {
/// "replicate subgroups, coalescing 4096"
std::string values_text(const std::vector<std::pair<std::string, std::string>>& options) {
  return joined(texts_of(options, [](const auto& one) { return one.first + " " + one.second; }), ", ");
}
}  // namespace

std::string describe(const CalibrationReport& calibration) {
  if (calibration.trials.empty()) {
    const std::string why =
        calibration.interrupted
            ? "the run was interrupted before others were tried"
            : fmt::format("--calibrate left too little time after {:.1f} s to try others", calibration.seconds);
    return fmt::format("the defaults, since {}: {}", why, listed(calibration.not_tried));
  }
  const std::string why = calibration.speedup > 1
                              ? fmt::format("{:.2f} times as fast as the defaults", calibration.speedup)
                              : std::string("the defaults, since nothing was proved to be faster");
  return fmt::format("{}: {}, from {} keys in {:.1f} s", values_text(calibration.chosen), why, calibration.keys,
                     calibration.seconds);
}

std::string describe(const LinkHubs& why) {
  return fmt::format(
      "{}, since they save {:.3g} ms of a search at {:.3g} MB/s between nodes, {} than a round of {:.3g} ms",
      why.chosen ? "auto" : "none", 1e3 * why.saved_seconds, 1e-6 * why.bytes_per_second,
      why.chosen ? "more" : "no more", 1e3 * why.round_seconds);
}

std::string describe(const UsedProfile& profile) {
  return fmt::format("{} ({})", profile.path, profile.options.empty() ? "sets nothing" : values_text(profile.options));
}

std::string name_of(const HubChoice& hubs) {
  switch (hubs.rule) {
    case HubRule::none: return "none";
    case HubRule::automatic: return "auto";
    case HubRule::pan: return "pan";
    case HubRule::degree: return std::to_string(hubs.degree);
  }
  return "";
}

std::string name_of(const std::optional<GridShape>& grid) {
  if (!grid) return "1d";
  return *grid == GridShape{} ? "auto-2d" : fmt::format("{}x{}", grid->rows, grid->columns);
}

// Conformance with the specification.

namespace {
constexpr double required_edgefactor = 16;
constexpr std::uint64_t required_keys = 64;

/// Whether the edge list is generated again for each reading, because it is not stored.
bool made_for_each_reading(const BenchmarkOptions& options, int ranks) {
  return options.edge_list == EdgeListPlace::regenerate && !device_keeps_edges(options, ranks);
}
}  // namespace

std::vector<std::string> rules_broken(const BenchmarkReport& report) {
  const BenchmarkOptions& options = report.options;
  std::vector<std::string> broken;
  const auto add = [&broken](std::string rule) { broken.push_back(std::move(rule)); };

  if (made_for_each_reading(options, report.ranks)) {
    add("the edge list is generated again for each reading, so kernel 1 uses more than the list");
  }
  if (!report.from_generator) {
    add(fmt::format("the edge list of {} is not what the generator makes from seeds {},{}", options.input,
                    options.seed[0], options.seed[1]));
  }
  if (report.edgefactor != required_edgefactor) {
    add(fmt::format("the edge factor is {}, not {}", report.edgefactor, required_edgefactor));
  }
  for (const KernelKind kind : options.kernels.kinds()) {
    if (about(kind).number == nullptr) add(fmt::format("{} is not a kernel of the specification", name_of(kind)));
  }
  if (options.keys != required_keys) {
    add(fmt::format("{} search {}, not {}", options.keys, options.keys == 1 ? "key" : "keys", required_keys));
  }
  for (const KernelReport& kernel : report.kernels) {
    if (kernel.preparation_seconds) {
      add(fmt::format("{:.3g} s of preparation for {} searches, made after kernel 1, are in no kernel's time",
                      *kernel.preparation_seconds, kernel.name));
    }
    const std::size_t searches = kernel.searches.size();
    if (!kernel.complete())
      add(fmt::format("cut short after {} of {} {} searches", searches, kernel.keys, kernel.name));
    if (const std::size_t unchecked = kernel.count(Verdict::unchecked); unchecked > 0) {
      add(fmt::format("{} of {} {} searches were not validated", unchecked, searches, kernel.name));
    }
    if (const std::size_t invalid = kernel.count(Verdict::invalid); invalid > 0) {
      add(fmt::format("{} of {} {} searches failed validation", invalid, searches, kernel.name));
    }
  }
  return broken;
}

std::vector<std::string> rules_notes(const BenchmarkReport& report) {
  std::vector<std::string> notes;
  if (report.options.kernels.several()) {
    const std::vector<std::string> alone = texts_of(
        report.options.kernels.kinds(), [](KernelKind kind) { return fmt::format("--kernels {}", name_of(kind)); });
    notes.push_back(fmt::format(
        "each kernel searches its own graph; kernel 1's time includes building them all, and none changes afterwards. "
        "The specification allows kernel 1 any data structures, but speaks of one graph format for all kernels: "
        "separate runs with {} have one each",
        joined(alone, " and ")));
  }
  if (const auto& device = report.construction.device; device && device->reserved_bytes > 0) {
    notes.push_back(fmt::format("{} bytes of device memory were reserved from its driver before kernel 1's time began",
                                device->reserved_bytes));
  }
  for (const KernelReport& kernel : report.kernels) {
    if (const auto& warm_up = kernel.warm_up) {
      notes.push_back(fmt::format(
          "an untimed {} search from vertex {}, which is not a search key, ran before the timed ones to load the "
          "device's program; it took {:.3g} s",
          kernel.name, warm_up->vertex.value, warm_up->seconds));
    }
  }
  if (const auto& calibration = report.calibration) {
    notes.push_back(fmt::format(
        "untimed searches from {} vertices at a time, none of them a search key, ran before the timed ones to choose "
        "options; they took {:.1f} s, and --calibrate 0 turns them off",
        calibration->keys, calibration->seconds));
  }
  return notes;
}

}  // namespace breadth
