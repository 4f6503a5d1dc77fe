// A rank's part of a graph in the form that devices search together, the search on this rank's device, and messages
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

// Messages between the devices of several ranks.

/// Exchanges a level's messages between devices, by an all-to-all of MPI or NCCL (DeviceTransport in
/// core/policy/search.hpp). Messages are sent from where they are, in the memory of the host or of the device, and
/// received where they are read.
class DeviceExchange {
 public:
  /// Throws Error, the same on all ranks, if NCCL cannot connect them. With NCCL each rank needs a device of its own.
  /// Collective.
  DeviceExchange(const Communicator& ranks, DeviceTransport transport);

  /// Sends `messages`, which are in the order of their receivers, `counts` to each. Receives the messages of other
  /// ranks in `inbox`, which must have room for them. Returns their number. Collective.
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

  /// The traffic so far, counted as MessageExchange does. A level has at most one message to each other rank, with all
  /// queries for it.
  [[nodiscard]] const Traffic& traffic() const noexcept { return total_; }
  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept { return sent_; }
  /// 0, because messages have no fixed size.
  [[nodiscard]] std::uint64_t partial_packets() const noexcept { return 0; }
  [[nodiscard]] ExchangeSeconds seconds() const noexcept { return seconds_; }

 private:
  void count(std::span<const std::size_t> counts, std::size_t bytes_each);
  static std::vector<std::size_t> bytes_of(std::span<const std::size_t> counts, std::size_t bytes_each);

  Communicator ranks_;
  std::unique_ptr<gpu::NcclGroup> nccl_;  ///< if NCCL is the transport
  std::vector<SentTraffic> sent_;
  Traffic total_;
  ExchangeSeconds seconds_;
};

// The part of a graph on a device.

/// Numbers the ghosts of a rank: the vertices of other ranks that its rows lead to. Numbers go rank by rank, and for
/// each rank from a multiple of 32 on in the order of local ids.
class Ghosts {
 public:
  /// `neighbours` are those of all rows, as global ids. Takes a bit and a half for each global id of the graph, and 4
  /// bytes a ghost. Throws Error if 32 bits are too few for the numbers.
  Ghosts(std::span<const std::uint32_t> neighbours, const Partition& partition, ThreadTeam& threads);

  /// The number of a ghost.
  [[nodiscard]] std::uint32_t number(std::uint64_t global_id) const {
    const std::size_t word = global_id / bits_per_word;
    const std::uint64_t before = present_.words()[word] & (bit_in_word(global_id) - 1);
    return first_in_word_[word] + static_cast<std::uint32_t>(std::popcount(before));
  }
  /// For each ghost its local id on the rank that owns it.
  [[nodiscard]] std::span<const std::uint32_t> vertices() const { return vertices_.span(); }
  /// For each 32 ghosts the rank that owns them.
  [[nodiscard]] std::span<const std::uint32_t> owners() const { return owners_; }
  /// The number of ghosts that each rank owns.
  [[nodiscard]] std::span<const std::size_t> counts() const { return counts_; }

 private:
  void number_all(const GlobalIdCode& code, std::size_t ranks);

  Bitmap present_;                       ///< ghosts by global id
  Buffer<std::uint32_t> first_in_word_;  ///< for each word of present_ the number of its first ghost
  Buffer<std::uint32_t> vertices_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::size_t> counts_;
};

/// Whether a search needs only edges, or also their lengths, which are the weights.
enum class PartEdges { alone, with_lengths };

/// A rank's part of a graph: in each row first the neighbours on this rank, by local id, then ghosts, by number. Takes
/// as much memory as the graph's neighbours, twice that with lengths, and 12 bytes per vertex, until it has been copied
/// to a device.
class GpuPart {
 public:
  /// The graph must have plain rows of 32 bits. O(edges); looks at each edge four times.
  GpuPart(const Graph& graph, PartEdges edges, ThreadTeam& threads);

  /// Bytes of a part without lengths, while the ghosts are numbered.
  static constexpr std::uint64_t bytes_for(std::uint64_t entries, std::uint64_t vertices, std::uint64_t global_ids) {
    constexpr std::uint64_t of_vertex =
        sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);  // end, label, first neighbour
    return entries * sizeof(std::uint32_t) + vertices * of_vertex + global_ids * 3 / 16;
  }

  [[nodiscard]] const Ghosts& ghosts() const { return ghosts_; }
  /// The number of entries of rows whose neighbour is on this rank.
  [[nodiscard]] std::uint64_t own_entries() const { return own_entries_; }
  /// Returns a view of the part. `incoming` is the number of ghosts of other ranks that are vertices of this rank. The
  /// graph and this part must outlive the view.
  [[nodiscard]] gpu::HostPart view(const Graph& graph, std::uint64_t incoming) const;

 private:
  void lay_out(const Graph& graph, ThreadTeam& threads);

  Ghosts ghosts_;
  Buffer<std::uint64_t> ends_;  ///< for each row the end of its neighbours on this rank
  Buffer<std::uint32_t> neighbours_;
  Buffer<float> lengths_;
  Buffer<std::uint32_t> labels_;
  std::uint64_t own_entries_ = 0;
  gpu::RowBounds bounds_;
};

// On the device.

/// A part with its search on this rank's device. Search is gpu::PartSearch or gpu::PartPaths.
template <class Search>
struct PartOnDevice {
  std::unique_ptr<Search> search;
  std::uint64_t own_entries = 0;  ///< GpuPart::own_entries() of all ranks
  std::uint64_t bytes = 0;        ///< of memory on all ranks' devices
};

/// Chooses this rank's GPU among those of its node; of other devices each rank has its own. Throws the same error on
/// all ranks if any has no GPU. Collective.
gpu::NodePlace place_on_node(const Communicator& ranks, Device device);

/// Throws Error if ranks share a GPU and the transport does not allow that.
void require_own_device(Device device, DeviceTransport transport, const gpu::NodePlace& place);
/// Throws OutOfMemory, with the figures, if `plan` does not fit into the free memory of this rank's device. Ranks that
/// share a device have equal parts of its free memory. To be called on all ranks before any takes memory.
void require_memory_on(Device device, const gpu::MemoryPlan& plan, const gpu::NodePlace& place);

/// Makes this rank's part and its search, on the device that the options and the rank's place on the node determine.
/// `plan` computes their memory, `on_gpu` or `simulated` makes them. Throws the same error on all ranks. Collective.
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
