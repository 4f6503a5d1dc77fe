// Where messages lie that go from a device to others, and those that come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/phases/array_view.hpp"

namespace breadth::gpu {

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
    device.copy_out(ArrayView<const Message>{messages_.constant().data, count}, messages);
    return messages;
  }
  /// Where those that come are received.
  [[nodiscard]] std::span<Message> inbox() { return incoming_.span(); }
  /// Where the device reads the first so many of these.
  [[nodiscard]] ArrayView<const Message> bring(const Device& device, std::size_t count) {
    device.copy_in(std::span<const Message>(incoming_.span().first(count)), messages_.view());
    return messages_.constant();
  }
  /// Copies those that go from the one with this number on to the host, as long as nothing has been brought.
  void copy_outgoing(const Device& device, std::size_t first, std::span<Message> messages) const {
    device.copy_out(ArrayView<const Message>{messages_.constant().data + first, messages.size()}, messages);
  }
  /// Where the device reads these, which the host has.
  [[nodiscard]] ArrayView<const Message> put(const Device& device, std::span<const Message> messages) {
    device.copy_in(messages, messages_.view());
    return messages_.constant();
  }
  /// Of the memory of the device.
  [[nodiscard]] std::uint64_t bytes() const { return messages_.bytes(); }

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
  void copy_outgoing(const Device& device, std::size_t first, std::span<Message> messages) const {
    device.copy_out(ArrayView<const Message>{outgoing_.constant().data + first, messages.size()}, messages);
  }
  [[nodiscard]] ArrayView<const Message> put(const Device& device, std::span<const Message> messages) {
    device.copy_in(messages, incoming_.view());
    return incoming_.constant();
  }
  [[nodiscard]] std::uint64_t bytes() const { return outgoing_.bytes() + incoming_.bytes(); }

 private:
  typename Device::template Array<Message> outgoing_;
  typename Device::template Array<Message> incoming_;
};

}  // namespace breadth::gpu
