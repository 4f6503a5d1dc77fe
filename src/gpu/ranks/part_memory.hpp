// The memory of a search of one part of a graph: messages to and from other devices, and frontiers controlled by the
// host.
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

/// The vertices of other ranks that a part's rows lead to (gpu/part_search.hpp). Device is as for GraphArrays.
template <class Device>
struct GhostArrays {
  GhostArrays(const Device& device, const PartSize& part)
      : vertices(take_words(device, part.ghosts)), owners(take_words(device, words_for(part.ghosts))) {}
  GhostArrays(const Device& device, const HostPart& part) : GhostArrays(device, size_of(part)) {
    device.copy_in(part.ghost_vertices, vertices.view());
    device.copy_in(part.ghost_owners, owners.view());
  }

  WordArray<Device> vertices;
  WordArray<Device> owners;  ///< of each 32 ghosts
};

/// Messages in pinned memory of the host. Outgoing and incoming messages share one array in the memory of the device.
/// Device is SimulatedDevice or CudaDevice.
template <class Device, class Message>
class StagedMessages {
 public:
  /// Makes room for the given numbers of messages.
  StagedMessages(const Device& device, std::size_t outgoing, std::size_t incoming)
      : messages_(device.template allocate<Message>(std::max(outgoing, incoming))),
        outgoing_(device.template host_array<Message>(outgoing)),
        incoming_(device.template host_array<Message>(incoming)) {}

  /// The array to which the device writes outgoing messages.
  [[nodiscard]] ArrayView<Message> outgoing() { return messages_.view(); }
  /// The first `count` outgoing messages, to be sent from there. They must be written before.
  [[nodiscard]] std::span<const Message> take(const Device& device, std::size_t count) {
    const std::span<Message> messages = outgoing_.span().first(count);
    device.copy_out(messages_.constant().part(0, count), messages);
    return messages;
  }
  /// The memory in which incoming messages are received.
  [[nodiscard]] std::span<Message> inbox() { return incoming_.span(); }
  /// The array from which the device reads the first `count` incoming messages.
  [[nodiscard]] ArrayView<const Message> bring(const Device& device, std::size_t count) {
    device.copy_in(std::span<const Message>(incoming_.span().first(count)), messages_.view());
    return messages_.constant();
  }
  /// The outgoing messages, valid until bring() or put().
  [[nodiscard]] ArrayView<const Message> written() const { return messages_.constant(); }
  /// The array from which the device reads these messages of the host.
  [[nodiscard]] ArrayView<const Message> put(const Device& device, std::span<const Message> messages) {
    device.copy_in(messages, messages_.view());
    return messages_.constant();
  }

 private:
  typename Device::template Array<Message> messages_;
  typename Device::template HostArray<Message> outgoing_;
  typename Device::template HostArray<Message> incoming_;
};

/// Messages in the memory of the device, in an array for each direction. The host must not access the spans that
/// inbox() and take() return: they are for libraries that can read and write device memory.
template <class Device, class Message>
class DirectMessages {
 public:
  DirectMessages(const Device& device, std::size_t outgoing, std::size_t incoming)
      : outgoing_(device.template allocate<Message>(outgoing)),
        incoming_(device.template allocate<Message>(incoming)) {}

  [[nodiscard]] ArrayView<Message> outgoing() { return outgoing_.view(); }
  [[nodiscard]] std::span<const Message> take(const Device& device, std::size_t count) {
    device.wait();  // the sender does not wait for launches
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

/// Makes a DevicePartSearch or DevicePartPaths on this device, with the messages of the part's transport.
template <class Search, template <class, template <class, class> class> class OnDevice, class Device>
std::unique_ptr<Search> make_part(Device device, const HostPart& part, ThreadTeam& threads) {
  if (stays_on_devices(part.transport)) {
    return std::make_unique<OnDevice<Device, DirectMessages>>(std::move(device), part, threads);
  }
  return std::make_unique<OnDevice<Device, StagedMessages>>(std::move(device), part, threads);
}

/// Writes the outgoing messages, and returns them rank after rank. The phase `count` counts the messages for each rank
/// in `places`. The phase `write` writes them, each rank's from its place in `places` on. Copies the numbers to
/// `counts`, one for each rank.
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

/// Two queues that take turns: one has the frontier, the other gets the next frontier. Device is SimulatedDevice or
/// CudaDevice.
template <class Device>
class PartFrontiers {
  using Words = WordArray<Device>;

 public:
  PartFrontiers(const Device& device, const DeviceGraphSize& size)
      : queues_{Queue{device, size}, Queue{device, size}} {}

  /// Clears the next frontier, at the start of a search.
  void clear(const Device& device) {
    for (Queue& queue : queues_) device.clear(queue.sizes.view());
  }
  /// Makes the next frontier the frontier, and clears the next one.
  void advance(const Device& device) {
    front_ = 1 - front_;
    device.clear(next().sizes);
    device.copy_out(queues_[front_].sizes.constant(), std::span<std::uint32_t>(sizes_));
  }

  [[nodiscard]] QueueView front() { return queues_[front_].view(); }
  [[nodiscard]] QueueView next() { return queues_[1 - front_].view(); }

  /// Walks along the frontier's rows of this class and of later classes.
  template <class Step>
  void launch(const Device& device, const Step& step, RowClass first_class) const {
    std::uint64_t rows = 0;
    for (std::uint32_t row_class = first_class; row_class != row_classes; ++row_class) rows += sizes_[row_class];
    if (rows > 0) device.launch(QueueWalk<Step>{step, first_class}, rows * group_lanes);
  }

 private:
  struct Queue {
    const Device& device;
    DeviceGraphSize size;
    Words vertices = take_words(device, size.vertices);
    Words pieces = take_words(device, size.pieces);
    Words sizes = take_words(device, row_classes);

    [[nodiscard]] QueueView view() { return {vertices.view(), pieces.view(), sizes.view()}; }
  };

  std::array<Queue, 2> queues_;
  std::size_t front_ = 0;                           ///< index of the queue with the frontier
  std::array<std::uint32_t, row_classes> sizes_{};  ///< of the frontier
};

/// The counts of a level.
template <class Device>
PartLevel level_of(const Device& device, const NumberArray<Device>& tallies) {
  std::array<std::uint64_t, tally_kinds> sums;
  device.copy_out(tallies.constant(), std::span<std::uint64_t>(sums));
  return {sums[edges_examined], sums[vertices_claimed], sums[edges_claimed]};
}

/// The rest of each row after its end, which leads to vertices of other ranks.
inline GraphView rows_beyond(GraphView rows) {
  const ArrayView<const std::uint64_t> begins = rows.offsets;
  rows.offsets = rows.ends;
  rows.ends = begins.part(1, rows.ends.size);
  return rows;
}

}  // namespace breadth::gpu
