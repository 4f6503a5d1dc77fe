// The report of a benchmark run, the machine that it ran on, and whether it conforms to the specification: plain data,
// from which every output is made.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/routes/network.hpp"
#include "core/ids.hpp"
#include "core/policy/search.hpp"
#include "core/words.hpp"
#include "gpu/edges.hpp"
#include "graph500/kernel_list.hpp"
#include "model/memory_prediction.hpp"
#include "placement/placement.hpp"
#include "traverse/bfs.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

// The machine that a result was measured on.

/// The machine of rank 0. Fields that the system does not provide are empty or 0.
struct Machine {
  std::string hostname;
  std::string cpu;  ///< the processor's model name
  int sockets = 0;
  int numa_domains = 0;
  int cores = 0;
  int processors = 1;                             ///< logical processors
  int usable_processors = 1;                      ///< processors that the rank may run on, before it binds its threads
  BindingPolicy bind = BindingPolicy::automatic;  ///< the requested binding of threads
  Binding binding = Binding::none;                ///< the actual binding
  std::string binding_reason;                     ///< why threads are not bound, or not as requested
  std::string simd;                               ///< the instruction set of the vectorised kernels
  bool huge_pages = false;                        ///< whether arrays may use huge pages
  std::uint64_t memory_bytes = 0;                 ///< the machine's memory
  std::string mpi;                                ///< MPI library and version
  std::string compiler;                           ///< name and version
};

/// The machine that this process runs on, and its placement there.
Machine describe_machine(const Placement& placement);

// Traffic between ranks in all searches of a kernel.

/// The traffic of one rank, as in Fuentes et al. 2014, figs 2 and 3.
struct RankCommunication {
  SentTraffic sent;  ///< to all other ranks
  std::uint64_t queries = 0;
  std::uint64_t partial_packets = 0;
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;
};

/// How far the messages of all ranks went, counted for each hop.
struct DistanceReport {
  std::uint64_t groups = 0;
  std::uint64_t largest_group = 0;
  TrafficByDistance traffic;
  /// Gan & Zhang 2021, equation (6): the bytes of all ranks, counted for each hop, divided by the mean seconds that a
  /// rank spent on messages; nothing if no rank spent any.
  std::optional<double> efficiency;
};

/// The traffic of the searches in pushes.
struct CommunicationReport {
  /// With more ranks the matrix is left out, because it grows with the square of the number of ranks.
  static constexpr int max_ranks_of_matrix = 256;

  std::vector<RankCommunication> ranks;
  /// The traffic from rank s to rank d, at index s * (number of ranks) + d; may be empty.
  std::vector<SentTraffic> matrix;
  DistanceReport distances;
  /// Messages predicted by equation (1) of the paper from the graph's distinct edges, as a mean over ranks and
  /// searches. Only for searches that always push and send messages as they fill.
  std::optional<double> predicted_messages;
  /// Bytes of all ranks in a search, predicted by equation (2). Only if queries also travel as pairs.
  std::optional<double> predicted_bytes;
};

/// Collects the traffic that ranks counted on this route, without predictions. Collective; O(ranks^2) if the matrix is
/// kept.
CommunicationReport gather_communication(const CommunicationRecord& record, const RouteOptions& route,
                                         const Communicator& ranks);

// A run.

/// Where the edge list is kept while kernel 1 and the validation read it.
enum class EdgeListPlace { memory, file, regenerate };
constexpr auto words_of(EdgeListPlace) { return word_list<EdgeListPlace>({"memory", "file", "regenerate"}); }
/// Whether a device keeps the whole edge list in its memory, or receives it in blocks each time it is read.
enum class EdgeResidence { resident, streamed };
constexpr auto words_of(EdgeResidence) { return word_list<EdgeResidence>({"resident", "streamed"}); }
/// Which searches are validated. `alternate`: all, each before the next begins.
enum class ValidationPolicy { all, alternate, first, none };
constexpr auto words_of(ValidationPolicy) { return word_list<ValidationPolicy>({"all", "alternate", "first", "none"}); }

/// A profile from which options come (`breadth tune` writes profiles).
struct UsedProfile {
  std::string path;
  std::vector<std::pair<std::string, std::string>> options;  ///< the options that it set, with their values
};

/// The result of trying options before the timed searches.
struct CalibrationReport {
  /// A comparison of an option's value with the best of its other values.
  struct Trial {
    std::string option;
    std::string incumbent;
    std::string challenger;
    double speedup = 1;  ///< of the challenger over the incumbent
    bool kept = false;   ///< whether the challenger replaced the incumbent
  };
  std::uint64_t keys = 0;  ///< per measurement; none is a search key
  std::vector<Trial> trials;
  /// The options that were tried, with their values from now on, as confirmed on other keys.
  std::vector<std::pair<std::string, std::string>> chosen;
  double speedup = 1;                  ///< over the defaults; 1 if the defaults stay
  std::vector<std::string> not_tried;  ///< options for which there was no time
  bool interrupted = false;            ///< by a signal, which left no time for them
  double seconds = 0;
};

/// Whether the graph has hubs because links between nodes are slow, and the figures behind the decision.
struct LinkHubs {
  bool chosen = false;
  double saved_bytes = 0;       ///< expected savings of traffic between nodes in a search
  double saved_seconds = 0;     ///< the time that links take for the saved bytes
  double bytes_per_second = 0;  ///< received by a node while all nodes send, as measured
  double round_seconds = 0;     ///< until each node has received one word from all others
};

/// The device that --device auto chose, and why.
struct DeviceChoice {
  Device taken = Device::cpu;
  std::string reason;
};

/// The options of a run. They are checked where they are made (cli/commands/graph500_command.cpp).
struct BenchmarkOptions {
  int scale = 0;  ///< 0 with an input file: derived from its labels
  std::uint64_t edgefactor = 16;
  std::array<std::uint64_t, 2> seed = {2, 3};
  std::uint64_t keys = 64;
  EdgeListPlace edge_list = EdgeListPlace::memory;
  std::string input;                                       ///< the input file, if any
  std::string edge_folder;                                 ///< for a file that the run makes; default: edge_folder()
  std::optional<EdgeResidence> device_edges;               ///< default: edge_residence()
  std::uint64_t device_block = gpu::default_block_tuples;  ///< tuples per block if they are streamed
  ValidationPolicy validation = ValidationPolicy::all;
  Kernels kernels = KernelKind::bfs;
  GraphLayout layout = {};  ///< for breadth-first searches; KernelAbout::layout derives the layouts of other kernels
  BfsOptions bfs;
  SsspOptions sssp;
  /// Kernel 3 is made after kernel 2 is destroyed, outside kernel 1's time, because a device has no room for both.
  bool kernels_in_turn = false;
  double watchdog_seconds = 0;                ///< --watchdog
  double calibrate_seconds = 0;               ///< --calibrate
  std::optional<UsedProfile> profile;         ///< if options come from a profile
  std::optional<LinkHubs> link_hubs;          ///< if the speed of links decided whether `layout` has hubs
  std::optional<DeviceChoice> device_choice;  ///< if the program chose the device
  std::string preset = "auto";                ///< sets the options that were not given
  std::vector<std::string> without_effect;    ///< options without effect on these ranks, set by the preset or the route
};

/// Whether a run makes a file for its edge list.
inline bool makes_edge_file(const BenchmarkOptions& options) {
  return options.edge_list == EdgeListPlace::file && options.input.empty();
}

/// Whether edge list, graph and results of a run stay in the memory of a device. This is so for breadth-first searches
/// on one rank. For shortest paths and for several ranks the processors build the graph.
inline bool stays_on_device(const BenchmarkOptions& options, int ranks) {
  return options.bfs.device.kind != Device::cpu && options.kernels == KernelKind::bfs && ranks == 1;
}

/// How a device keeps the edge list. The default is resident if the run stays on the device and no other place is
/// chosen.
inline EdgeResidence edge_residence(const BenchmarkOptions& options, int ranks) {
  const bool whole = stays_on_device(options, ranks) && options.edge_list == EdgeListPlace::memory;
  return options.device_edges.value_or(whole ? EdgeResidence::resident : EdgeResidence::streamed);
}
/// The maximum number of tuples on the device at a time.
inline std::uint64_t device_tuples(const BenchmarkOptions& options, int ranks) {
  return edge_residence(options, ranks) == EdgeResidence::resident ? ~std::uint64_t{0} : options.device_block;
}
/// Whether the edge list is kept only in the memory of a device.
inline bool device_keeps_edges(const BenchmarkOptions& options, int ranks) {
  return stays_on_device(options, ranks) && edge_residence(options, ranks) == EdgeResidence::resident;
}
/// Whether the edge list is kept in the host's memory. A run on a device streams it from there.
inline bool host_keeps_edges(const BenchmarkOptions& options, int ranks) {
  return options.edge_list == EdgeListPlace::memory && !device_keeps_edges(options, ranks);
}

/// `unchecked`: the search was not validated, only its edges were counted.
enum class Verdict { valid, invalid, unchecked };

/// The result of validating a search.
struct Verification {
  Verdict verdict = Verdict::unchecked;
  std::uint64_t edges = 0;  ///< m: tuples of the edge list with both ends in the traversed component
  /// An equal share of its batch's time: searches that share a pass over the edge list cannot be timed individually.
  double seconds = 0;
  std::uint64_t batch = 1;  ///< searches that were verified together, including this one
  std::vector<std::string> violations;
};

/// One timed search.
struct SearchRecord {
  Label key = no_label;
  double seconds = 0;
  std::vector<LevelStatistics> levels;  ///< empty for a kernel without levels
  LeafPass leaves;
  std::optional<Traffic> settled = {};  ///< breadth-first searches: traffic that brings owners of hubs their parents
  std::optional<SettledLights> settled_lights = {};
  std::optional<DeviceSeconds> device_seconds = {};
  Verification verification;
};

/// An untimed search before the first key, so that no timed search includes loading the device's program.
struct WarmUp {
  Label vertex = no_label;  ///< not a search key
  double seconds = 0;
};

/// All searches of one kernel.
struct KernelReport {
  std::string name;  ///< the kernel's word, and the prefix of its lines in the output
  std::uint64_t keys = 0;
  std::vector<SearchRecord> searches;                     ///< fewer than keys if the run was cut short
  std::optional<CommunicationReport> communication = {};  ///< on several ranks
  std::optional<DeviceRecord> device = {};                ///< if a device carried the searches out
  bool validated_on_device = false;
  std::optional<WarmUp> warm_up = {};  ///< on a device, if there is a vertex that is not a key
  /// The seconds for making the kernel, if it was not made in kernel 1.
  std::optional<double> preparation_seconds = {};

  [[nodiscard]] bool complete() const noexcept { return searches.size() == keys; }
  /// Whether no search failed its validation.
  [[nodiscard]] bool valid() const noexcept;
  /// The number of searches with this verdict.
  [[nodiscard]] std::size_t count(Verdict verdict) const noexcept;
};

/// The resources that kernel 1 used on a device.
struct DeviceConstruction {
  std::uint64_t edge_list_bytes = 0;  ///< on the device
  std::uint64_t slabs = 0;            ///< slabs in which rows were sorted; each reads the edge list
  std::uint64_t reserved_bytes = 0;   ///< device memory that was reserved for kernel 1 before its time began
};

struct ConstructionReport {
  double seconds = 0;                             ///< kernel 1, on the slowest rank
  std::uint64_t peak_bytes = 0;                   ///< most resident until its end, all ranks together
  std::uint64_t graph_bytes = 0;                  ///< the graph, all ranks together
  std::uint64_t hubs = 0;                         ///< vertices of which every rank has a replica
  std::optional<DeviceConstruction> device = {};  ///< if the graph was built on a device; graph_bytes are there too
};

/// One run of the benchmark. `options` are the given ones, with the actual scale and edge factor of the edge list, and
/// with the options that calibration chose.
struct BenchmarkReport {
  BenchmarkOptions options;
  double edgefactor = 0;
  int ranks = 1;
  int threads = 1;
  Machine machine;
  std::string version;
  double generation_seconds = 0;
  std::optional<CalibrationReport> calibration;  ///< if options were chosen in this run
  bool from_generator = true;  ///< whether the edge list equals the generator's, even if it comes from a file
  ConstructionReport construction;
  /// Resident memory before the edge list, all ranks together: the processes themselves.
  std::uint64_t start_bytes = 0;
  /// The most resident memory in the whole run, all ranks together. Memory that ranks of a node share counts once.
  std::uint64_t peak_bytes = 0;
  /// The prediction of `breadth plan` for this graph, with the peak_bytes of the batches that were chosen.
  MemoryPrediction predicted;
  std::vector<KernelReport> kernels;
  /// Reasons why the run does not conform to the specification; empty if it conforms.
  std::vector<std::string> rules_broken;
  /// Notes for a referee, even if the run conforms.
  std::vector<std::string> rules_notes;

  [[nodiscard]] bool complete() const noexcept;
  [[nodiscard]] bool valid() const noexcept;
};

/// What was chosen and why: "replicate subgroups, coalescing 4096: 1.07 times as fast as the defaults, from 8 keys in
/// 2.1 s".
std::string describe(const CalibrationReport& calibration);
/// The choice of hubs and why: "none", or "auto, since they save 0.57 ms of a search at 23 MB/s between nodes, more
/// than a round of 0.2 ms".
std::string describe(const LinkHubs& why);
/// The file and the options that it set: "machine.toml (alpha 28, beta 64)".
std::string describe(const UsedProfile& profile);

/// The values as options and outputs write them: "1d", "2x3" or "auto-2d".
std::string name_of(const std::optional<GridShape>& grid);
/// "none", "auto" or the degree.
std::string name_of(const HubChoice& hubs);

// Conformance with the specification.

/// The reasons why a run does not conform to Graph500 specification 2.0, one sentence each; empty if it conforms.
std::vector<std::string> rules_broken(const BenchmarkReport& report);

/// Notes for a referee: decisions of the run that the specification leaves open, one sentence each.
std::vector<std::string> rules_notes(const BenchmarkReport& report);

}  // namespace breadth
