// What a run of the benchmark reports, the machine that it ran on, and whether it obeys the specification: plain data,
// for every output to draw from.
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

/// The machine of rank 0. Fields that the system does not tell are empty or 0.
struct Machine {
  std::string hostname;
  std::string cpu;  ///< the processor's model name
  int sockets = 0;
  int numa_domains = 0;
  int cores = 0;
  int processors = 1;         ///< logical ones
  int usable_processors = 1;  ///< those that the rank may run on, before it binds its threads to some
  BindingPolicy bind = BindingPolicy::automatic;  ///< what threads were to be bound to
  Binding binding = Binding::none;                ///< what they were bound to
  std::string binding_reason;                     ///< why to nothing, or to nothing else
  std::string simd;                               ///< the instruction set that kernels are for
  bool huge_pages = false;                        ///< whether arrays may lie in them
  std::uint64_t memory_bytes = 0;                 ///< of the machine
  std::string mpi;                                ///< library and version
  std::string compiler;                           ///< with version
};

/// The machine that this process runs on, and where on it.
Machine describe_machine(const Placement& placement);

// What ranks sent each other in all searches of a kernel.

/// One rank's part, as in Fuentes et al. 2014, figs 2 and 3.
struct RankCommunication {
  SentTraffic sent;  ///< to all others
  std::uint64_t queries = 0;
  std::uint64_t partial_packets = 0;
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;
};

/// How far messages of all ranks went, hop by hop.
struct DistanceReport {
  std::uint64_t groups = 0;
  std::uint64_t largest_group = 0;
  TrafficByDistance traffic;
  /// Gan & Zhang 2021, equation (6): the bytes of all ranks, as often as they were sent, by the mean seconds that a
  /// rank spent on messages; nothing where it spent none.
  std::optional<double> efficiency;
};

/// The searches' traffic in pushes.
struct CommunicationReport {
  /// With more ranks the matrix is left out: it grows with their square.
  static constexpr int most_ranks_of_matrix = 256;

  std::vector<RankCommunication> ranks;
  /// What rank s sent to rank d, at s times the number of ranks plus d; or empty.
  std::vector<SentTraffic> matrix;
  DistanceReport distances;
  /// By equation (1) of the paper for the distinct edges of the graph, the mean of a rank and search; where searches
  /// only push and messages leave as they fill.
  std::optional<double> predicted_messages;
  /// By equation (2), bytes of all ranks in a search; where queries travel as pairs besides.
  std::optional<double> predicted_bytes;
};

/// Collects what ranks counted on that route; without predictions. Collective, O(ranks^2) where the matrix is kept.
CommunicationReport gather_communication(const CommunicationRecord& record, const RouteOptions& route,
                                         const Communicator& ranks);

// A run.

/// Where the edge list is kept while kernel 1 and the validation read it.
enum class EdgeListPlace { memory, file, regenerate };
constexpr auto words_of(EdgeListPlace) {
  return word_list<EdgeListPlace>(
      {{EdgeListPlace::memory, "memory"}, {EdgeListPlace::file, "file"}, {EdgeListPlace::regenerate, "regenerate"}});
}
/// Whether a device keeps all of the edge list in its memory, or has it come in blocks whenever it is read there.
enum class EdgeResidence { resident, streamed };
constexpr auto words_of(EdgeResidence) {
  return word_list<EdgeResidence>({{EdgeResidence::resident, "resident"}, {EdgeResidence::streamed, "streamed"}});
}
/// Which searches are validated; `alternate`: all, each before the next begins.
enum class ValidationPolicy { all, alternate, first, none };
constexpr auto words_of(ValidationPolicy) {
  return word_list<ValidationPolicy>({{ValidationPolicy::all, "all"},
                                      {ValidationPolicy::alternate, "alternate"},
                                      {ValidationPolicy::first, "first"},
                                      {ValidationPolicy::none, "none"}});
}

/// A profile that options come from (`breadth tune` writes them).
struct UsedProfile {
  std::string path;
  std::vector<std::pair<std::string, std::string>> options;  ///< those that it set, with their values
};

/// What became of trying options before the timed searches.
struct CalibrationReport {
  /// An option's value beside the best of the others.
  struct Trial {
    std::string option;
    std::string incumbent;
    std::string challenger;
    double speedup = 1;  ///< of the challenger
    bool kept = false;   ///< whether it was convincing
  };
  std::uint64_t keys = 0;  ///< of each measurement; none of them is a search key
  std::vector<Trial> trials;
  /// What of it all lasted on other keys: the options that were tried, with their values from now on.
  std::vector<std::pair<std::string, std::string>> chosen;
  double speedup = 1;                  ///< over the defaults; 1 where these stay
  std::vector<std::string> not_tried;  ///< for lack of time
  double seconds = 0;
};

/// Whether the graph has hubs since links between nodes are slow, and why.
struct LinkHubs {
  bool chosen = false;
  double saved_bytes = 0;       ///< that hubs are expected to save between nodes in a search
  double saved_seconds = 0;     ///< what these take the links
  double bytes_per_second = 0;  ///< that come to a node when all send, as measured
  double round_seconds = 0;     ///< in which each node has had a word from all others
};

/// What --device auto took, and why.
struct DeviceChoice {
  Device taken = Device::cpu;
  std::string reason;
};

/// What to run. Checked where it is made (cli/commands/graph500_command.cpp).
struct BenchmarkOptions {
  int scale = 0;  ///< 0 with a file: discovered from it
  std::uint64_t edgefactor = 16;
  std::array<std::uint64_t, 2> seed = {2, 3};
  std::uint64_t keys = 64;
  EdgeListPlace edge_list = EdgeListPlace::memory;
  std::string input;                                       ///< the file, for EdgeListPlace::file
  std::string edge_folder;                                 ///< for one that the run makes; edge_folder() says what else
  std::optional<EdgeResidence> device_edges;               ///< edge_residence() says what else
  std::uint64_t device_block = gpu::default_block_tuples;  ///< tuples that come together where they are streamed
  ValidationPolicy validation = ValidationPolicy::all;
  Kernels kernels = KernelKind::bfs;
  GraphLayout layout = {};  ///< for breadth-first searches; KernelAbout::layout says what the others use
  BfsOptions bfs;
  SsspOptions sssp;
  /// Kernel 3 is made once kernel 2 is gone, outside kernel 1: a device has no room for both.
  bool kernels_in_turn = false;
  double watchdog_seconds = 0;                ///< --watchdog
  double calibrate_seconds = 0;               ///< --calibrate
  std::optional<UsedProfile> profile;         ///< where some of `bfs` comes from
  std::optional<LinkHubs> link_hubs;          ///< where links were asked whether `layout` should have hubs
  std::optional<DeviceChoice> device_choice;  ///< where it was left to the program
  std::string preset = "auto";                ///< sets the options that were not given
  std::vector<std::string> without_effect;  ///< options that change nothing on these ranks: of the preset, or the route
};

/// Whether a run makes the file that keeps its edge list.
inline bool makes_edge_file(const BenchmarkOptions& options) {
  return options.edge_list == EdgeListPlace::file && options.input.empty();
}

/// Whether edge list, graph and results of such a run stay in the memory of a device: those of breadth-first searches
/// by one rank do, while for shortest paths and for several ranks processors build the graph.
inline bool stays_on_device(const BenchmarkOptions& options, int ranks) {
  return options.bfs.device.kind != Device::cpu && options.kernels == KernelKind::bfs && ranks == 1;
}

/// How a device has the edge list where nothing is said of it: whole where a run stays on it and no other place is
/// named.
inline EdgeResidence edge_residence(const BenchmarkOptions& options, int ranks) {
  const bool whole = stays_on_device(options, ranks) && options.edge_list == EdgeListPlace::memory;
  return options.device_edges.value_or(whole ? EdgeResidence::resident : EdgeResidence::streamed);
}
/// How many of its tuples are there at a time.
inline std::uint64_t device_tuples(const BenchmarkOptions& options, int ranks) {
  return edge_residence(options, ranks) == EdgeResidence::resident ? ~std::uint64_t{0} : options.device_block;
}
/// Whether only the memory of a device has the edge list.
inline bool device_keeps_edges(const BenchmarkOptions& options, int ranks) {
  return stays_on_device(options, ranks) && edge_residence(options, ranks) == EdgeResidence::resident;
}
/// Whether the memory of the host has the edge list, which for a run on a device is where it is streamed from.
inline bool host_keeps_edges(const BenchmarkOptions& options, int ranks) {
  return options.edge_list == EdgeListPlace::memory && !device_keeps_edges(options, ranks);
}

/// `unchecked`: the search was not validated, only its edges were counted.
enum class Verdict { valid, invalid, unchecked };

/// What validation made of a search.
struct Verification {
  Verdict verdict = Verdict::unchecked;
  std::uint64_t edges = 0;  ///< m: tuples of the edge list with both ends in the traversed component
  /// An equal share of the time that its batch took: searches that share a pass over the edge list have no time of
  /// their own.
  double seconds = 0;
  std::uint64_t batch = 1;  ///< searches that were verified together with it, itself among them
  std::vector<std::string> violations;
};

/// One timed search.
struct SearchRecord {
  Label key = no_label;
  double seconds = 0;
  std::vector<LevelStatistics> levels;  ///< none of a kernel that does not go by levels
  LeafPass leaves;
  std::optional<Traffic> settled = {};  ///< of breadth-first searches, for the owners of hubs
  std::optional<SettledLights> settled_lights = {};
  std::optional<DeviceSeconds> device_seconds = {};
  Verification verification;
};

/// An untimed search before the first key, so that no timed one has the device load its program.
struct WarmUp {
  Label vertex = no_label;  ///< no search key
  double seconds = 0;
};

/// All searches of one kernel.
struct KernelReport {
  std::string name;  ///< its word, the prefix of its lines in the output
  std::uint64_t keys = 0;
  std::vector<SearchRecord> searches;                     ///< fewer than keys when the run was cut short
  std::optional<CommunicationReport> communication = {};  ///< on several ranks
  std::optional<DeviceRecord> device = {};                ///< where no processor carried the searches out
  bool validated_on_device = false;
  std::optional<WarmUp> warm_up = {};  ///< on a device, if a vertex is left for it
  /// What making the kernel took, where kernel 1 did not make it.
  std::optional<double> preparation_seconds = {};

  [[nodiscard]] bool complete() const noexcept { return searches.size() == keys; }
  /// Whether no search failed its validation.
  [[nodiscard]] bool valid() const noexcept;
  /// Searches of this verdict.
  [[nodiscard]] std::size_t count(Verdict verdict) const noexcept;
};

/// What kernel 1 on a device took.
struct DeviceConstruction {
  std::uint64_t edge_list_bytes = 0;  ///< of the device's memory
  std::uint64_t slabs = 0;            ///< in which rows were sorted; each reads the edge list
  std::uint64_t reserved_bytes = 0;   ///< of the device's memory, held for kernel 1 before its time began
};

struct ConstructionReport {
  double seconds = 0;                             ///< kernel 1, the slowest rank's
  std::uint64_t peak_bytes = 0;                   ///< most memory resident until its end, all ranks together
  std::uint64_t graph_bytes = 0;                  ///< what it leaves, all ranks together
  std::uint64_t hubs = 0;                         ///< of which every rank has a replica
  std::optional<DeviceConstruction> device = {};  ///< where the graph was built on one; graph_bytes are there too
};

/// One run of the benchmark. `options` as given, with the scale and edge factor that the edge list really has, and with
/// what calibration chose.
struct BenchmarkReport {
  BenchmarkOptions options;
  double edgefactor = 0;
  int ranks = 1;
  int threads = 1;
  Machine machine;
  std::string version;
  double generation_seconds = 0;
  std::optional<CalibrationReport> calibration;  ///< where options were chosen in the run itself
  bool from_generator = true;  ///< whether the edge list is the generator's, though it may come from a file
  ConstructionReport construction;
  /// Memory resident before the edge list, all ranks together: what the processes take themselves.
  std::uint64_t start_bytes = 0;
  /// Most memory resident in the whole run, all ranks together; what ranks of a node share is there once.
  std::uint64_t peak_bytes = 0;
  /// What `breadth plan` would have said for this graph, its peak_bytes with the batches that were chosen.
  MemoryPrediction predicted;
  std::vector<KernelReport> kernels;
  /// Why the run does not conform to the specification; empty when it does.
  std::vector<std::string> rules_broken;
  /// What a referee should know besides, though the run conforms.
  std::vector<std::string> rules_notes;

  [[nodiscard]] bool complete() const noexcept;
  [[nodiscard]] bool valid() const noexcept;
};

/// "replicate subgroups, coalescing 4096: 1.07 times as fast as the defaults, from 8 keys in 2.1 s": what was chosen,
/// and why.
std::string describe(const CalibrationReport& calibration);
/// "auto, since they save 0.57 ms of a search at 23 MB/s between nodes, more than a round of 0.2 ms": or "none".
std::string describe(const LinkHubs& why);
/// "machine.toml (alpha 28, beta 64)": the file and what it set.
std::string describe(const UsedProfile& profile);

/// The names under which options and outputs know the values.
/// "1d", "2x3" or "auto-2d".
std::string name_of(const std::optional<GridShape>& grid);
/// "none", "auto" or the degree.
std::string name_of(const HubChoice& hubs);

// Whether a run obeys the specification.

/// What keeps a run from conforming to Graph500 specification 2.0, one sentence each; empty where nothing does.
std::vector<std::string> rules_broken(const BenchmarkReport& report);

/// What the specification leaves open and the run decided, one sentence each: what a referee should know.
std::vector<std::string> rules_notes(const BenchmarkReport& report);

}  // namespace breadth
