// How threads share what waits in buckets of distances.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <vector>

namespace breadth {

/// How threads share buckets, as SsspOptions has it.
struct BucketSharing {
  std::size_t bucket_batch;
  std::uint64_t small_batch;
  bool fuse;
};

// What any thread may take.

/// What one thread has in a bucket, for any thread to take from.
template <class Waiting>
class Offer {
 public:
  /// There is nothing to take. While no thread takes.
  void close() { taken_.store(closed, std::memory_order_relaxed); }
  /// All of `bucket`, which becomes empty.
  void open(std::vector<Waiting>& bucket) {
    waiting_.clear();
    waiting_.swap(bucket);
    taken_.store(0, std::memory_order_release);
  }
  /// Some that nobody else gets; none if it is closed or all are taken.
  [[nodiscard]] std::span<const Waiting> take() {
    if (taken_.load(std::memory_order_relaxed) >= closed) return {};
    const std::size_t begin = taken_.fetch_add(vertices_a_time, std::memory_order_acquire);
    if (begin >= waiting_.size()) return {};
    return std::span(waiting_).subspan(begin, std::min(vertices_a_time, waiting_.size() - begin));
  }

 private:
  static constexpr std::size_t vertices_a_time = 64;
  static constexpr std::size_t closed = std::numeric_limits<std::size_t>::max() / 2;
  std::vector<Waiting> waiting_;
  alignas(64) std::atomic<std::size_t> taken_ = closed;
};

// What belongs to threads (traverse/regions.hpp).

/// What other threads found for a thread's vertices. Any number of threads put something in, one takes it.
template <class Found>
class Inbox {
 public:
  /// Takes all of `found`, which becomes empty.
  void put(std::vector<Found>& found) {
    const std::scoped_lock lock(mutex_);
    found_.insert(found_.end(), found.begin(), found.end());
    found.clear();
    is_empty_.store(false, std::memory_order_relaxed);
  }
  /// All that there is, in the place of what `found` held; false if there is nothing.
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
