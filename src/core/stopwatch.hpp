// Measuring time.
#pragma once

#include <utility>

namespace breadth {

/// Seconds since some moment before the program started, on the monotonic clock, or on SimGrid's clock where the
/// machine is simulated. CMake chooses core/stopwatch.cpp or core/stopwatch_simulated.cpp.
double clock_seconds();

/// A stopwatch that starts when it is constructed.
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
