// Where queries lie that go from a device to others, and those that come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/array_view.hpp"
#include "gpu/part_search.hpp"

namespace breadth::gpu {

/// Messages are in the memory of the host, which stays in its place. Those that go and those that come take turns in
/// that of the device. Device is SimulatedDevice or CudaDevice.
template <class Device>
class StagedQueries {
 public:
  /// Room for so many at the most.
  StagedQueries(const Device& device, std::size_t outgoing, std::size_t incoming)
      : queries_(device.template allocate<Query>(std::max(outgoing, incoming))),
        outgoing_(device.template host_array<Query>(outgoing)),
        incoming_(device.template host_array<Query>(incoming)) {}

  /// Where the device writes those that go.
  [[nodiscard]] ArrayView<Query> outgoing() { return queries_.view(); }
  /// Where the first so many of these are sent from, once they are written.
  [[nodiscard]] std::span<const Query> take(const Device& device, std::size_t count) {
    const std::span<Query> queries = outgoing_.span().first(count);
    device.copy_out(ArrayView<const Query>{queries_.constant().data, count}, queries);
    return queries;
  }
  /// Where those that come are received.
  [[nodiscard]] std::span<Query> inbox() { return incoming_.span(); }
  /// Where the device reads the first so many of these.
  [[nodiscard]] ArrayView<const Query> bring(const Device& device, std::size_t count) {
    device.copy_in(std::span<const Query>(incoming_.span().first(count)), queries_.view());
    return queries_.constant();
  }
  /// Of the memory of the device.
  [[nodiscard]] std::uint64_t bytes() const { return queries_.bytes(); }

 private:
  typename Device::template Array<Query> queries_;
  typename Device::template HostArray<Query> outgoing_;
  typename Device::template HostArray<Query> incoming_;
};

/// Messages are in the memory of the device, apart. What inbox() and take() return is for those to read and write who
/// can, and not for the host.
template <class Device>
class DirectQueries {
 public:
  DirectQueries(const Device& device, std::size_t outgoing, std::size_t incoming)
      : outgoing_(device.template allocate<Query>(outgoing)), incoming_(device.template allocate<Query>(incoming)) {}

  [[nodiscard]] ArrayView<Query> outgoing() { return outgoing_.view(); }
  [[nodiscard]] std::span<const Query> take(const Device& device, std::size_t count) {
    device.wait();  // nobody else waits for what was launched
    return {outgoing_.constant().data, count};
  }
  [[nodiscard]] std::span<Query> inbox() { return {incoming_.view().data, incoming_.size()}; }
  [[nodiscard]] ArrayView<const Query> bring(const Device&, std::size_t) { return incoming_.constant(); }
  [[nodiscard]] std::uint64_t bytes() const { return outgoing_.bytes() + incoming_.bytes(); }

 private:
  typename Device::template Array<Query> outgoing_;
  typename Device::template Array<Query> incoming_;
};

}  // namespace breadth::gpu
