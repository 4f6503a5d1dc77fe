// Stopping when a person or the scheduler asks for it.
#pragma once

#include "comm/communicator.hpp"

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

/// With what status a program ends that stopped because of the signal that any rank received: as shells report an end
/// by a signal. Collective; the same on every rank.
int interrupt_status(const Communicator& ranks);

}  // namespace breadth::cli
