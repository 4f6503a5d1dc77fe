// How long tuning may take.
#pragma once

#include "comm/communicator.hpp"
#include "core/stopwatch.hpp"

namespace breadth {

/// So many seconds from its construction on.
class TimeBudget {
 public:
  explicit TimeBudget(double seconds) : seconds_(seconds) {}

  /// Since the start, as the rank says that started first. Collective; the same on every rank.
  [[nodiscard]] double spent(const Communicator& ranks) const {
    return ranks.all_reduce(since_start_.seconds(), Reduction::maximum);
  }
  /// What remains; negative once there is none. Collective; the same on every rank.
  [[nodiscard]] double left(const Communicator& ranks) const { return seconds_ - spent(ranks); }

 private:
  Stopwatch since_start_;
  double seconds_;
};

}  // namespace breadth
