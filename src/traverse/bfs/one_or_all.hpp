// Who carries out narrow push levels: one thread, or all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace breadth {

/// Whether narrow push levels are for one thread. Threads that meet in every level of a grid take half of one thread's
/// time where they have their processors for themselves, and several times as long beside other work. So both carry
/// out some levels, and from then on it is all threads while they do not take much longer for an edge than one, else
/// one, with all tried again from time to time. Goes on from one search to the next.
class OneOrAll {
 public:
  /// Levels after which the choice is looked at: soon after a change, else seldom.
  static constexpr std::int64_t levels_to_try = 32;
  static constexpr std::int64_t levels_to_judge = 128;
  /// The first after a look are not counted: they fetch what lies in the caches of other processors.
  static constexpr std::int64_t levels_to_settle = 16;
  /// Levels on one thread before all are tried again: at first, and from the fourth time on.
  static constexpr std::int64_t least_alone = 128;
  static constexpr std::int64_t most_alone = 1024;

  /// Whether the next level is for one thread.
  [[nodiscard]] bool is_alone() const { return alone_; }
  /// Levels until the choice is looked at.
  [[nodiscard]] std::int64_t levels_left() const { return stint_ - levels_; }

  /// A level was carried out as is_alone() said.
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
    constexpr double much = 1.5;  // between the halves and the multiples above
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

  std::array<double, 2> seconds_per_edge_{};  ///< of all threads and of one, when last measured
  bool alone_ = false;
  std::int64_t left_alone_ = 0;
  std::int64_t next_alone_ = least_alone;
  std::int64_t stint_ = levels_to_try;  ///< levels from one look to the next
  std::int64_t levels_ = 0;             ///< of them
  std::uint64_t edges_ = 0;
  double seconds_ = 0;
};

}  // namespace breadth
