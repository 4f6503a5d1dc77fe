// How threads share vertices that wait in buckets of distances.
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
