// How threads share what waits in buckets of distances.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/adjacency.hpp"

namespace breadth {

/// How threads share buckets, as SsspOptions has it.
struct BucketSharing {
  std::size_t stretch;
  std::uint64_t small_stretch;
  bool fuse;
};

// What any thread may take.

/// What one thread has in a bucket, for any thread to take from.
template <class Waiting>
class Offer {
 public:
  /// There is nothing to take. While no thread takes.
  void close() { taken_.store(closed, std::memory_order_relaxed); }
  /// All of a pile, which becomes empty.
  void open(std::vector<Waiting>& pile) {
    waiting_.clear();
    waiting_.swap(pile);
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

// Vertices that belong to threads.

/// Which of a few threads a vertex belongs to where neighbours have near ids, as on grids, meshes and roads: ids are
/// cut into regions of equal size, and these are dealt out in turn. Hardly an edge leads to another thread's vertex
/// then, so that lines of memory stay with one processor and a distance is written without an atomic instruction.
class Regions {
 public:
  /// More threads than that share what waits instead: the vertices at some distance from the source lie in few regions,
  /// and a thread that has none of them would have nothing to do.
  static constexpr int most_threads = 4;

  /// Nothing for one thread, for too many, and where more than one edge in 32 leads to another thread's vertex, of up
  /// to 2^16 edges that are looked at.
  template <class Neighbour>
  static std::optional<Regions> of(const Adjacency<Neighbour>& rows, int threads) {
    if (threads == 1 || threads > most_threads) return std::nullopt;
    const Regions regions(rows.offsets.size() - 1, threads);
    return regions.has_few_crossings(rows) ? std::optional(regions) : std::nullopt;
  }

  /// The thread that a local id belongs to.
  [[nodiscard]] int owner(std::size_t vertex) const noexcept { return owners_[vertex >> shift_]; }

 private:
  static constexpr std::size_t regions_per_thread = 8;

  Regions(std::size_t vertices, int threads) {
    const std::size_t regions = regions_per_thread * static_cast<std::size_t>(threads);
    shift_ = std::bit_width(std::max<std::size_t>(vertices / regions, 1)) - 1;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      owners_[i] = static_cast<std::uint8_t>(i % static_cast<std::size_t>(threads));
    }
  }

  template <class Neighbour>
  [[nodiscard]] bool has_few_crossings(const Adjacency<Neighbour>& rows) const {
    constexpr std::size_t most_rows = 4096;
    constexpr std::size_t most_of_a_row = 16;
    constexpr std::size_t edges_per_crossing = 32;
    const std::size_t vertices = rows.offsets.size() - 1;
    const std::size_t step = vertices / most_rows + 1;
    std::size_t edges = 0;
    std::size_t crossings = 0;
    for (std::size_t vertex = 0; vertex < vertices; vertex += step) {
      const auto row = rows.row(LocalVertex{static_cast<std::uint32_t>(vertex)});
      const auto some = row.first(std::min(row.size(), most_of_a_row));
      edges += some.size();
      crossings += static_cast<std::size_t>(std::count_if(
          some.begin(), some.end(), [&](Neighbour neighbour) { return owner(neighbour) != owner(vertex); }));
    }
    return crossings * edges_per_crossing <= edges;
  }

  std::size_t shift_ = 0;  ///< of a region's ids
  /// Of each region: there are up to twice as many as are asked for, since a size is a power of two.
  std::array<std::uint8_t, 2 * regions_per_thread * most_threads> owners_{};
};

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
