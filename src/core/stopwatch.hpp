// Time that passes.
#pragma once

#include <utility>

namespace breadth {

/// Seconds since some moment before the program started, on the monotonic clock; where the machine is simulated, on
/// the simulation's. core/stopwatch.cpp or core/stopwatch_simulated.cpp, chosen by CMake.
double clock_seconds();

/// Runs from its construction on.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return clock_seconds() - start_; }
  /// The seconds since construction or the last lap; starts the next one.
  double lap() {
    const double now = clock_seconds();
    return now - std::exchange(start_, now);
  }

 private:
  double start_ = clock_seconds();
};

}  // namespace breadth
