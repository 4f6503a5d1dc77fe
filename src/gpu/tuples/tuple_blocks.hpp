// An edge list as phases on a device read it: block by block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "gpu/edges.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/tuples/tuple_feed.hpp"
#include "gpu/tuples/tuples.hpp"

namespace breadth::gpu {

/// One block that holds all tuples and is filled once, or one that is filled anew again and again for each reading.
template <class Device>
class TupleBlocks {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  /// Throws OutOfMemory before it takes any memory.
  TupleBlocks(const Device& device, const TupleSource& source, ThreadTeam& threads)
      : device_(device),
        size_(source.size()),
        weighted_(source.weighted),
        held_(with_room(device, source)),
        sources_(device.template allocate<std::uint32_t>(held_)),
        targets_(device.template allocate<std::uint32_t>(held_)),
        weights_(device.template allocate<float>(source.weighted ? held_ : 0)),
        feed_(feed_of(device, source, threads)) {
    if (held_ == size_) feed_->fill(device_, 0, first(size_));
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool weighted() const { return weighted_; }
  [[nodiscard]] std::uint64_t bytes() const { return sources_.bytes() + targets_.bytes() + weights_.bytes(); }

  /// Calls body(tuples) for blocks that together are the list, in order. What body launches is done before the block
  /// is filled again, since a device does one after the other.
  template <class Body>
  void for_each(Body&& body) {
    if (held_ == size_) {
      if (size_ > 0) body(first(size_));
      return;
    }
    for (std::uint64_t done = 0; done < size_; done += held_) {
      const TupleView block = first(std::min(held_, size_ - done));
      feed_->fill(device_, done, block);
      body(block);
    }
  }

 private:
  static std::uint64_t with_room(const Device& device, const TupleSource& source) {
    const std::uint64_t held = std::min(source.size(), source.held);
    require_edge_memory(edge_bytes(held, source.weighted), device.free_bytes(), device.name());
    return held;
  }
  static std::unique_ptr<TupleFeed<Device>> feed_of(const Device& device, const TupleSource& source,
                                                    ThreadTeam& threads) {
    if (source.kronecker != nullptr) return std::make_unique<GeneratedTuples<Device>>(device, *source.kronecker);
    return std::make_unique<CopiedTuples<Device>>(device, *source.list, source.weighted, threads);
  }

  /// The first tuples of the block.
  [[nodiscard]] TupleView first(std::uint64_t count) {
    const auto part = [count]<class T>(ArrayView<T> all) { return ArrayView<T>{all.data, std::min(all.size, count)}; };
    return {part(sources_.view()), part(targets_.view()), part(weights_.view())};
  }

  const Device& device_;
  std::uint64_t size_;
  bool weighted_;
  std::uint64_t held_;
  Array<std::uint32_t> sources_;
  Array<std::uint32_t> targets_;
  Array<float> weights_;
  std::unique_ptr<TupleFeed<Device>> feed_;
};

}  // namespace breadth::gpu
