#include "core/stopwatch.hpp"

#include <chrono>

namespace breadth {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace breadth
