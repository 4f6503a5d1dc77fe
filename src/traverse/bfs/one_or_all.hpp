// Whether narrow push levels run on one thread or on all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/stopwatch.hpp"

namespace breadth {

/// Chooses between one thread and all for narrow push levels. On a grid, two threads that meet in every level take half
/// of one thread's time if they have the processors for themselves, and several times as long beside other work. So
/// some levels are tried each way. After that all threads are used unless they take much longer for an edge than one
/// thread; while one thread is used, all are tried again from time to time. The measurements continue over searches.
class OneOrAll {
 public:
  /// Levels until the choice is reconsidered: after a change, and otherwise.
  static constexpr std::int64_t levels_to_try = 32;
  static constexpr std::int64_t levels_to_judge = 128;
  /// Levels that are not counted after the choice: they fetch data from the caches of other processors.
  static constexpr std::int64_t levels_to_settle = 16;
  /// Levels on one thread before all are tried again: the first time, and from the fourth time on.
  static constexpr std::int64_t least_alone = 128;
  static constexpr std::int64_t most_alone = 1024;

  OneOrAll() = default;
  /// Levels with at most `edges_for_one` edges always run on one thread and are not measured.
  explicit OneOrAll(std::uint64_t edges_for_one) : edges_for_one_(edges_for_one) {}

  /// Whether one thread may be faster than all in a level with so many edges.
  [[nodiscard]] bool is_narrow(std::uint64_t edges) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 14;  // about 40 microseconds of work
    return edges > edges_for_one_ && edges <= most;
  }
  /// Carries out a level with so many edges: calls one() or all(). Measures narrow levels.
  template <class One, class All>
  void run(std::uint64_t edges, One&& one, All&& all) {
    if (!is_narrow(edges)) return all();
    const Stopwatch stopwatch;
    alone_ ? one() : all();
    add(edges, stopwatch.seconds());
  }

  /// Whether the next narrow level is for one thread.
  [[nodiscard]] bool is_alone() const { return alone_; }
  /// How many narrow levels remain until the choice is reconsidered.
  [[nodiscard]] std::int64_t levels_left() const { return stint_ - levels_; }

  /// Adds the measurement of a level that was carried out as is_alone() said.
  void add(std::uint64_t edges, double seconds) {
    if (++levels_ > levels_to_settle) {
      edges_ += edges;
      seconds_ += seconds;
    }
    if (levels_ < stint_) return;
    seconds_per_edge_[alone_ ? 1 : 0] = seconds_ / static_cast<double>(edges_ + 1);
    levels_ = 0;
    edges_ = 0;
    seconds_ = 0;
    choose();
  }

 private:
  void choose() {
    constexpr double much = 1.5;
    const bool all_are_slow = seconds_per_edge_[0] > much * seconds_per_edge_[1];
    const bool was_alone = alone_;
    if (was_alone) {
      left_alone_ -= stint_;
      alone_ = all_are_slow && left_alone_ > 0;
    } else if (all_are_slow) {  // or one thread has not been tried
      alone_ = true;
      left_alone_ = next_alone_;
      next_alone_ = std::min(2 * next_alone_, most_alone);
    }
    stint_ = alone_ == was_alone ? levels_to_judge : levels_to_try;
  }

  std::uint64_t edges_for_one_ = 0;
  std::array<double, 2> seconds_per_edge_{};  ///< of all threads and of one, at the last measurement
  bool alone_ = false;
  std::int64_t left_alone_ = 0;
  std::int64_t next_alone_ = least_alone;
  std::int64_t stint_ = levels_to_try;  ///< levels from one choice to the next
  std::int64_t levels_ = 0;             ///< levels since the last choice
  std::uint64_t edges_ = 0;
  double seconds_ = 0;
};

}  // namespace breadth
