// Vertices that wait, by distance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace breadth {

/// Distances as buckets have them, of 32 bits along rows that are sorted by weight. WideLengths is another such type.
struct SortedLengths {
  using Key = float;  ///< what orders distances
  /// Whether rows are sorted by weight: what comes after an edge that leads too far does so too.
  static constexpr bool in_order = true;
  static constexpr Key unreached = std::numeric_limits<float>::infinity();

  static Key sum(Key distance, float weight) noexcept { return distance + weight; }
  static double difference(Key distance, Key from) noexcept { return double{distance} - double{from}; }
  /// Where a bucket ends that begins at the least distance: above that, `unreached` where all distances are in it.
  static Key beyond(Key least, double width) noexcept {
    const double end = least + width;
    const Key rounded = end < double{std::numeric_limits<Key>::max()} ? static_cast<Key>(end) : unreached;
    return std::max(rounded, std::nextafter(least, unreached));
  }

  const float* weights;  ///< beside the rows
  Key most;              ///< no distance is above that
};

/// A vertex that came so close: its edges are to be relaxed unless it has come closer since.
template <class Key>
struct Waiting {
  Key distance;
  std::uint32_t vertex;
};

/// Where buckets of distances begin and how wide they are. What is too far for any of them waits in the far
/// pile (near-far, Davidson et al. 2014).
template <class Lengths>
class BucketScale {
  using Key = typename Lengths::Key;

 public:
  static constexpr std::size_t buckets = 1024;

  BucketScale() = default;
  /// No distance is less than `origin`; `width` is positive, perhaps infinite. Buckets that are narrower than any two
  /// distances are apart are as good as narrower ones, whose number would not be finite.
  BucketScale(Key origin, double width) : origin_(origin), per_width_(1 / std::max(width, 1e-300)) {}

  /// The bucket of a distance, or `buckets` for the far pile; never falls as distances rise.
  [[nodiscard]] std::size_t index(Key distance) const noexcept {
    const double place = Lengths::difference(distance, origin_) * per_width_;
    return place < double{buckets} ? static_cast<std::size_t>(place) : buckets;
  }
  /// Whether a distance, perhaps less than the origin, is in no bucket from one on, nor in the far pile.
  [[nodiscard]] bool is_before(Key distance, std::size_t bucket) const noexcept {
    return Lengths::difference(distance, origin_) * per_width_ < static_cast<double>(bucket);
  }

 private:
  Key origin_ = 0;
  double per_width_ = 0;
};

/// What one thread has put into buckets.
template <class Lengths>
class DistanceBuckets {
  using Waiting = breadth::Waiting<typename Lengths::Key>;
  using Scale = BucketScale<Lengths>;

 public:
  static constexpr std::size_t none = Scale::buckets;

  void add(const Scale& scale, Waiting waiting) { buckets_[scale.index(waiting.distance)].push_back(waiting); }
  [[nodiscard]] std::vector<Waiting>& operator[](std::size_t bucket) { return buckets_[bucket]; }

  /// The first bucket from one on that holds anything, or `none`.
  [[nodiscard]] std::size_t next(std::size_t bucket) const {
    while (bucket < none && buckets_[bucket].empty()) ++bucket;
    return bucket;
  }
  /// How many wait in so many buckets from one on, the far pile not among them.
  [[nodiscard]] std::size_t vertices(std::size_t bucket, std::size_t count) const {
    std::size_t sum = 0;
    for (const std::size_t end = std::min(bucket + count, none); bucket < end; ++bucket) sum += buckets_[bucket].size();
    return sum;
  }
  void clear() {
    for (std::vector<Waiting>& bucket : buckets_) bucket.clear();
  }
  /// The least distance from a bucket on, the far pile among them; Lengths::unreached without any.
  [[nodiscard]] auto least(std::size_t bucket) const {
    auto least = Lengths::unreached;
    for (std::size_t i = bucket; i <= none; ++i) {
      for (const Waiting& waiting : buckets_[i]) least = std::min(least, waiting.distance);
    }
    return least;
  }
  /// Takes what is no longer too far from the far pile to the buckets, which are empty.
  void deal_out(const Scale& scale) {
    const std::vector<Waiting> far = std::exchange(buckets_[none], {});
    for (const Waiting& waiting : far) add(scale, waiting);
  }

 private:
  std::array<std::vector<Waiting>, Scale::buckets + 1> buckets_;  ///< the last is the far pile
};

}  // namespace breadth
