// Devices: which one a search is on, who controls it, by what messages travel between them, which one of a node is a
// rank's, and what goes wrong on one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/words.hpp"

namespace breadth {

/// What searches on a device report beside their levels, of all so far.
struct DeviceRecord {
  std::string name;
  std::uint64_t bytes = 0;   ///< of the memory of all ranks' devices, for the graph and its search
  std::uint64_t copies = 0;  ///< of results to the host, one a search
  double copy_seconds = 0;   ///< that they took together; not in the searches' seconds
};

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

// Which GPU of a node is a rank's.

namespace gpu {

/// What a GPU is known by to every process (its UUID), whatever number it has there.
using GpuId = std::array<unsigned char, 16>;

/// The GPU of a rank.
struct NodePlace {
  std::uint32_t gpu = 0;      ///< its number among those that the rank may use
  std::uint32_t sharing = 1;  ///< ranks of the node that have it, this one among them
};

/// For each rank of a node, in their order, which GPU it takes of those that it may use: the first of those that the
/// fewest ranks before have taken. Ranks that may use the same ones so take them by turns, and each of those that a
/// scheduler has bound to one GPU takes that. A rank that may use none gets the first place.
std::vector<NodePlace> share_gpus(std::span<const std::vector<GpuId>> visible);

/// The clock of the host, which stands in for a device's own.
std::uint64_t host_nanoseconds();

// What goes wrong on a GPU.

/// Throws Error: what was tried, and why it failed. Not inline, since nvcc does not compile fmt's headers.
[[noreturn]] void fail_on_gpu(const std::string& what, const std::string& reason);

/// Throws Error for a label that is negative, or of which 32 bits are not enough beside the one for none.
void require_narrow_label(Label label);

}  // namespace gpu

}  // namespace breadth
