// An edge list for phases on a device, which read it block by block.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/data/edge_list.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/generators.hpp"
#include "generate/kronecker_lanes.hpp"
#include "generate/recurrence.hpp"
#include "gpu/edges.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/node_place.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Tuples in the memory of a device: labels of 32 bits, below 2^32 - 1. All arrays have one length, except that weights
/// may be empty.
struct TupleView {
  ArrayView<std::uint32_t> sources;
  ArrayView<std::uint32_t> targets;
  ArrayView<float> weights;

  [[nodiscard]] constexpr std::uint64_t size() const { return sources.size; }
};

/// Tuples that a lane generates one after the other, a warp's width apart. To find the start of a lane's stream costs
/// about as much as a few tuples.
inline constexpr std::uint32_t tuples_of_lane = 64;

/// Generates the tuples `first`, `first` + 1, … of a Kronecker graph, bit for bit as processors do, because lanes run
/// the processors' source (generate/kronecker_lanes.hpp). O(scale) per tuple.
struct GenerateTuples {
  LabelScramble scramble;
  Recurrence::State seed;                    ///< the state at the start of tuple 0
  Recurrence::Jump stride;                   ///< skips a warp's width of tuples
  ArrayView<const Recurrence::Jump> powers;  ///< powers[k] skips 2^k tuples
  std::uint64_t first = 0;
  TupleView tuples;  ///< the output, with or without weights

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint64_t of_warp = std::uint64_t{tuples_of_lane} * warp_lanes;
    const std::uint64_t count = tuples.sources.size;
    for (std::uint64_t begin = warp.index() * of_warp; begin < count; begin += warp.count() * of_warp) {
      auto state = start_of(warp, begin);
      for (std::uint64_t next = begin; next < count && next < begin + of_warp; next += warp_lanes) {
        const auto place = warp.wide_lane() + next;
        const MaskOf<Warp> there = place < count;
        const auto made = warp.map([this](const State& of_lane) { return make_tuple(of_lane); }, state);
        warp.store(tuples.sources, place, warp.map([](const Tuple& tuple) { return tuple.source; }, made), there);
        warp.store(tuples.targets, place, warp.map([](const Tuple& tuple) { return tuple.target; }, made), there);
        if (tuples.weights.size > 0) {
          warp.store(tuples.weights, place, warp.map([](const Tuple& tuple) { return tuple.weight; }, made), there);
        }
        state = warp.map([this](const State& of_lane) { return Recurrence::apply(stride, of_lane); }, state);
      }
    }
  }

 private:
  using State = Recurrence::State;

  struct Tuple {
    std::uint32_t source;
    std::uint32_t target;
    float weight;
  };
  [[nodiscard]] constexpr Tuple make_tuple(const State& state) const {
    Recurrence numbers(state);
    const Edge edge = plain_kronecker_edge(scramble, numbers);
    return {static_cast<std::uint32_t>(edge.source.value), static_cast<std::uint32_t>(edge.target.value),
            kronecker_weight(numbers.next())};
  }

  /// The states at the start of the lanes' first tuples, `first` + `begin` + 0 .. 31. O(log of the greatest).
  template <class Warp>
  [[nodiscard]] constexpr auto start_of(const Warp& warp, std::uint64_t begin) const {
    const auto tuple = warp.wide_lane() + (first + begin);
    const std::uint64_t greatest = first + begin + warp_lanes - 1;
    typename Warp::template Lanes<State> state = seed;
    for (int bit = 0; bit < 64 && greatest >> bit != 0; ++bit) {
      const Recurrence::Jump jump = warp.load_one(powers, static_cast<std::uint64_t>(bit));
      const auto leap_where_set = [&jump, bit](const State& of_lane, std::uint64_t number) {
        return (number >> bit & 1U) != 0 ? Recurrence::apply(jump, of_lane) : of_lane;
      };
      state = warp.map(leap_where_set, state, tuple);
    }
    return state;
  }
};

// The sources of a device's tuples.

/// Fills blocks in the memory of a device.
template <class Device>
class TupleFeed {
 public:
  virtual ~TupleFeed() = default;
  /// Fills a block with the tuples `first`, `first` + 1, …
  virtual void fill(const Device& device, std::uint64_t first, const TupleView& block) = 0;
};

/// Tuples of a Kronecker graph, generated on the device.
template <class Device>
class GeneratedTuples final : public TupleFeed<Device> {
 public:
  GeneratedTuples(const Device& device, const Kronecker& kronecker)
      : lanes_(kronecker.lanes_from(0)), powers_(take_copy(device, lanes_.powers)) {}

  void fill(const Device& device, std::uint64_t first, const TupleView& block) override {
    constexpr int doublings = std::countr_zero(warp_lanes);
    device.launch(GenerateTuples{.scramble = lanes_.scramble,
                                 .seed = lanes_.start,
                                 .stride = lanes_.powers[doublings],
                                 .powers = powers_.constant(),
                                 .first = first,
                                 .tuples = block},
                  warps_for((block.size() + tuples_of_lane - 1) / tuples_of_lane));
  }

 private:
  KroneckerLanes lanes_;
  typename Device::template Array<Recurrence::Jump> powers_;
};

/// Tuples of an edge list of the host. All threads read them into host memory from which a GPU copies by itself.
template <class Device>
class CopiedTuples final : public TupleFeed<Device> {
 public:
  CopiedTuples(const Device& device, const EdgeList& list, bool weighted, ThreadTeam& threads)
      : list_(list),
        threads_(threads),
        room_(std::min(list.size(), max_staged_tuples)),
        sources_(device.template host_array<std::uint32_t>(room_)),
        targets_(device.template host_array<std::uint32_t>(room_)),
        weights_(device.template host_array<float>(weighted ? room_ : 0)) {}

  void fill(const Device& device, std::uint64_t first, const TupleView& block) override {
    for (std::uint64_t done = 0; done < block.size(); done += room_) {
      const std::uint64_t count = std::min<std::uint64_t>(room_, block.size() - done);
      const bool weighted = block.weights.size > 0;
      stage(first + done, count, weighted);
      copy(device, sources_, block.sources, done, count);
      copy(device, targets_, block.targets, done, count);
      if (weighted) copy(device, weights_, block.weights, done, count);
    }
  }

 private:
  template <class T>
  using HostArray = typename Device::template HostArray<T>;

  template <class T>
  static void copy(const Device& device, HostArray<T>& from, const ArrayView<T>& to, std::uint64_t place,
                   std::uint64_t count) {
    device.copy_in(std::span<const T>(from.span().first(count)), to.part(place, to.size - place));
  }

  void stage(std::uint64_t first, std::uint64_t count, bool weighted) {
    const std::span<std::uint32_t> sources = sources_.span();
    const std::span<std::uint32_t> targets = targets_.span();
    parallel_blocks(threads_, count, edge_block_size, [&](IndexRange range, int) {
      std::array<Edge, edge_block_size> edges;
      const std::span block = std::span(edges).first(range.size());
      list_.read(first + range.begin, block,
                 weighted ? weights_.span().subspan(range.begin, range.size()) : std::span<float>());
      for (std::size_t i = 0; i < block.size(); ++i) {
        sources[range.begin + i] = narrow(block[i].source);
        targets[range.begin + i] = narrow(block[i].target);
      }
    });
    list_.check_unchanged();
  }
  static std::uint32_t narrow(Label label) {
    require_narrow_label(label);
    return static_cast<std::uint32_t>(label.value);
  }

  const EdgeList& list_;
  ThreadTeam& threads_;
  std::size_t room_;
  HostArray<std::uint32_t> sources_;
  HostArray<std::uint32_t> targets_;
  HostArray<float> weights_;
};

/// One block of tuples, which either holds the whole list and is filled once, or is filled again and again for each
/// reading of the list.
template <class Device>
class TupleBlocks {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  /// Throws OutOfMemory, before it takes any memory, if the block does not fit.
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

  /// Calls body(tuples) for the blocks of the list, in order. Launches by body end before the block is filled again,
  /// because a device runs one operation after the other.
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
    const auto part = [count](const auto& all) { return all.part(0, std::min(all.size, count)); };
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
