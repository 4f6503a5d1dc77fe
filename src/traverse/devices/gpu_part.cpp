#include "traverse/devices/gpu_part.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "gpu/search.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/devices/gpu_search.hpp"

namespace breadth {

// Messages between the devices of several ranks.

namespace {
std::unique_ptr<gpu::NcclGroup> join_nccl(const Communicator& ranks) {
  gpu::NcclGroup::Key key{};
  run_together(ranks, [&] {
    if (ranks.rank() == 0) key = gpu::NcclGroup::make_key();
  });
  ranks.broadcast(std::span<char>(key), 0);
  return run_together(ranks, [&] { return std::make_unique<gpu::NcclGroup>(key, ranks.size(), ranks.rank()); });
}
}  // namespace

DeviceExchange::DeviceExchange(const Communicator& ranks, DeviceTransport transport)
    : ranks_(ranks), sent_(static_cast<std::size_t>(ranks.size())) {
  if (transport == DeviceTransport::nccl) nccl_ = join_nccl(ranks);
}

std::vector<std::size_t> DeviceExchange::bytes_of(std::span<const std::size_t> counts, std::size_t bytes_each) {
  std::vector<std::size_t> bytes;
  for (const std::size_t count : counts) bytes.push_back(count * bytes_each);
  return bytes;
}

void DeviceExchange::count(std::span<const std::size_t> counts, std::size_t bytes_each) {
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] == 0) continue;
    const std::uint64_t bytes = counts[rank] * bytes_each;
    ++sent_[rank].messages;
    sent_[rank].bytes += bytes;
    ++total_.messages;
    total_.bytes += bytes;
    total_.queries += counts[rank];
  }
}

// The part of a graph on a device.

namespace {
constexpr std::size_t grain = std::size_t{1} << 12;

/// Classifies rows by their whole length, which bounds each of their two parts. Hubs are in the order of their degrees
/// over all ranks, and so only roughly in that of their rows here; a class begins where no later row is longer. Only
/// rows of hubs are cut into pieces, because hubs have no ghosts.
gpu::RowBounds bounds_of(const Graph& graph) {
  gpu::RowBounds bounds = row_bounds_of(graph, false);
  bounds.long_rows = std::min(bounds.long_rows, static_cast<std::uint32_t>(graph.partition().hubs().end()));
  return bounds;
}
}  // namespace

Ghosts::Ghosts(std::span<const std::uint32_t> neighbours, const Partition& partition, ThreadTeam& threads)
    : present_(partition.code().bound()), first_in_word_(present_.words().size()) {
  const GlobalIdCode& code = partition.code();
  parallel_for(threads, neighbours.size(), grain, [&](std::size_t i) {
    if (code.rank(neighbours[i]) != partition.rank()) present_.insert_atomic(neighbours[i]);
  });
  number_all(code, static_cast<std::size_t>(partition.distribution().ranks()));
  parallel_for(threads, first_in_word_.size(), grain, [&](std::size_t word) {
    std::size_t number = first_in_word_[word];
    for_each_set_bit(present_.words()[word], word * bits_per_word,
                     [&](std::size_t global_id) { vertices_[number++] = code.local(global_id).value; });
  });
}

void Ghosts::number_all(const GlobalIdCode& code, std::size_t ranks) {
  const std::size_t words = code.stride() / bits_per_word;  // of each rank
  std::uint64_t next = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::uint64_t first = next;
    for (std::size_t word = rank * words; word < (rank + 1) * words; ++word) {
      first_in_word_[word] = static_cast<std::uint32_t>(next);
      next += static_cast<std::uint64_t>(std::popcount(present_.words()[word]));
    }
    counts_.push_back(next - first);
    next = (next + gpu::bits_per_word - 1) / gpu::bits_per_word * gpu::bits_per_word;
    owners_.resize(next / gpu::bits_per_word, static_cast<std::uint32_t>(rank));
  }
  if (next > UINT32_MAX) {
    fail("the rows of a rank lead to {} vertices of other ranks; a search on GPUs can have at most 2^32 - 1", next);
  }
  vertices_ = Buffer<std::uint32_t>(next);
}

GpuPart::GpuPart(const Graph& graph, PartEdges edges, ThreadTeam& threads)
    : ghosts_(gpu_rows(graph).neighbours.span(), graph.partition(), threads),
      ends_(graph.partition().local_count()),
      neighbours_(gpu_rows(graph).neighbours.size()),
      lengths_(edges == PartEdges::with_lengths ? neighbours_.size() : 0),
      labels_(graph.partition().local_count()),
      bounds_(bounds_of(graph)) {
  lay_out(graph, threads);
}

void GpuPart::lay_out(const Graph& graph, ThreadTeam& threads) {
  const Adjacency<std::uint32_t>& rows = gpu_rows(graph);
  const Partition& partition = graph.partition();
  const GlobalIdCode& code = partition.code();
  parallel_for(threads, ends_.size(), grain, [&](std::size_t i) {
    const LocalVertex vertex{static_cast<std::uint32_t>(i)};
    const auto row = rows.row(vertex);
    std::size_t place = rows.offsets[i];
    const auto lay = [&](std::size_t in_row, std::uint32_t number) {
      if (lengths_.size() > 0) lengths_[place] = rows.weights[rows.offsets[i] + in_row];
      neighbours_[place++] = number;
    };
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (code.rank(row[j]) == partition.rank()) lay(j, code.local(row[j]).value);
    }
    ends_[i] = place;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (code.rank(row[j]) != partition.rank()) lay(j, ghosts_.number(row[j]));
    }
    labels_[i] = static_cast<std::uint32_t>(partition.label(vertex).value);
  });
  own_entries_ = parallel_sum(threads, ends_.size(), grain, [&](std::size_t i) { return ends_[i] - rows.offsets[i]; });
}

gpu::HostPart GpuPart::view(const Graph& graph, std::uint64_t incoming) const {
  const ConnectedLabels& connected = graph.partition().connected();
  return {.rows = {.offsets = gpu_rows(graph).offsets.span(),
                   .neighbours = neighbours_.span(),
                   .weights = lengths_.span(),
                   .labels = labels_.span(),
                   .connected = connected.words(),
                   .vertices = connected.locals(0, connected.words().size()),
                   .label_count = static_cast<std::uint32_t>(connected.size()),
                   .bounds = bounds_,
                   .ends = ends_.span()},
          .hub_bits = static_cast<std::uint32_t>(graph.partition().hubs().end()),
          .ghost_vertices = ghosts_.vertices(),
          .ghost_owners = ghosts_.owners(),
          .incoming = incoming,
          .ranks = static_cast<std::uint32_t>(graph.distribution().ranks()),
          .rank = static_cast<std::uint32_t>(graph.partition().rank())};
}

// On the device.

gpu::NodePlace place_on_node(const Communicator& ranks, Device device) {
  if (device != Device::gpu) return {};
  const std::vector<gpu::GpuId> mine = run_together(ranks, [] { return gpu::visible_gpus(); });
  const Communicator node = ranks.node();
  const std::vector<std::size_t> counts = node.all_gather(mine.size());
  const std::vector<gpu::GpuId> all = node.all_gather_varying(std::span<const gpu::GpuId>(mine));
  std::vector<std::vector<gpu::GpuId>> visible;
  auto first = all.begin();
  for (const std::size_t count : counts) {
    const auto end = first + static_cast<std::ptrdiff_t>(count);
    visible.emplace_back(first, end);
    first = end;
  }
  return gpu::share_gpus(visible)[static_cast<std::size_t>(node.rank())];
}

void require_own_device(Device device, DeviceTransport transport, const gpu::NodePlace& place) {
  if (device != Device::gpu || transport != DeviceTransport::nccl || place.sharing == 1) return;
  fail(
      "--device-transport nccl needs a GPU for each rank, but {} ranks of this node share one; use --device-transport "
      "staged",
      place.sharing);
}

void require_memory_on(Device device, const gpu::MemoryPlan& plan, const gpu::NodePlace& place) {
  const gpu::DeviceMemory there = device == Device::gpu ? gpu::cuda_memory(place) : gpu::simulated_memory();
  gpu::require_memory(plan, there.free_bytes, there.device);
}

}  // namespace breadth
