// The options of searches: devices, directions, exchanges between ranks, and the options of each kind of search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/policy/direction.hpp"
#include "core/words.hpp"

namespace breadth {

// Devices.

/// `cpu`: the processors' threads. `gpu`: the first GPU that the program may use. `simulated`: the steps of the GPU on
/// the processor, with 32 lanes in lock step, for tests and machines without a GPU; very slow.
enum class Device { cpu, gpu, simulated };
constexpr auto words_of(Device) { return word_list<Device>({"cpu", "gpu", "simulated"}); }

/// The memory through which messages between devices are sent. `staged`: the message is copied to the host's memory,
/// sent from there, and copied to the receiving device. Works with any MPI library, and any number of ranks may share a
/// device. `direct`: sent from the memory of one device to that of the other by an MPI library that can access device
/// memory. `nccl`: sent from device to device by NCCL, where each rank has a device of its own.
enum class DeviceTransport { staged, direct, nccl };
constexpr auto words_of(DeviceTransport) { return word_list<DeviceTransport>({"staged", "direct", "nccl"}); }

/// Whether messages are sent from the memory of devices.
constexpr bool stays_on_devices(DeviceTransport transport) { return transport != DeviceTransport::staged; }

/// What controls a search on a device. `persistent`: the device itself, in one launch. `host`: the processor, which
/// launches phases one by one and reads the results of each level; slower, for debugging.
enum class DeviceControl { persistent, host };
constexpr auto words_of(DeviceControl) { return word_list<DeviceControl>({"persistent", "host"}); }

/// The requested control, or the default for this number of ranks: persistent on one rank, host on several, because a
/// device cannot wait for messages between ranks.
constexpr DeviceControl control_on(std::optional<DeviceControl> asked, int ranks) {
  return asked.value_or(ranks == 1 ? DeviceControl::persistent : DeviceControl::host);
}

/// The device of a search. `gpu` and `simulated` use few of the other options (traverse/devices/gpu_search.hpp).
struct DeviceOptions {
  Device kind = Device::cpu;
  /// The control of a search on a device; without a value, control_on() the number of ranks.
  std::optional<DeviceControl> control = {};
  /// On several ranks with devices: the memory through which their messages are sent.
  DeviceTransport transport = DeviceTransport::staged;
};

// Replication of frontiers and distances.

/// How a pull learns which vertices are in the frontier. `replicated`: every rank has the frontier of all ranks
/// (traverse/replication/replicated_frontier.hpp). `messages`: a rank asks the owners of its neighbours (Checconi &
/// Petrini 2014, section III-A; traverse/bfs/message_pull.hpp).
enum class PullPolicy { replicated, messages };
constexpr auto words_of(PullPolicy) { return word_list<PullPolicy>({"replicated", "messages"}); }

/// How ranks replicate a frontier: the steps of Cui et al. 2012, fig. 9. The out-queue of the paper is the part that a
/// rank writes, the in-queue is the replica that all ranks read.
enum class Replication {
  allgather,  ///< every rank has the in-queue: one allgather of the MPI library
  leader,     ///< every rank has the in-queue: each node gathers, the nodes' leaders allgather and broadcast (fig. 5a)
  shared_in,  ///< a node has one in-queue: each node gathers, the leaders allgather; summaries as for `leader`
  shared,     ///< a node also shares out-queues and summaries: the leaders allgather (fig. 5b)
  subgroups   ///< as `shared`, but every rank of a node sends its part at the same time (fig. 7)
};
constexpr auto words_of(Replication) {
  return word_list<Replication>({"allgather", "leader", "shared-in", "shared", "subgroups"});
}

/// Which bits of a bitmap of visited vertices ranks send when they share it again.
enum class SharedBits {
  automatic,  ///< `unvisited` between several nodes without a summary, else `all`
  all,        ///< each rank sends its whole part every time
  unvisited   ///< after the first time, only bits that were not set then: all ranks know the others
};
constexpr auto words_of(SharedBits) { return word_list<SharedBits>({"auto", "all", "unvisited"}); }

/// How ranks replicate what each of them has, and which ranks share a node.
struct ReplicationOptions {
  Replication how = Replication::allgather;
  int ranks_per_node = 0;  ///< as for Nodes
  SharedBits bits = SharedBits::automatic;
};

/// How ranks combine bitmaps of hubs (Pan et al. 2018, section V-A; Checconi & Petrini 2014, table II). `blocking`: one
/// all-reduce of all ranks, by the MPI library. `two_phase`: first inside each node, then between the nodes' leaders,
/// who then broadcast inside their nodes. `nonblocking`: one all-reduce that proceeds while a rank finishes its level.
/// `two_phase_nonblocking`: two phases, of which the one between leaders proceeds while a rank finishes its level.
enum class HubMaskPolicy { blocking, two_phase, nonblocking, two_phase_nonblocking };
constexpr auto words_of(HubMaskPolicy) {
  return word_list<HubMaskPolicy>({"blocking", "two-phase", "nonblocking", "two-phase-nonblocking"});
}

// Messages between ranks.

/// When queries are sent. `asynchronous`: as messages fill, while the threads go on scanning (Fuentes et al. 2014,
/// section III). `bulk`: all together after a rank has scanned its level (the bulk-synchronous two phases of Checconi &
/// Petrini 2014, section IV-B).
enum class ExchangePolicy { asynchronous, bulk };
constexpr auto words_of(ExchangePolicy) { return word_list<ExchangePolicy>({"asynchronous", "bulk"}); }

/// The encoding of queries in messages (docs/communication.md has the bits). `runs`: runs of queries that share a
/// parent. `pairs`: a pair of 16 bytes for each query (Fuentes et al. 2014, section III-B). `compressed`: differences
/// (Checconi & Petrini 2014, section III-B).
enum class PacketFormat { runs, pairs, compressed };
constexpr auto words_of(PacketFormat) { return word_list<PacketFormat>({"runs", "pairs", "compressed"}); }

/// How ranks detect the end of a superstep of a Mailbox (comm/exchange/message_exchange.hpp).
enum class Termination {
  marks,      ///< an empty message to each peer marks the end: one step, ranks * peers messages
  consensus,  ///< sends are synchronous; a rank whose messages have all arrived enters a barrier, and goes on receiving
              ///< until all ranks have entered (Hoefler et al. 2010, "NBX"): ranks * log2(ranks) messages
  counts  ///< a non-blocking reduce-scatter gives each rank the number of messages sent to it, and the rank receives
          ///< until it has all of them: one number from each rank for each rank, in as few messages as the MPI library
          ///< needs
};
constexpr auto words_of(Termination) { return word_list<Termination>({"marks", "consensus", "counts"}); }

/// The default: marks between few ranks, consensus between many; the same on every rank.
constexpr Termination termination_for(int ranks) {
  constexpr int most_marking = 32;
  return ranks <= most_marking ? Termination::marks : Termination::consensus;
}

/// The routes of messages. Each has a row in route_kinds() (comm/routes/routed_exchange.hpp).
enum class RoutePolicy { direct, local, monitor };
constexpr auto words_of(RoutePolicy) { return word_list<RoutePolicy>({"direct", "local", "monitor"}); }

/// How groups choose monitors (Gan & Zhang 2021, sections 4.3 and 5.4), by the vertices that their members own.
enum class MonitorPolicy {
  random,    ///< any member with heavy vertices
  heaviest,  ///< the member with the heaviest vertex, for all partners
  orchestra  ///< members in proportion to their heavy vertices
};
constexpr auto words_of(MonitorPolicy) { return word_list<MonitorPolicy>({"random", "heaviest", "orchestra"}); }

/// The place where a rank is attached to the network, from near to far. A number identifies a part only within the next
/// larger part: chip 0 of board 1 is not chip 0 of board 2.
struct NetworkPlace {
  int chip = 0;     ///< routing chip (HFR-E)
  int board = 0;    ///< switchboard
  int bunch = 0;    ///< bunch of blades
  int cabinet = 0;  ///< compute frame
};

/// The route of messages from sender to receiver.
struct RouteOptions {
  RoutePolicy policy = RoutePolicy::direct;
  /// Whether only one query for each target is sent to another group (Pan et al. 2018, section V-B, "uniquify").
  bool merge_duplicates = false;
  MonitorPolicy monitors = MonitorPolicy::orchestra;
  /// The group of each rank: `groups[rank]` if `groups` is not empty; else groups of `group_size` consecutive ranks if
  /// that is not 0; else nodes.
  std::vector<int> groups = {};
  int group_size = 0;
  int ranks_per_node = 0;  ///< as for Nodes
  /// Where each rank is attached to the network, used only to count hops; if empty, places_of(groups).
  std::vector<NetworkPlace> network = {};
  std::string groups_file = {};   ///< the file that `groups` was read from
  std::string network_file = {};  ///< the file that `network` was read from
};

/// How a search sends messages between ranks.
struct MessageOptions {
  /// The most queries or relaxations in a message to another rank (Fuentes et al. 2014, section IV-E); a bulk exchange
  /// ignores it.
  static constexpr Range<std::size_t> coalescings{1, std::size_t{1} << 24, "coalescing"};
  std::size_t coalescing = 256;
  ExchangePolicy exchange = ExchangePolicy::asynchronous;
  /// How the end of a level or a round is detected; without a value, termination_for() the number of ranks. A bulk
  /// exchange needs none.
  std::optional<Termination> ending = {};
  PacketFormat packets = PacketFormat::runs;
  RouteOptions route;
};

// Breadth-first searches.

/// If there are hubs. `together`: all edges of a level have one direction, and pulls read the frontier of every rank.
/// `apart`: each of the subgraphs hub–hub, hub–light and light–hub has its own direction, and light–light is always
/// pushed, so that no rank needs another's frontier (Pan et al. 2018, section IV-B).
enum class SubgraphPolicy { together, apart };
constexpr auto words_of(SubgraphPolicy) { return word_list<SubgraphPolicy>({"together", "apart"}); }

/// When light vertices that were visited from light vertices of other ranks receive their parents: with each query, or
/// at the end, once for all levels (Pan et al. 2018, section VI-A).
enum class LightParents { with_queries, at_end };
constexpr auto words_of(LightParents) { return word_list<LightParents>({"with", "end"}); }

/// When a subgraph changes its direction, by the ratio of the edges of a push to the edges that a pull may read.
struct DirectionFactors {
  static constexpr Range<double> pulls{0, 1e9, "factor to pull"};

  double pull;  ///< pull once the ratio is above this
  double push;  ///< push again once the ratio is below this; 0 .. pull

  friend bool operator==(const DirectionFactors&, const DirectionFactors&) = default;
};

/// How the edges of subgraphs are directed. The factors to pull are those of Pan et al. 2018, section VI-B, for
/// Kronecker graphs, where the paper never pushes again.
struct SubgraphOptions {
  SubgraphPolicy policy = SubgraphPolicy::together;
  DirectionFactors hub_to_hub{0.5, 0.005};
  DirectionFactors hub_to_light{0.05, 0.0005};
  DirectionFactors light_to_hub{1e-7, 1e-9};
  LightParents light_parents = LightParents::with_queries;
};

/// The options of a breadth-first search. Every combination that check() accepts gives a valid tree.
struct BfsOptions {
  DeviceOptions device;
  DirectionRule direction;
  /// On several ranks: how a pull learns which vertices are in the frontier. `summary` and `replication` apply to
  /// `replicated`.
  PullPolicy pull = PullPolicy::replicated;
  /// The number of global ids for each bit of the frontier's summary in a pull, a power of two; 0 for no summary (Cui
  /// et al. 2012, section III-C).
  static constexpr Range<std::size_t> summaries{64, 4096, "summary"};
  std::size_t summary = 0;
  /// How the frontier of a pull is replicated (Cui et al. 2012, section III-A and B), and which ranks share a node.
  static constexpr Range<int> ranks_per_node{0, 1 << 20, "ranks-per-node"};
  ReplicationOptions replication;
  /// If there are hubs: how ranks combine the bitmaps of visited hubs. two_phase_nonblocking requires `subgraphs` apart
  /// or a bulk exchange.
  HubMaskPolicy hub_masks = HubMaskPolicy::blocking;
  /// If there are hubs, on several ranks: whether all edges of a level have one direction. With `apart`, the options
  /// that cli/options marks idle then (if_subgraphs_are_apart) have no effect.
  SubgraphOptions subgraphs;
  MessageOptions messages;
  /// On one rank each thread pushes into its own range of vertices, where rows are in the order of vertices and long
  /// enough (traverse/bfs/ranged_push.hpp).
  bool push_ranges = true;
  /// With push_ranges, if both directions are allowed: a pull from few vertices with many neighbours reads the head and
  /// the long rows, and the frontier pushes to the vertices with short rows (traverse/bfs/row_levels.hpp).
  bool mixed_levels = true;
  /// Whether threads process several small push levels of short rows together, each thread from the vertices it found
  /// itself (traverse/bfs/fused_levels.hpp). For several threads on one rank, in the order of degrees, if the adjacency
  /// is rows.
  bool fuse_levels = true;
  /// Whether one thread carries out narrow push levels if the whole team turns out to be slower, for example beside
  /// other work (traverse/bfs/fused_levels.hpp). For several threads on one rank, if the adjacency is rows.
  bool adaptive_levels = true;
  /// A push level with at most about this many edges per thread runs on one thread. Used if the adjacency is rows.
  static constexpr Range<std::uint64_t> small_levels{0, std::uint64_t{1} << 40, "small-level"};
  std::uint64_t small_level = 128;
  /// Visits vertices with one edge in one pass after the last level. Has no effect with max_depth, or on a graph in the
  /// order of labels.
  bool leaves_last = true;
  /// Whether searches on one rank keep depths for BreadthFirstSearch::write_depths.
  bool keep_depths = false;
  /// The deepest level to visit; vertices farther away count as unreached.
  static constexpr Range<std::int64_t> depths{0, INT64_MAX, "max-depth"};
  std::int64_t max_depth = depths.maximum;

  /// Calls check(number, its range) for each number.
  template <class Check>
  constexpr void check_numbers(Check check) const {
    direction.check_numbers(check);
    check(messages.coalescing, MessageOptions::coalescings);
    if (summary != 0) check(summary, summaries);
    check(replication.ranks_per_node, ranks_per_node);
    check(small_level, small_levels);
    check(max_depth, depths);
  }
};

/// Whether ranks of a node would wait for each other to combine hub bitmaps while asynchronous messages are in flight.
bool waits_with_messages_under_way(const BfsOptions& options);

/// Throws Error that names the option unless every value is in its range and goes with the others.
void check(const BfsOptions& options);

// Shortest paths.

/// The options of a shortest-path search. Every combination gives the same distances, bit for bit.
struct SsspOptions {
  DeviceOptions device;
  /// The width of a bucket of distances (Meyer & Sanders 2003); 0 to choose it by the graph, its weights and the ranks.
  static constexpr Range<double> deltas{0, 1e30, "delta"};
  double delta = 0;
  /// Whether a graph with hubs is processed in sweeps; if not, in buckets only. A given delta also selects buckets.
  bool sweeps = true;
  /// Before the sweeps the vertices nearest to the source are settled: one of this many of all vertices; 0: only the
  /// source.
  static constexpr Range<std::uint64_t> ball_divisors{0, std::uint64_t{1} << 48, "ball"};
  std::uint64_t ball_divisor = 1024;
  /// Whether sweeps start with the most connected vertices only, before they cover all.
  bool hubs_first = true;
  /// Whether threads of one rank, and ranks of several nodes, continue inside a bucket with the vertices that they
  /// found themselves before they receive those of others, as long as these are few.
  bool fuse = true;
  /// On one rank, the number of buckets that threads settle between two barriers.
  static constexpr Range<std::size_t> bucket_batches{1, 1024, "bucket-batch"};
  std::size_t bucket_batch = 8;
  /// On one rank, a batch with fewer waiting vertices than this is settled by one thread.
  static constexpr Range<std::uint64_t> small_batches{0, std::uint64_t{1} << 48, "small-batch"};
  std::uint64_t small_batch = 512;
  /// On several ranks, whether buckets know other ranks' distances where that pays, so that useless relaxations are not
  /// sent.
  bool known_distances = true;
  /// On several ranks, where other ranks' distances are stored and how sweeps receive them. Without a value: once in
  /// shared memory of the node where ranks can share it, else a copy for each rank. Not shared_in.
  std::optional<Replication> replicate = {};
  /// Packets must be runs or compressed.
  MessageOptions messages;
  /// The range of messages.coalescing for relaxations, of which a message holds fewer than MessageOptions allows.
  static constexpr Range<std::size_t> coalescings{1, std::size_t{1} << 23, MessageOptions::coalescings.option};
  /// The largest distance, >= 0; vertices farther away count as unreached.
  float max_distance = std::numeric_limits<float>::infinity();

  /// Calls check(number, its range) for each number.
  template <class Check>
  constexpr void check_numbers(Check check) const {
    check(delta, deltas);
    check(messages.coalescing, coalescings);
    check(ball_divisor, ball_divisors);
    check(bucket_batch, bucket_batches);
    check(small_batch, small_batches);
  }
};

/// Throws Error that names the option unless every value is in its range and goes with the others.
void check(const SsspOptions& options);

}  // namespace breadth
