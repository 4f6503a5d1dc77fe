// The threads of a launch, simulated by the processor: warps of 32 lanes in lock step, blocks of warps, and grids that
// run one program.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "gpu/node_place.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

// A warp.

/// The position of a warp among those of a launch.
struct WarpPlace {
  std::uint32_t index = 0;  ///< in the launch
  std::uint32_t count = 1;  ///< of the launch
};

/// A hook for taking turns between warps. Called before each access to memory that other warps may access, so that
/// these can go first.
class WarpTurn {
 public:
  virtual ~WarpTurn() = default;
  virtual void before_access() = 0;
};

/// A warp whose operations run for 32 lanes one after the other. It has the operations of CudaWarp
/// (gpu/cuda/cuda_grid.cuh); the comments here hold for both. It throws std::logic_error for errors that a GPU would
/// not notice: an access outside of an array, and a store of two lanes to one place. Operations are atomic or plain as
/// on a GPU. The simulated device runs warps one after the other, which hides races between them; tests also let them
/// take turns.
class LockStepWarp {
 public:
  template <class T>
  using Lanes = gpu::Lanes<T>;
  using Mask = Lanes<bool>;

 private:
  /// The results of the body for the lanes of the mask, 0 for the others.
  template <class Body>
  static auto for_mask(const Mask& mask, Body&& body) {
    Lanes<std::decay_t<decltype(body(0))>> result;
    for (std::size_t i = 0; i < warp_lanes; ++i) {
      if (mask.values[i]) result.values[i] = body(i);
    }
    return result;
  }
  template <class Body>
  static auto for_lanes(Body&& body) {
    return for_mask(true, body);
  }

 public:
  explicit LockStepWarp(const WarpPlace& place, WarpTurn* turn = nullptr) : place_(place), turn_(turn) {}

  [[nodiscard]] std::uint32_t index() const { return place_.index; }
  [[nodiscard]] std::uint32_t count() const { return place_.count; }
  [[nodiscard]] Lanes<std::uint32_t> lane() const {
    return for_lanes([](std::size_t i) { return static_cast<std::uint32_t>(i); });
  }
  [[nodiscard]] Lanes<std::uint64_t> wide_lane() const { return lane(); }
  [[nodiscard]] Lanes<std::uint32_t> same(std::uint32_t value) const { return value; }
  [[nodiscard]] Lanes<std::uint64_t> same_wide(std::uint64_t value) const { return value; }
  [[nodiscard]] Lanes<float> same_float(float value) const { return value; }
  /// For each lane, a word in which the bit of this number is set.
  [[nodiscard]] Lanes<std::uint32_t> bit(const Lanes<std::uint32_t>& number) const { return same(1) << number; }
  /// For each lane, its bit of the word.
  [[nodiscard]] Mask bits_of(std::uint32_t word) const { return (same(word) & bit(lane())) != 0U; }

  /// A word whose bit i is the mask's value in lane i.
  [[nodiscard]] std::uint32_t ballot(const Mask& mask) const {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < warp_lanes; ++i) bits |= std::uint32_t{mask.values[i]} << i;
    return bits;
  }
  [[nodiscard]] bool any(const Mask& mask) const { return ballot(mask) != 0; }
  /// The value of one lane, for all lanes.
  template <class T>
  [[nodiscard]] T broadcast(const Lanes<T>& value, std::uint32_t lane) const {
    return value.values.at(lane);
  }
  /// For each lane, the value of the lane that it chooses.
  template <class T>
  [[nodiscard]] Lanes<T> shuffle(const Lanes<T>& value, const Lanes<std::uint32_t>& lane) const {
    return for_lanes([&](std::size_t i) { return value.values.at(lane.values[i]); });
  }
  /// For each lane, the sum of the values of the lanes before it.
  [[nodiscard]] Lanes<std::uint32_t> sums_before(const Lanes<std::uint32_t>& value) const {
    Lanes<std::uint32_t> sums;
    std::exclusive_scan(value.values.begin(), value.values.end(), sums.values.begin(), std::uint32_t{0});
    return sums;
  }
  /// The lane of the mask with the least value, the first one of equal values. The mask must not be empty, and no value
  /// negative.
  [[nodiscard]] std::uint32_t lane_of_least(const Lanes<float>& value, const Mask& mask) const {
    std::uint32_t least = lowest(ballot(mask));
    for (std::uint32_t i = 0; i < warp_lanes; ++i) {
      if (mask.values[i] && value.values[i] < value.values[least]) least = i;
    }
    return least;
  }
  /// For each lane, the result of a function of the lane's values. The function must not access memory or other lanes;
  /// it may branch.
  template <class Function, class... Values>
  [[nodiscard]] auto map(const Function& function, const gpu::Lanes<Values>&... values) const {
    return for_lanes([&](std::size_t i) { return function(values.values[i]...); });
  }
  template <class T>
  [[nodiscard]] Lanes<T> select(const Mask& mask, const Lanes<T>& yes, const Lanes<T>& no) const {
    return map([](bool chosen, T one, T other) { return chosen ? one : other; }, mask, yes, no);
  }
  [[nodiscard]] std::uint32_t popcount(std::uint32_t bits) const {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }
  [[nodiscard]] Lanes<std::uint32_t> popcount(const Lanes<std::uint32_t>& bits) const {
    return map([this](std::uint32_t of_lane) { return popcount(of_lane); }, bits);
  }
  /// The number of the lowest set bit, any number if there is none.
  [[nodiscard]] std::uint32_t lowest(std::uint32_t bits) const {
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  [[nodiscard]] Lanes<std::uint32_t> lowest(const Lanes<std::uint32_t>& bits) const {
    return map([this](std::uint32_t of_lane) { return lowest(of_lane); }, bits);
  }
  /// For each lane, the number of set bits below it.
  [[nodiscard]] Lanes<std::uint32_t> rank(std::uint32_t bits) const { return rank(same(bits)); }
  [[nodiscard]] Lanes<std::uint32_t> rank(const Lanes<std::uint32_t>& bits) const {
    return for_lanes([&](std::size_t i) { return popcount(bits.values[i] & ((1U << i) - 1)); });
  }

  /// The elements for the lanes of the mask, 0 for the others.
  template <class T, class Index>
  [[nodiscard]] Lanes<std::remove_const_t<T>> load(const ArrayView<T>& array, const Lanes<Index>& index,
                                                   const Mask& mask) const {
    wait_for_turn();
    return load_constant(array, index, mask);
  }
  /// The same for elements that other warps may change concurrently by atomic operations. The value is one from before
  /// or after any of these.
  template <class T, class Index>
  [[nodiscard]] Lanes<T> load_relaxed(const ArrayView<T>& array, const Lanes<Index>& index, const Mask& mask) const {
    wait_for_turn();
    return for_mask(mask, [&](std::size_t i) { return atomic_in(array, index.values[i]).load(relaxed); });
  }
  /// The same as load(), for arrays that no search writes, such as the graph.
  template <class T, class Index>
  [[nodiscard]] Lanes<std::remove_const_t<T>> load_constant(const ArrayView<T>& array, const Lanes<Index>& index,
                                                            const Mask& mask) const {
    return for_mask(mask, [&](std::size_t i) { return place_in(array, index.values[i]); });
  }
  /// One element, for all lanes.
  template <class T>
  [[nodiscard]] std::remove_const_t<T> load_one(const ArrayView<T>& array, std::uint64_t index) const {
    wait_for_turn();
    return place_in(array, index);
  }
  template <class T, class Index>
  void store(const ArrayView<T>& array, const Lanes<Index>& index, const std::type_identity_t<Lanes<T>>& value,
             const Mask& mask) const {
    wait_for_turn();
    for (std::size_t i = 0; i < warp_lanes; ++i) {
      if (!mask.values[i]) continue;
      for (std::size_t other = 0; other < i; ++other) {
        if (mask.values[other] && index.values[other] == index.values[i]) {
          throw std::logic_error("two lanes of a warp store to one place");
        }
      }
      place_in(array, index.values[i]) = value.values[i];
    }
  }

  /// Sets bits atomically. Returns the previous values for the lanes of the mask, 0 for the others.
  [[nodiscard]] Lanes<std::uint32_t> fetch_or(const ArrayView<std::uint32_t>& words, const Lanes<std::uint32_t>& index,
                                              const Lanes<std::uint32_t>& bits, const Mask& mask) const {
    wait_for_turn();
    return for_mask(mask,
                    [&](std::size_t i) { return atomic_in(words, index.values[i]).fetch_or(bits.values[i], relaxed); });
  }
  /// Adds to elements atomically. Returns the previous values for the lanes of the mask, 0 for the others.
  [[nodiscard]] Lanes<std::uint32_t> fetch_add(const ArrayView<std::uint32_t>& words, const Lanes<std::uint32_t>& index,
                                               const Lanes<std::uint32_t>& counts, const Mask& mask) const {
    wait_for_turn();
    return for_mask(
        mask, [&](std::size_t i) { return atomic_in(words, index.values[i]).fetch_add(counts.values[i], relaxed); });
  }
  /// Adds one to elements atomically.
  void count_up(const ArrayView<std::uint32_t>& words, const Lanes<std::uint32_t>& index, const Mask& mask) const {
    wait_for_turn();
    for_mask(mask, [&](std::size_t i) { return atomic_in(words, index.values[i]).fetch_add(1, relaxed); });
  }
  /// Exchanges values atomically. Returns the previous values for the lanes of the mask, 0 for the others.
  [[nodiscard]] Lanes<std::uint32_t> exchange(const ArrayView<std::uint32_t>& words, const Lanes<std::uint32_t>& index,
                                              const Lanes<std::uint32_t>& values, const Mask& mask) const {
    wait_for_turn();
    return for_mask(
        mask, [&](std::size_t i) { return atomic_in(words, index.values[i]).exchange(values.values[i], relaxed); });
  }
  /// Raises an element atomically to the greatest value of the mask's lanes, if it is less.
  void raise(const ArrayView<std::uint32_t>& words, std::uint32_t index, const Lanes<std::uint32_t>& values,
             const Mask& mask) const {
    wait_for_turn();
    const auto wanted = select(mask, values, same(0));
    const std::uint32_t most = *std::max_element(wanted.values.begin(), wanted.values.end());
    if (most == 0) return;
    const auto word = atomic_in(words, index);
    std::uint32_t there = word.load(relaxed);
    while (there < most && !word.compare_exchange_weak(there, most, relaxed)) continue;
  }

  /// Replaces paths (gpu/sssp/path_phases.hpp) atomically, for the lanes of the mask whose distance is less than the
  /// present one. Returns these lanes.
  [[nodiscard]] Mask improve(const ArrayView<std::uint64_t>& paths, const Lanes<std::uint32_t>& index,
                             const Lanes<float>& distance, const Lanes<std::uint32_t>& parent, const Mask& mask) const {
    wait_for_turn();
    return for_mask(mask, [&](std::size_t i) {
      const auto path = atomic_in(paths, index.values[i]);
      const std::uint64_t bits = std::bit_cast<std::uint32_t>(distance.values[i]);
      std::uint64_t there = path.load(relaxed);
      while (bits < there >> 32U) {
        if (path.compare_exchange_weak(there, bits << 32U | parent.values[i], relaxed)) return true;
      }
      return false;
    });
  }

  /// Adds to an element atomically, once for the warp. Returns the previous value.
  template <class Size>
  [[nodiscard]] Size reserve(const ArrayView<Size>& sizes, std::uint32_t index, std::uint32_t count) const {
    wait_for_turn();
    return atomic_in(sizes, index).fetch_add(count, relaxed);
  }
  /// Adds the values of all lanes to an element atomically.
  void add(const ArrayView<std::uint64_t>& sums, std::uint32_t index, const Lanes<std::uint64_t>& values) const {
    const auto sum = std::accumulate(values.values.begin(), values.values.end(), std::uint64_t{0});
    if (sum == 0) return;
    wait_for_turn();
    atomic_in(sums, index).fetch_add(sum, relaxed);
  }

 private:
  template <class T>
  static T& place_in(const ArrayView<T>& array, std::uint64_t index) {
    if (index >= array.size) throw std::logic_error("a lane reaches outside of an array");
    return array.data[index];
  }
  template <class T>
  static std::atomic_ref<T> atomic_in(const ArrayView<T>& array, std::uint64_t index) {
    return std::atomic_ref<T>(place_in(array, index));
  }
  void wait_for_turn() const {
    if (turn_ != nullptr) turn_->before_access();
  }

  static constexpr std::memory_order relaxed = std::memory_order_relaxed;

  WarpPlace place_;
  WarpTurn* turn_;
};

// A block of warps.

/// A small number, so that each warp has to loop for more work.
inline constexpr std::uint32_t simulated_warps_in_block = 4;
inline constexpr std::uint32_t simulated_blocks = 7;

/// Runs a phase's warps of one of `blocks` blocks, one after the other.
template <class Phase>
void run_block(const Phase& phase, std::uint32_t block, std::uint32_t blocks) {
  constexpr std::uint32_t warps = simulated_warps_in_block;
  for (std::uint32_t i = 0; i < warps; ++i)
    phase.work(LockStepWarp({.index = block * warps + i, .count = blocks * warps}));
}

// All threads of a launch.

/// An element that a program reads or writes. Throws std::logic_error if it is outside of the array.
template <class T>
T& program_place(const ArrayView<T>& array, std::uint64_t index) {
  if (index >= array.size) throw std::logic_error("a program reaches outside of an array");
  return array.data[index];
}

/// The operations of a grid for its program (SearchControl). Phases wait for the next `sync`. Then each block runs all
/// of them before the next block starts, as far ahead of the others as a block on a GPU can get. Each sync begins with
/// another block. Throws std::logic_error if a program reads data that are not complete yet.
class SimulatedGrid {
 public:
  explicit SimulatedGrid(std::uint32_t blocks = simulated_blocks) : blocks_(blocks) {}

  template <class Phase>
  void run(const Phase& phase, std::uint64_t /*warps*/) {
    waiting_.push_back([phase, blocks = blocks_](std::uint32_t block) { run_block(phase, block, blocks); });
  }
  template <class T>
  void clear(const ArrayView<T>& array) {
    waiting_.push_back([array, blocks = blocks_](std::uint32_t block) {
      for (std::uint64_t i = block; i < array.size; i += blocks) array.data[i] = T{0};
    });
  }
  template <class T>
  [[nodiscard]] std::remove_const_t<T> load(const ArrayView<T>& array, std::uint64_t index) const {
    if constexpr (!std::is_const_v<T>) {
      if (!waiting_.empty()) throw std::logic_error("a program reads before the phases are done");
    }
    return program_place(array, index);
  }
  template <class T>
  void store(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    program_place(array, index) = value;
  }
  /// Runs the waiting phases. The first block, which has the most work in a small graph, never runs first.
  void sync() {
    const std::uint32_t first = blocks_ == 1 ? 0 : 1 + syncs_++ % (blocks_ - 1);
    for (std::uint32_t i = 0; i < blocks_; ++i) {
      for (const auto& phase : waiting_) phase((i + first) % blocks_);
    }
    waiting_.clear();
  }

  [[nodiscard]] SimulatedGrid alone() const { return SimulatedGrid(1); }
  [[nodiscard]] bool works() const { return true; }
  template <class State>
  void join(const ArrayView<State>& place, State& state) {
    store(place, 0, state);
    sync();
    state = load(place, 0);
  }

  [[nodiscard]] std::uint64_t nanoseconds() const { return host_nanoseconds(); }

 private:
  std::uint32_t blocks_;
  std::uint32_t syncs_ = 0;
  std::vector<std::function<void(std::uint32_t)>> waiting_;  ///< phases, each to be called with a block
};

}  // namespace breadth::gpu
