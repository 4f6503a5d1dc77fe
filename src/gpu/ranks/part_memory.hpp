// The memory of a search of one part of a graph: messages to and from other devices, and frontiers led by the host.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "gpu/memory_plan.hpp"
#include "gpu/part_search.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// The vertices of other ranks that a part's rows lead to (gpu/part_search.hpp). Device as of GraphArrays.
template <class Device>
struct GhostArrays {
  GhostArrays(const Device& device, const PartSize& part)
      : vertices(take_words(device, part.ghosts)), owners(take_words(device, words_for(part.ghosts))) {}
  GhostArrays(const Device& device, const HostPart& part) : GhostArrays(device, size_of(part)) {
    device.copy_in(part.ghost_vertices, vertices.view());
    device.copy_in(part.ghost_owners, owners.view());
  }

  typename Device::template Array<std::uint32_t> vertices;
  typename Device::template Array<std::uint32_t> owners;  ///< of each 32 of these
};

/// Messages are in the memory of the host, which stays in its place. Those that go and those that come take turns in
/// that of the device. Device is SimulatedDevice or CudaDevice.
template <class Device, class Message>
class StagedMessages {
 public:
  /// Room for so many at the most.
  StagedMessages(const Device& device, std::size_t outgoing, std::size_t incoming)
      : messages_(device.template allocate<Message>(std::max(outgoing, incoming))),
        outgoing_(device.template host_array<Message>(outgoing)),
        incoming_(device.template host_array<Message>(incoming)) {}

  /// Where the device writes those that go.
  [[nodiscard]] ArrayView<Message> outgoing() { return messages_.view(); }
  /// Where the first so many of these are sent from, once they are written.
  [[nodiscard]] std::span<const Message> take(const Device& device, std::size_t count) {
    const std::span<Message> messages = outgoing_.span().first(count);
    device.copy_out(messages_.constant().part(0, count), messages);
    return messages;
  }
  /// Where those that come are received.
  [[nodiscard]] std::span<Message> inbox() { return incoming_.span(); }
  /// Where the device reads the first so many of these.
  [[nodiscard]] ArrayView<const Message> bring(const Device& device, std::size_t count) {
    device.copy_in(std::span<const Message>(incoming_.span().first(count)), messages_.view());
    return messages_.constant();
  }
  /// Those that go, as long as nothing has been brought.
  [[nodiscard]] ArrayView<const Message> written() const { return messages_.constant(); }
  /// Where the device reads these, which the host has.
  [[nodiscard]] ArrayView<const Message> put(const Device& device, std::span<const Message> messages) {
    device.copy_in(messages, messages_.view());
    return messages_.constant();
  }

 private:
  typename Device::template Array<Message> messages_;
  typename Device::template HostArray<Message> outgoing_;
  typename Device::template HostArray<Message> incoming_;
};

/// Messages are in the memory of the device, apart. What inbox() and take() return is for those to read and write who
/// can, and not for the host.
template <class Device, class Message>
class DirectMessages {
 public:
  DirectMessages(const Device& device, std::size_t outgoing, std::size_t incoming)
      : outgoing_(device.template allocate<Message>(outgoing)),
        incoming_(device.template allocate<Message>(incoming)) {}

  [[nodiscard]] ArrayView<Message> outgoing() { return outgoing_.view(); }
  [[nodiscard]] std::span<const Message> take(const Device& device, std::size_t count) {
    device.wait();  // nobody else waits for what was launched
    return {outgoing_.constant().data, count};
  }
  [[nodiscard]] std::span<Message> inbox() { return {incoming_.view().data, incoming_.size()}; }
  [[nodiscard]] ArrayView<const Message> bring(const Device&, std::size_t) { return incoming_.constant(); }
  [[nodiscard]] ArrayView<const Message> written() const { return outgoing_.constant(); }
  [[nodiscard]] ArrayView<const Message> put(const Device& device, std::span<const Message> messages) {
    device.copy_in(messages, incoming_.view());
    return incoming_.constant();
  }

 private:
  typename Device::template Array<Message> outgoing_;
  typename Device::template Array<Message> incoming_;
};

/// A part on this device, a DevicePartSearch or DevicePartPaths, with messages by its transport.
template <class Search, template <class, template <class, class> class> class OnDevice, class Device>
std::unique_ptr<Search> make_part(Device device, const HostPart& part, ThreadTeam& threads) {
  if (stays_on_devices(part.transport)) {
    return std::make_unique<OnDevice<Device, DirectMessages>>(std::move(device), part, threads);
  }
  return std::make_unique<OnDevice<Device, StagedMessages>>(std::move(device), part, threads);
}

/// Has those that go written, and says where they are sent from, rank after rank: `count` counts how many there are for
/// each rank in `places`, and `write` writes them, each rank's from the place that it finds there. For as many ranks as
/// there are `counts`, which they are copied to.
template <class Device, class Messages, class Count, class Write>
auto take_messages(const Device& device, Messages& messages, const ArrayView<std::uint64_t>& places,
                   std::span<std::size_t> counts, std::uint64_t warps, const Count& count, const Write& write) {
  device.clear(places);
  device.launch(count, warps);
  std::vector<std::uint64_t> firsts(counts.size());
  device.copy_out(ArrayView<const std::uint64_t>{places.data, places.size}, std::span(firsts));
  std::copy(firsts.begin(), firsts.end(), counts.begin());
  std::exclusive_scan(firsts.begin(), firsts.end(), firsts.begin(), std::uint64_t{0});
  const std::size_t all = firsts.back() + counts.back();
  if (all > 0) {
    device.copy_in(std::span<const std::uint64_t>(firsts), places);
    device.launch(write, warps);
  }
  return messages.take(device, all);
}

/// Two queues that take turns: one has the frontier, the other gets the next one. Device is SimulatedDevice or
/// CudaDevice.
template <class Device>
class PartFrontiers {
  using Words = typename Device::template Array<std::uint32_t>;

 public:
  PartFrontiers(const Device& device, std::size_t vertices, std::size_t pieces)
      : queues_{Queue(device, vertices, pieces), Queue(device, vertices, pieces)} {}

  /// A search begins with an empty next frontier.
  void clear(const Device& device) {
    for (Queue& queue : queues_) device.clear(queue.sizes.view());
  }
  /// The next frontier is the frontier, and the next one is empty.
  void advance(const Device& device) {
    front_ = 1 - front_;
    device.clear(next().sizes);
    device.copy_out(queues_[front_].sizes.constant(), std::span<std::uint32_t>(sizes_));
  }

  [[nodiscard]] QueueView front() { return queues_[front_].view(); }
  [[nodiscard]] QueueView next() { return queues_[1 - front_].view(); }

  /// Walks along the frontier's rows of this class and those after it.
  template <class Step>
  void launch(const Device& device, const Step& step, RowClass first_class) const {
    std::uint64_t rows = 0;
    for (std::uint32_t row_class = first_class; row_class != row_classes; ++row_class) rows += sizes_[row_class];
    if (rows > 0) device.launch(QueueWalk<Step>{step, first_class}, rows * group_lanes);
  }

 private:
  struct Queue {
    Queue(const Device& device, std::size_t vertex_count, std::size_t piece_count)
        : vertices(take_words(device, vertex_count)),
          pieces(take_words(device, piece_count)),
          sizes(take_words(device, row_classes)) {}
    [[nodiscard]] QueueView view() { return {vertices.view(), pieces.view(), sizes.view()}; }

    Words vertices;
    Words pieces;
    Words sizes;
  };

  std::array<Queue, 2> queues_;
  std::size_t front_ = 0;                           ///< which queue has the frontier
  std::array<std::uint32_t, row_classes> sizes_{};  ///< of the frontier
};

/// What a level has counted.
template <class Device>
PartLevel level_of(const Device& device, const typename Device::template Array<std::uint64_t>& tallies) {
  std::array<std::uint64_t, tally_kinds> sums;
  device.copy_out(tallies.constant(), std::span<std::uint64_t>(sums));
  return {sums[edges_examined], sums[vertices_claimed], sums[edges_claimed]};
}

/// The part of each row behind its end: what leads to vertices of other ranks.
inline GraphView rows_beyond(GraphView rows) {
  const ArrayView<const std::uint64_t> begins = rows.offsets;
  rows.offsets = rows.ends;
  rows.ends = begins.part(1, rows.ends.size);
  return rows;
}

}  // namespace breadth::gpu
