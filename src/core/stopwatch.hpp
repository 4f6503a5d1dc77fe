// Wall-clock time.
#pragma once

#include <chrono>
#include <utility>

namespace breadth {

/// Runs from its construction on, on the monotonic clock.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// The seconds since construction or the last lap; starts the next one.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace breadth
