// Vertices that wait, by distance.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace breadth {

/// A vertex that came so close: its edges are to be relaxed unless it has come closer since.
struct Waiting {
  float distance;
  std::uint32_t vertex;
};

/// Where buckets of distances begin and how wide they are. What is too far for any of them waits in one pile.
class BucketScale {
 public:
  static constexpr std::size_t buckets = 1024;

  BucketScale() = default;
  /// No distance is less than `origin`; `width` is positive, perhaps infinite. Buckets that are narrower than any two
  /// distances are apart are as good as narrower ones, whose number would not be finite.
  BucketScale(double origin, double width) : origin_(origin), per_width_(1 / std::max(width, 1e-300)) {}

  /// The bucket of a distance, or `buckets` for the pile; never falls as distances rise.
  [[nodiscard]] std::size_t index(float distance) const noexcept {
    const double place = (double{distance} - origin_) * per_width_;
    return place < double{buckets} ? static_cast<std::size_t>(place) : buckets;
  }

 private:
  double origin_ = 0;
  double per_width_ = 0;
};

/// What one thread has put into buckets.
class DistanceBuckets {
 public:
  static constexpr std::size_t none = BucketScale::buckets;

  void add(const BucketScale& scale, Waiting waiting) { piles_[scale.index(waiting.distance)].push_back(waiting); }
  [[nodiscard]] std::vector<Waiting>& operator[](std::size_t bucket) { return piles_[bucket]; }

  /// The first bucket from one on that holds anything, or `none`.
  [[nodiscard]] std::size_t next(std::size_t bucket) const {
    while (bucket < none && piles_[bucket].empty()) ++bucket;
    return bucket;
  }
  /// How many wait in so many buckets from one on, the pile not among them.
  [[nodiscard]] std::size_t vertices(std::size_t bucket, std::size_t count) const {
    std::size_t sum = 0;
    for (const std::size_t end = std::min(bucket + count, none); bucket < end; ++bucket) sum += piles_[bucket].size();
    return sum;
  }
  /// The least distance in the pile, +infinity without any.
  [[nodiscard]] float least_in_pile() const {
    float least = std::numeric_limits<float>::infinity();
    for (const Waiting& waiting : piles_[none]) least = std::min(least, waiting.distance);
    return least;
  }
  /// Takes what is no longer too far from the pile to the buckets, which are empty.
  void deal_out(const BucketScale& scale) {
    std::vector<Waiting> pile = std::exchange(piles_[none], {});
    for (const Waiting& waiting : pile) add(scale, waiting);
  }

 private:
  std::array<std::vector<Waiting>, BucketScale::buckets + 1> piles_;  ///< the last is of what is too far
};

}  // namespace breadth
