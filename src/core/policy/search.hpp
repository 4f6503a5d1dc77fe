// The options of searches: directions, devices, how ranks exchange what they find, and what each kind of search
// has beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/words.hpp"

namespace breadth {

// Devices.

/// `cpu`: the processors' threads. `gpu`: the first GPU that the program may use. `simulated`: the steps of the GPU on
/// the processor, 32 lanes in lock step, for tests and for machines without a GPU; very slow.
enum class Device { cpu, gpu, simulated };
constexpr auto words_of(Device) {
  return word_list<Device>({{Device::cpu, "cpu"}, {Device::gpu, "gpu"}, {Device::simulated, "simulated"}});
}

/// The memory through which messages between devices travel. `staged`: copied to the host's memory, sent from there,
/// and copied to the device that answers. Takes any MPI library, and any number of ranks may share a device. `direct`:
/// sent from the memory of one device to that of the other, by an MPI library that can read it. `nccl`: likewise, by
/// NCCL, where each rank has a device of its own.
enum class DeviceTransport { staged, direct, nccl };
constexpr auto words_of(DeviceTransport) {
  return word_list<DeviceTransport>(
      {{DeviceTransport::staged, "staged"}, {DeviceTransport::direct, "direct"}, {DeviceTransport::nccl, "nccl"}});
}

/// Whether messages stay in the memory of devices.
constexpr bool stays_on_devices(DeviceTransport transport) { return transport != DeviceTransport::staged; }

/// `persistent`: the device itself, in one launch. `host`: the processor, which launches phases one by one and reads
/// what each level did; slower, for debugging.
enum class DeviceControl { persistent, host };
constexpr auto words_of(DeviceControl) {
  return word_list<DeviceControl>({{DeviceControl::persistent, "persistent"}, {DeviceControl::host, "host"}});
}

/// What is asked for, or else what there is on so many ranks: between ranks nothing waits on a device.
constexpr DeviceControl control_on(std::optional<DeviceControl> asked, int ranks) {
  return asked.value_or(ranks == 1 ? DeviceControl::persistent : DeviceControl::host);
}

/// What carries a search out; gpu and simulated look at few other options (traverse/devices/gpu_search.hpp).
struct DeviceOptions {
  Device kind = Device::cpu;
  /// Who leads it from level to level, where that is not the processors; nothing for control_on the ranks.
  std::optional<DeviceControl> control = {};
  /// On several ranks with devices: the memory through which their messages travel.
  DeviceTransport transport = DeviceTransport::staged;
};

// Directions.

/// How a level finds the next frontier: `push` goes from the frontier along its edges, `pull` from the unvisited
/// vertices back to the frontier (top-down and bottom-up in Beamer's terms).
enum class Direction { push, pull };
constexpr auto words_of(Direction) {
  return word_list<Direction>({{Direction::push, "push"}, {Direction::pull, "pull"}});
}

/// Which directions a search may take: one only, or at each level the one that looks cheaper
/// (direction-optimising, Beamer et al. 2012).
enum class DirectionPolicy { automatic, push, pull };
constexpr auto words_of(DirectionPolicy) {
  return word_list<DirectionPolicy>(
      {{DirectionPolicy::automatic, "auto"}, {DirectionPolicy::push, "push"}, {DirectionPolicy::pull, "pull"}});
}

/// Which ways a search may go, and when it turns.
struct DirectionRule {
  DirectionPolicy policy = DirectionPolicy::automatic;
  /// Where both ways are open: pull once the frontier's edges exceed the unvisited vertices' edges divided by this, or
  /// on processors by half of it where rows are alike (rows_are_alike).
  static constexpr Range<double> alphas{1, 1e9, "alpha"};
  double alpha = 20;
  /// Push again once the frontier is smaller than all vertices divided by this.
  static constexpr Range<double> betas{1, 1e9, "beta"};
  double beta = 64;

  /// The field that keeps a search from pushing, from pulling, or from choosing; nullptr where none does.
  [[nodiscard]] constexpr const void* against_push() const {
    return policy == DirectionPolicy::pull ? &policy : nullptr;
  }
  [[nodiscard]] constexpr const void* against_pull() const {
    return policy == DirectionPolicy::push ? &policy : nullptr;
  }
  [[nodiscard]] constexpr const void* against_choice() const { return may_pull() ? against_push() : against_pull(); }
  [[nodiscard]] constexpr bool may_push() const { return against_push() == nullptr; }
  [[nodiscard]] constexpr bool may_pull() const { return against_pull() == nullptr; }
  [[nodiscard]] constexpr bool may_choose() const { return against_choice() == nullptr; }
};

// What ranks know of each other's vertices.

/// How a pull learns who is in the frontier: every rank has that of all (traverse/replication/replicated_frontier.hpp),
/// or asks for the neighbours that others own (Checconi & Petrini 2014, section III-A;
/// traverse/bfs/message_pull.hpp).
enum class PullPolicy { replicated, messages };
constexpr auto words_of(PullPolicy) {
  return word_list<PullPolicy>({{PullPolicy::replicated, "replicated"}, {PullPolicy::messages, "messages"}});
}

/// The steps of Cui et al. 2012, fig. 9. What a rank adds to is the paper's out-queue, what all read the in-queue.
enum class Replication {
  allgather,  ///< every rank has all of it: one allgather of the MPI library
  leader,     ///< every rank has all of it: each node gathers, the nodes' leaders allgather and broadcast (fig. 5a)
  shared_in,  ///< a node has it once: each node gathers, the leaders allgather; summaries as for `leader`
  shared,     ///< a node has out-queues and summaries once too: the leaders allgather (fig. 5b)
  subgroups   ///< as `shared`, but every rank of a node sends its part at the same time (fig. 7)
};
constexpr auto words_of(Replication) {
  return word_list<Replication>({{Replication::allgather, "allgather"},
                                 {Replication::leader, "leader"},
                                 {Replication::shared_in, "shared-in"},
                                 {Replication::shared, "shared"},
                                 {Replication::subgroups, "subgroups"}});
}

/// Which bits of a bitmap of visited vertices ranks send each other when they share it once more.
enum class SharedBits {
  automatic,  ///< between several nodes, if there is no summary, as `unvisited`, else as `all`
  all,        ///< each rank its whole part, every time
  unvisited   ///< after the first time only those that were not set then: all know the others
};
constexpr auto words_of(SharedBits) {
  return word_list<SharedBits>(
      {{SharedBits::automatic, "auto"}, {SharedBits::all, "all"}, {SharedBits::unvisited, "unvisited"}});
}

/// How what each rank has comes to every rank, and between what nodes.
struct ReplicationOptions {
  Replication how = Replication::allgather;
  int ranks_per_node = 0;  ///< as for Nodes
  SharedBits bits = SharedBits::automatic;
};

/// How ranks combine bitmaps of hubs: by one all-reduce of all ranks, as the MPI library does it; or first inside each
/// node, then between their leaders, who then tell their nodes; or by one that goes on while a rank finishes its level;
/// or so that the one between leaders does (Pan et al. 2018, section V-A; Checconi & Petrini 2014, table II).
enum class HubMasks { blocking, two_phase, nonblocking, two_phase_nonblocking };
constexpr auto words_of(HubMasks) {
  return word_list<HubMasks>({{HubMasks::blocking, "blocking"},
                              {HubMasks::two_phase, "two-phase"},
                              {HubMasks::nonblocking, "nonblocking"},
                              {HubMasks::two_phase_nonblocking, "two-phase-nonblocking"}});
}

// Messages between ranks.

/// When queries travel: as messages fill, while the threads go on scanning (Fuentes et al. 2014, section III), or all
/// together once a rank has scanned its level (the bulk-synchronous two phases of Checconi & Petrini 2014, section
/// IV-B).
enum class ExchangePolicy { asynchronous, bulk };
constexpr auto words_of(ExchangePolicy) {
  return word_list<ExchangePolicy>({{ExchangePolicy::asynchronous, "asynchronous"}, {ExchangePolicy::bulk, "bulk"}});
}

/// What queries look like on their way (docs/communication.md has the bits): runs that share a parent, a pair of 16
/// bytes each (Fuentes et al. 2014, section III-B), or differences (Checconi & Petrini 2014, section III-B).
enum class PacketFormat { runs, pairs, compressed };
constexpr auto words_of(PacketFormat) {
  return word_list<PacketFormat>(
      {{PacketFormat::runs, "runs"}, {PacketFormat::pairs, "pairs"}, {PacketFormat::compressed, "compressed"}});
}

/// How ranks learn that a superstep of a Mailbox (comm/exchange/message_exchange.hpp) ends.
enum class Termination {
  marks,      ///< an empty message to each peer says that no more comes: one step, ranks * peers messages
  consensus,  ///< sends are synchronous; who has seen all of its own arrive enters a barrier, and goes on receiving
              ///< until all have entered (Hoefler et al. 2010, "NBX"): ranks * log2(ranks) messages
  counts  ///< a non-blocking reduce-scatter gives each rank the number of messages that it was sent, and it receives
          ///< until so many have come: a number for each rank from each, in as few messages as the MPI library needs
};
constexpr auto words_of(Termination) {
  return word_list<Termination>(
      {{Termination::marks, "marks"}, {Termination::consensus, "consensus"}, {Termination::counts, "counts"}});
}

/// Marks between few ranks, consensus between many; the same on every rank.
constexpr Termination termination_for(int ranks) {
  constexpr int most_marking = 32;
  return ranks <= most_marking ? Termination::marks : Termination::consensus;
}

/// The routes there are. Each has a row in route_kinds() (comm/routes/routed_exchange.hpp).
enum class RoutePolicy { direct, local, monitor };
constexpr auto words_of(RoutePolicy) {
  return word_list<RoutePolicy>(
      {{RoutePolicy::direct, "direct"}, {RoutePolicy::local, "local"}, {RoutePolicy::monitor, "monitor"}});
}

/// How groups vote for monitors (Gan & Zhang 2021, sections 4.3 and 5.4), from what vertices their members own.
enum class MonitorPolicy {
  random,    ///< any member with heavy vertices
  heaviest,  ///< the member with the heaviest vertex, for all partners
  orchestra  ///< members in proportion to their heavy vertices
};
constexpr auto words_of(MonitorPolicy) {
  return word_list<MonitorPolicy>({{MonitorPolicy::random, "random"},
                                   {MonitorPolicy::heaviest, "heaviest"},
                                   {MonitorPolicy::orchestra, "orchestra"}});
}

/// Where a rank is attached to the network, from near to far. Each number tells apart what is in the same larger part:
/// chip 0 of board 1 is another one than chip 0 of board 2.
struct NetworkPlace {
  int chip = 0;     ///< routing chip (HFR-E)
  int board = 0;    ///< switchboard
  int bunch = 0;    ///< bunch of blades
  int cabinet = 0;  ///< compute frame
};

/// Which ranks a message passes on its way to its receiver.
struct RouteOptions {
  RoutePolicy policy = RoutePolicy::direct;
  /// Of what crosses to another group, one query for each target (Pan et al. 2018, section V-B, "uniquify").
  bool unique = false;
  MonitorPolicy monitors = MonitorPolicy::orchestra;
  /// What groups are: `groups`, the names of every rank's, if not empty; consecutive ranks, so many a group, if not 0;
  /// or nodes.
  std::vector<int> groups = {};
  int group_size = 0;
  int ranks_per_node = 0;  ///< as for Nodes
  /// Where each rank is attached to the network, for counts of hops alone; empty: places_of(groups).
  std::vector<NetworkPlace> network = {};
  std::string groups_file = {};   ///< where `groups` come from
  std::string network_file = {};  ///< where `network` comes from
};

/// How messages of a search travel between ranks.
struct MessageOptions {
  /// Queries or relaxations that a message to another rank holds at most (Fuentes et al. 2014, section IV-E); in a bulk
  /// exchange nothing looks at it.
  static constexpr Range<std::size_t> coalescings{1, std::size_t{1} << 24, "coalescing"};
  std::size_t coalescing = 256;
  ExchangePolicy exchange = ExchangePolicy::asynchronous;
  /// How the end of a level or a round is detected; nothing for what suits the number of ranks. A bulk exchange does
  /// without.
  std::optional<Termination> ending = {};
  PacketFormat packets = PacketFormat::runs;
  RouteOptions route;
};

// Breadth-first searches.

/// Where there are hubs: all edges of a level go one way, and pulls have the frontier of every rank; or each of the
/// subgraphs between hubs, from hubs to other, light vertices, and from light ones to hubs goes its own, and light
/// vertices push to light ones, so that no rank knows another's frontier (Pan et al. 2018, section IV-B).
enum class SubgraphPolicy { together, apart };
constexpr auto words_of(SubgraphPolicy) {
  return word_list<SubgraphPolicy>({{SubgraphPolicy::together, "together"}, {SubgraphPolicy::apart, "apart"}});
}

/// When light vertices that light ones of other ranks visit hear of their parents: with each query, or in the end, once
/// for all levels (Pan et al. 2018, section VI-A).
enum class LightParents { with_queries, in_the_end };
constexpr auto words_of(LightParents) {
  return word_list<LightParents>({{LightParents::with_queries, "with"}, {LightParents::in_the_end, "end"}});
}

/// When a subgraph changes its direction, by the edges of a push over those that a pull may look at.
struct DirectionFactors {
  static constexpr Range<double> pulls{0, 1e9, "factor to pull"};

  double pull;  ///< pull once a push takes more than so many times as much
  double push;  ///< push again once it takes less; 0 .. pull

  friend bool operator==(const DirectionFactors&, const DirectionFactors&) = default;
};

/// The factors to pull by are those of the paper for Kronecker graphs, where it never pushes again (section VI-B).
struct SubgraphOptions {
  SubgraphPolicy policy = SubgraphPolicy::together;
  DirectionFactors hub_to_hub{0.5, 0.005};
  DirectionFactors hub_to_light{0.05, 0.0005};
  DirectionFactors light_to_hub{1e-7, 1e-9};
  LightParents light_parents = LightParents::with_queries;
};

/// How a search goes about its work. Every combination that check() takes gives a valid tree.
struct BfsOptions {
  DeviceOptions device;
  DirectionRule direction;
  /// On several ranks: how a pull learns who is in the frontier. Summary and replication are for `replicated`.
  PullPolicy pull = PullPolicy::replicated;
  /// Global ids that a bit of the frontier's summary stands for in a pull, a power of two; 0 for no summary (Cui et al.
  /// 2012, section III-C).
  static constexpr Range<std::size_t> summaries{64, 4096, "summary"};
  std::size_t summary = 0;
  /// How the frontier of a pull comes to every rank (Cui et al. 2012, section III-A and B), and between what nodes.
  static constexpr Range<int> ranks_per_node{0, 1 << 20, "ranks-per-node"};
  ReplicationOptions replication;
  /// How ranks exchange which hubs they visited, where there are any. In two phases and non-blocking only where
  /// subgraphs go apart, or the exchange is in bulk.
  HubMasks hub_masks = HubMasks::blocking;
  /// Where there are hubs, on several ranks: whether all edges of a level go one way. Apart, nothing
  /// looks at what cli/options calls idle then (if_subgraphs_are_apart).
  SubgraphOptions subgraphs;
  MessageOptions messages;
  /// On one rank each thread pushes into a range of vertices of its own, as far as rows are in the order of vertices
  /// and long enough (traverse/bfs/ranged_push.hpp).
  bool push_ranges = true;
  /// With those ranges, where directions are chosen: a pull from few vertices with many neighbours looks through
  /// columns and long rows, and the frontier pushes to the vertices with short rows (traverse/bfs/row_levels.hpp).
  bool mixed_levels = true;
  /// Whether threads go through small push levels of short rows together, each from what it found itself
  /// (traverse/bfs/fused_levels.hpp): several threads on one rank, in the order of degrees, where the adjacency is
  /// rows.
  bool fuse_levels = true;
  /// Whether one thread carries out narrow push levels where all together turn out slower, as beside other work
  /// (traverse/bfs/one_or_all.hpp): several threads on one rank, where the adjacency is rows.
  bool adaptive_levels = true;
  /// One thread carries out a push along at most about so many edges for each thread of the team; looked at where the
  /// adjacency is rows.
  static constexpr Range<std::uint64_t> small_levels{0, std::uint64_t{1} << 40, "small-level"};
  std::uint64_t small_level = 128;
  /// Visit vertices with one edge in one pass after the last level. Not done where max_depth is given, nor on a graph
  /// in the order of labels.
  bool leaves_last = true;
  /// Whether depths are asked for after searches on one rank (BreadthFirstSearch::write_depths).
  bool keep_depths = false;
  /// The deepest level to visit; vertices farther away count as unreached.
  static constexpr Range<std::int64_t> depths{0, INT64_MAX, "max-depth"};
  std::int64_t max_depth = depths.most;
};

/// Whether ranks of a node would wait for each other, to combine masks, while asynchronous messages are under way.
bool waits_with_messages_under_way(const BfsOptions& options);

/// Throws Error that names the option unless every value is in its range and goes with the others.
void check(const BfsOptions& options);

// Shortest paths.

/// How a search for shortest paths goes about its work. Every combination gives the same distances, bit for bit.
struct SsspOptions {
  DeviceOptions device;
  /// The width of a bucket of distances (Meyer & Sanders 2003); 0 leaves it to the graph, its weights and the ranks.
  static constexpr Range<double> deltas{0, 1e30, "delta"};
  double delta = 0;
  /// Whether a graph with hubs is swept, or settled in buckets alone. A given delta asks for buckets too.
  bool sweeps = true;
  /// Before the sweeps the vertices nearest to the source are settled, one of so many of all; 0: the source alone.
  static constexpr Range<std::uint64_t> balls{0, std::uint64_t{1} << 48, "ball"};
  std::uint64_t ball = 1024;
  /// Whether the most connected vertices are swept before all are.
  bool hubs_first = true;
  /// Whether threads of one rank, and ranks of several nodes, go on with what they find inside a bucket before they
  /// hear of others, as long as that is little.
  bool fuse = true;
  /// On one rank, buckets that threads settle between two meetings.
  static constexpr Range<std::size_t> bucket_batches{1, 1024, "bucket-batch"};
  std::size_t bucket_batch = 8;
  /// On one rank, one thread settles a batch in which fewer vertices wait.
  static constexpr Range<std::uint64_t> small_batches{0, std::uint64_t{1} << 48, "small-batch"};
  std::uint64_t small_batch = 512;
  /// On several ranks, whether buckets know other ranks' distances where that pays, and do not send what is useless.
  bool known_distances = true;
  /// On several ranks, where other ranks' distances are known, and how sweeps learn of them: nothing for memory of the
  /// node where there is some to share, else a copy for each rank. Not shared_in.
  std::optional<Replication> replicate = {};
  /// Packets are runs or compressed.
  MessageOptions messages;
  /// A message has room for fewer relaxations than MessageOptions says.
  static constexpr Range<std::size_t> coalescings{1, std::size_t{1} << 23, MessageOptions::coalescings.option};
  /// Vertices farther away count as unreached. >= 0.
  float max_distance = std::numeric_limits<float>::infinity();
};

/// Throws Error that names the option unless every value is in its range and goes with the others.
void check(const SsspOptions& options);

}  // namespace breadth
