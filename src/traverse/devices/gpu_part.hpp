// A rank's part of a graph, in the form in which devices search it together, on this rank's device, and messages
// between devices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_exchange.hpp"
#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/nccl.hpp"
#include "gpu/node_place.hpp"
#include "gpu/part_search.hpp"
#include "graph/graph.hpp"
#include "traverse/devices/gpu_search.hpp"

namespace breadth {

// What devices of several ranks exchange.

/// Brings what a level has to send from each device to all others: sent all to all from where it lies, in the memory of
/// the host or the device's own, to where it is read, by MPI or by NCCL (core/policy/search.hpp).
class DeviceExchange {
 public:
  /// Each rank has its device. Throws Error, the same on all ranks, where NCCL does not bring them together.
  /// Collective.
  DeviceExchange(const Communicator& ranks, DeviceTransport transport);

  /// Sends these, rank after rank, so many to each, and receives what comes from others in the inbox, which has room
  /// for it. Returns how much came. Collective.
  template <class Message>
  std::size_t run(std::span<const Message> messages, std::span<const std::size_t> counts, std::span<Message> inbox) {
    count(counts, sizeof(Message));
    Stopwatch stopwatch;
    const std::vector<std::size_t> coming = ranks_.exchange_counts(counts);
    seconds_.finish += stopwatch.lap();
    const std::size_t total = sum_of(coming);
    if (nccl_) {
      nccl_->all_to_all(std::as_bytes(messages).data(), bytes_of(counts, sizeof(Message)),
                        std::as_writable_bytes(inbox).data(), bytes_of(coming, sizeof(Message)));
    } else {
      ranks_.all_to_all(messages, counts, inbox.first(total), coming);
    }
    seconds_.send += stopwatch.lap();
    return total;
  }

  /// As MessageExchange counts: at most one message a level for each other rank, which has all queries for it.
  [[nodiscard]] const Traffic& traffic() const noexcept { return total_; }
  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept { return sent_; }
  /// Messages have no size that they could fill.
  [[nodiscard]] std::uint64_t partial_packets() const noexcept { return 0; }
  [[nodiscard]] ExchangeSeconds seconds() const noexcept { return seconds_; }

 private:
  void count(std::span<const std::size_t> counts, std::size_t bytes_each);
  static std::vector<std::size_t> bytes_of(std::span<const std::size_t> counts, std::size_t bytes_each);

  Communicator ranks_;
  std::unique_ptr<gpu::NcclGroup> nccl_;  ///< where that is the transport
  std::vector<SentTraffic> sent_;
  Traffic total_;
  ExchangeSeconds seconds_;
};

// The part of a graph on a device.

/// Numbers for those vertices of other ranks that a rank's rows lead to: rank after rank, each rank's in the order of
/// their local ids and from a multiple of 32 on.
class Ghosts {
 public:
  /// Of these rows' neighbours, as global ids. A bit and a half for each global id that there is, and 4 bytes a ghost.
  /// Throws Error where 32 bits are not enough for all.
  Ghosts(std::span<const std::uint32_t> neighbours, const Partition& partition, ThreadTeam& threads);

  [[nodiscard]] std::uint32_t number(std::uint64_t global_id) const {
    const std::size_t word = global_id / bits_per_word;
    const std::uint64_t before = present_.words()[word] & (bit_in_word(global_id) - 1);
    return first_in_word_[word] + static_cast<std::uint32_t>(std::popcount(before));
  }
  /// Of each number the local id on the rank that owns it, of each 32 that rank.
  [[nodiscard]] std::span<const std::uint32_t> vertices() const { return vertices_.span(); }
  [[nodiscard]] std::span<const std::uint32_t> owners() const { return owners_; }
  /// How many there are of each rank.
  [[nodiscard]] std::span<const std::size_t> counts() const { return counts_; }

 private:
  void number_all(const GlobalIdCode& code, std::size_t ranks);

  Bitmap present_;                       ///< by global id
  Buffer<std::uint32_t> first_in_word_;  ///< of each word of these, the number of its first
  Buffer<std::uint32_t> vertices_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::size_t> counts_;
};

/// What of edges a search wants: that they are there, or their weights too, which are their lengths.
enum class PartEdges { alone, with_lengths };

/// Rows that name vertices of this rank by their local ids, and behind them ghosts by their numbers. Takes as much
/// memory as the graph's neighbours, with lengths twice that, and 12 bytes a vertex, until it has been copied to a
/// device.
class GpuPart {
 public:
  /// Of plain rows of 32 bits. O(edges), of which each is looked at four times.
  GpuPart(const Graph& graph, PartEdges edges, ThreadTeam& threads);

  /// Bytes for these, without lengths, while the ghosts are numbered.
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t vertices, std::uint64_t global_ids) {
    constexpr std::uint64_t of_vertex =
        sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);  // end, label, first neighbour
    return entries * sizeof(std::uint32_t) + vertices * of_vertex + global_ids * 3 / 16;
  }

  [[nodiscard]] const Ghosts& ghosts() const { return ghosts_; }
  /// Edges from vertices to vertices here, each way counted.
  [[nodiscard]] std::uint64_t own_entries() const { return own_entries_; }
  /// `incoming`: what other ranks count of this one's vertices among their ghosts. The graph and this outlive it.
  [[nodiscard]] gpu::HostPart view(const Graph& graph, std::uint64_t incoming) const;

 private:
  void lay_out(const Graph& graph, ThreadTeam& threads);

  Ghosts ghosts_;
  Buffer<std::uint64_t> ends_;  ///< of each row's neighbours here
  Buffer<std::uint32_t> neighbours_;
  Buffer<float> lengths_;
  Buffer<std::uint32_t> labels_;
  std::uint64_t own_entries_ = 0;
  gpu::RowBounds bounds_;
};

// On the device.

/// What this rank's device has. Search is gpu::PartSearch or gpu::PartPaths.
template <class Search>
struct PartOnDevice {
  std::unique_ptr<Search> search;
  std::uint64_t own_entries = 0;  ///< edges between vertices of a rank, each way, on all ranks
  std::uint64_t bytes = 0;        ///< of devices' memory, on all ranks
};

/// This rank's GPU among those of its node; of other devices each rank has its own. Throws the same on all ranks where
/// any has no GPU. Collective.
gpu::NodePlace place_on_node(const Communicator& ranks, Device device);

/// Throws Error where ranks share a GPU and the transport is one that they cannot.
void require_own_device(Device device, DeviceTransport transport, const gpu::NodePlace& place);
/// Throws OutOfMemory with the figures where this does not fit into the memory that this rank's device has free, of
/// which each rank that shares it has an equal part. To be asked on all ranks before any takes memory.
void require_memory_on(Device device, const gpu::MemoryPlan& plan, const gpu::NodePlace& place);

/// The part of this rank with its search, on the device that options and its place on the node give it: `plan` is what
/// both take, and `on_gpu` or `simulated` takes it. Throws the same on all ranks. Collective.
template <class Search>
PartOnDevice<Search> take_part(const Graph& graph, PartEdges edges, const DeviceOptions& options,
                               const Context& context, gpu::MemoryPlan plan(const gpu::HostPart&),
                               std::unique_ptr<Search> on_gpu(const gpu::HostPart&, const gpu::NodePlace&, ThreadTeam&),
                               std::unique_ptr<Search> simulated(const gpu::HostPart&, ThreadTeam&)) {
  const Communicator& ranks = context.ranks;
  const Device device = options.kind;
  require_control(options.control, ranks.size());
  require_transport(device, options.transport);
  run_together(ranks, [&] { require_device(device); });
  const gpu::NodePlace place = place_on_node(ranks, device);
  const GpuPart part = run_together(ranks, [&] { return GpuPart(graph, edges, context.threads); });
  std::uint64_t incoming = 0;
  for (const std::size_t count : ranks.exchange_counts(part.ghosts().counts())) incoming += count;
  gpu::HostPart on_host = part.view(graph, incoming);
  on_host.transport = options.transport;
  run_together(ranks, [&] {
    require_own_device(device, on_host.transport, place);
    require_memory_on(device, plan(on_host), place);
  });
  std::unique_ptr<Search> search = run_together(ranks, [&] {
    return device == Device::gpu ? on_gpu(on_host, place, context.threads) : simulated(on_host, context.threads);
  });
  const auto [own_entries, bytes] = ranks.sums({part.own_entries(), search->device_bytes()});
  return {std::move(search), own_entries, bytes};
}

}  // namespace breadth
