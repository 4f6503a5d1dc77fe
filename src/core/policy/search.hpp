// What searches of every kind have in common: the device that carries them out, and how messages travel between ranks.
#pragma once

#include <cstddef>
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

/// How ranks learn that a superstep of a Mailbox ends.
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
  /// Which ranks forward them.
  RouteOptions route = {};
};

}  // namespace breadth
