// What a search for shortest paths with distances of 64 bits knows so far, on one rank.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "traverse/sssp/sssp_engine.hpp"
#include "traverse/wide_paths.hpp"

namespace breadth {

// Distances as whole numbers.

/// Keys of distances: whole numbers in the order of the distances, all below 2^63, which leaves a bit to lock by.
template <class Distance>
struct DistanceKeys;

template <>
struct DistanceKeys<double> {
  static std::uint64_t key(double distance) noexcept { return std::bit_cast<std::uint64_t>(distance); }
  static double distance(std::uint64_t key) noexcept { return std::bit_cast<double>(key); }
  /// Of a distance and a weight more; above all keys of finite distances if that is none.
  static std::uint64_t sum(std::uint64_t key, double weight) noexcept {
    return DistanceKeys::key(distance(key) + weight);
  }
};

template <>
struct DistanceKeys<std::int64_t> {
  static std::uint64_t key(std::int64_t distance) noexcept { return static_cast<std::uint64_t>(distance); }
  static std::int64_t distance(std::uint64_t key) noexcept { return static_cast<std::int64_t>(key); }
  static std::uint64_t sum(std::uint64_t key, std::int64_t weight) noexcept {
    return key + static_cast<std::uint64_t>(weight);
  }
};

// What the search knows so far.

/// For each vertex the key of the shortest distance found so far and the local id of the vertex that gave it. The
/// highest bit of a key locks the pair. Parents have no cycle, for the reasons that TentativeTree gives.
class WideTree {
 public:
  static constexpr std::uint64_t lock = std::uint64_t{1} << 63;
  static constexpr std::uint64_t unreached = lock - 1;

  explicit WideTree(std::size_t size) : keys_(size), parents_(size) {}

  void clear(ThreadTeam& threads) { parallel_fill(threads, keys_.span(), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  /// Its key; `unreached` where there is none.
  [[nodiscard]] std::uint64_t distance(std::size_t vertex) const noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(keys_[vertex])).load(std::memory_order_relaxed) & ~lock;
  }
  /// Of a vertex that has a distance, while no thread improves any.
  [[nodiscard]] std::uint32_t parent(std::size_t vertex) const noexcept { return parents_[vertex]; }
  /// Ahead of an access. Always inlined: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept { __builtin_prefetch(keys_.data() + vertex); }

  /// Takes a distance and its parent if it is shorter. Any number of threads at once.
  bool improve(std::size_t vertex, std::uint64_t key, std::uint32_t parent) noexcept {
    std::atomic_ref place(keys_[vertex]);
    std::uint64_t now = place.load(std::memory_order_relaxed);
    do {
      while ((now & ~lock) > key && now >= lock) {
        std::this_thread::yield();
        now = place.load(std::memory_order_relaxed);
      }
      if ((now & ~lock) <= key) return false;
    } while (!place.compare_exchange_weak(now, key | lock, std::memory_order_acquire, std::memory_order_relaxed));
    parents_[vertex] = parent;
    place.store(key, std::memory_order_release);
    return true;
  }
  /// The same where no other thread improves any vertex meanwhile.
  bool improve_alone(std::size_t vertex, std::uint64_t key, std::uint32_t parent) noexcept {
    if (keys_[vertex] <= key) return false;
    keys_[vertex] = key;
    parents_[vertex] = parent;
    return true;
  }
  /// Takes them where no other thread improves this vertex meanwhile; others may ask for its key.
  void set(std::size_t vertex, std::uint64_t key, std::uint32_t parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(keys_[vertex]).store(key, std::memory_order_relaxed);
  }

 private:
  Buffer<std::uint64_t> keys_;
  Buffer<std::uint32_t> parents_;
};

// What buckets go by.

/// The width that choose_delta gives buckets, for weights of any kind beside rows. O(m).
template <class Weight>
double choose_wide_delta(std::span<const Weight> weights, std::size_t vertices, ThreadTeam& threads) {
  const auto entries = static_cast<double>(weights.size());
  const double average = parallel_reduce(
      threads, weights.size(), std::size_t{1} << 16, 0.0,
      [&](IndexRange range) {
        double part = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(weights[i]) / entries;
        return part;
      },
      std::plus<>());
  return bucket_width(average, entries, static_cast<double>(vertices));
}

/// Distances as LocalBuckets has them: keys, along rows whose weights stand beside them in no order.
template <class Weight, class Distance>
struct WideLengths {
  using Key = std::uint64_t;
  using Keys = DistanceKeys<Distance>;
  static constexpr bool in_order = false;
  static constexpr Key unreached = WideTree::unreached;

  /// Weights outlive it. A limit of -0 is that of 0.
  WideLengths(std::span<const Weight> weights, Distance max_distance)
      : weights(weights.data()),
        most(std::min(Keys::key(max_distance + Distance{0}), Keys::key(wide_unreached<Distance>) - 1)) {}

  static Key sum(Key distance, Weight weight) noexcept { return Keys::sum(distance, weight); }
  static double difference(Key distance, Key from) noexcept {
    return static_cast<double>(Keys::distance(distance) - Keys::distance(from));
  }

  const Weight* weights;
  Key most;  ///< no distance is above that
};

}  // namespace breadth
