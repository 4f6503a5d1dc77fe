// Stopping when a person or the scheduler asks for it.
#pragma once

namespace breadth::cli {

/// While it lives, the first SIGINT or SIGTERM is only noted; a second one ends the program as it always does. One at a
/// time in a program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that came, 0 for none.
  [[nodiscard]] static int signal_received() noexcept;
};

}  // namespace breadth::cli
