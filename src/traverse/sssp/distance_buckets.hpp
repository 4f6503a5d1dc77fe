// Buckets of waiting vertices, by distance, and how threads share them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace breadth {

/// The distances of buckets: 32 bits, along rows that are sorted by weight. WideLengths is the alternative.
struct SortedLengths {
  using Key = float;  ///< what orders distances
  /// Whether rows are sorted by weight, so that all edges after one that leads too far also lead too far.
  static constexpr bool in_order = true;
  static constexpr Key unreached = std::numeric_limits<float>::infinity();

  static Key sum(Key distance, float weight) noexcept { return distance + weight; }
  static double difference(Key distance, Key from) noexcept { return double{distance} - double{from}; }
  /// The end of a bucket that begins at `least`: above `least`, and `unreached` if the bucket holds all distances.
  static Key bucket_end(Key least, double width) noexcept {
    const double end = least + width;
    const Key rounded = end < double{std::numeric_limits<Key>::max()} ? static_cast<Key>(end) : unreached;
    return std::max(rounded, std::nextafter(least, unreached));
  }

  const float* weights;  ///< beside the rows
  Key most;              ///< the largest distance
};

/// A vertex that came closer, with its distance. Its edges are to be relaxed unless it has come closer again since.
template <class Key>
struct Waiting {
  Key distance;
  std::uint32_t vertex;
};

/// The position and width of the buckets. Vertices too far away for all of them wait in the far pile (near-far,
/// Davidson et al. 2014).
template <class Lengths>
class BucketScale {
  using Key = typename Lengths::Key;

 public:
  static constexpr std::size_t buckets = 1024;

  BucketScale() = default;
  /// No distance is less than `origin`. `width` is positive and may be infinite. It is limited from below, so that the
  /// numbers of buckets stay finite; at the limit no two distances share a bucket anyway.
  BucketScale(Key origin, double width) : origin_(origin), per_width_(1 / std::max(width, 1e-300)) {}

  /// The bucket of a distance, or `buckets` for the far pile. Monotone in the distance.
  [[nodiscard]] std::size_t index(Key distance) const noexcept {
    const double place = Lengths::difference(distance, origin_) * per_width_;
    return place < double{buckets} ? static_cast<std::size_t>(place) : buckets;
  }
  /// Whether a distance, which may be less than the origin, belongs before `bucket`.
  [[nodiscard]] bool is_before(Key distance, std::size_t bucket) const noexcept {
    return Lengths::difference(distance, origin_) * per_width_ < static_cast<double>(bucket);
  }

 private:
  Key origin_ = 0;
  double per_width_ = 0;
};

/// The buckets of one thread.
template <class Lengths>
class DistanceBuckets {
  using Waiting = breadth::Waiting<typename Lengths::Key>;
  using Scale = BucketScale<Lengths>;

 public:
  static constexpr std::size_t none = Scale::buckets;

  void add(const Scale& scale, Waiting waiting) { buckets_[scale.index(waiting.distance)].push_back(waiting); }
  [[nodiscard]] std::vector<Waiting>& operator[](std::size_t bucket) { return buckets_[bucket]; }

  /// The first bucket from `bucket` on that is not empty, or `none`.
  [[nodiscard]] std::size_t next(std::size_t bucket) const {
    while (bucket < none && buckets_[bucket].empty()) ++bucket;
    return bucket;
  }
  /// The number of vertices in `count` buckets from `bucket` on, without the far pile.
  [[nodiscard]] std::size_t vertices(std::size_t bucket, std::size_t count) const {
    std::size_t sum = 0;
    for (const std::size_t end = std::min(bucket + count, none); bucket < end; ++bucket) sum += buckets_[bucket].size();
    return sum;
  }
  void clear() {
    for (std::vector<Waiting>& bucket : buckets_) bucket.clear();
  }
  /// The least distance from `bucket` on, including the far pile; Lengths::unreached if nothing waits there.
  [[nodiscard]] auto least(std::size_t bucket) const {
    auto least = Lengths::unreached;
    for (std::size_t i = bucket; i <= none; ++i) {
      for (const Waiting& waiting : buckets_[i]) least = std::min(least, waiting.distance);
    }
    return least;
  }
  /// Distributes the far pile over the buckets of a new scale. Vertices that are still too far away stay in it. The
  /// buckets must be empty.
  void deal_out(const Scale& scale) {
    const std::vector<Waiting> far = std::exchange(buckets_[none], {});
    for (const Waiting& waiting : far) add(scale, waiting);
  }

 private:
  std::array<std::vector<Waiting>, Scale::buckets + 1> buckets_;  ///< the last is the far pile
};

/// How threads share buckets. The fields are those of SsspOptions.
struct BucketSharing {
  std::size_t bucket_batch;
  std::uint64_t small_batch;
  bool fuse;
};

// Work that any thread may take.

/// The vertices that one thread has in a bucket. Any thread may take some.
template <class Waiting>
class Offer {
 public:
  /// Makes take() return nothing. No thread may take meanwhile.
  void close() { taken_.store(closed, std::memory_order_relaxed); }
  /// Offers all of `bucket`, which becomes empty.
  void open(std::vector<Waiting>& bucket) {
    waiting_.clear();
    waiting_.swap(bucket);
    taken_.store(0, std::memory_order_release);
  }
  /// Takes some vertices that no other thread gets. Returns none if the offer is closed or all are taken.
  [[nodiscard]] std::span<const Waiting> take() {
    if (taken_.load(std::memory_order_relaxed) >= closed) return {};
    const std::size_t begin = taken_.fetch_add(vertices_at_a_time, std::memory_order_acquire);
    if (begin >= waiting_.size()) return {};
    return std::span(waiting_).subspan(begin, std::min(vertices_at_a_time, waiting_.size() - begin));
  }

 private:
  static constexpr std::size_t vertices_at_a_time = 64;
  static constexpr std::size_t closed = std::numeric_limits<std::size_t>::max() / 2;
  std::vector<Waiting> waiting_;
  alignas(64) std::atomic<std::size_t> taken_ = closed;
};

// Messages to the threads that vertices belong to (traverse/regions.hpp).

/// Distances that other threads found for a thread's vertices. Any number of threads put, one thread takes.
template <class Found>
class Inbox {
 public:
  /// Puts in all of `found`, which becomes empty.
  void put(std::vector<Found>& found) {
    const std::scoped_lock lock(mutex_);
    found_.insert(found_.end(), found.begin(), found.end());
    found.clear();
    is_empty_.store(false, std::memory_order_relaxed);
  }
  /// Replaces the contents of `found` by all that is in the inbox. Returns false if it was empty.
  bool take(std::vector<Found>& found) {
    found.clear();
    if (is_empty_.load(std::memory_order_relaxed)) return false;
    const std::scoped_lock lock(mutex_);
    found_.swap(found);
    is_empty_.store(true, std::memory_order_relaxed);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<Found> found_;
  alignas(64) std::atomic<bool> is_empty_ = true;
};

}  // namespace breadth
