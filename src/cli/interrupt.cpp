#include "cli/interrupt.hpp"

#include <array>
#include <csignal>
#include <cstdint>

namespace breadth::cli {

namespace {
constexpr std::array handled_signals = {SIGINT, SIGTERM};
// A signal handler can reach nothing else.
volatile std::sig_atomic_t received = 0;

void note_signal(int signal) { received = signal; }
}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  // Reset: the second signal finds the default. Restart: no system call of ours, or of MPI, has to expect a signal.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : handled_signals) sigaction(signal, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : handled_signals) std::signal(signal, SIG_DFL);
}

int InterruptGuard::signal_received() noexcept { return static_cast<int>(received); }

int interrupt_status(const Communicator& ranks) {
  constexpr std::int64_t ended_by_signal = 128;
  const std::int64_t signal = InterruptGuard::signal_received();
  return static_cast<int>(ended_by_signal + ranks.all_reduce(signal, Reduction::maximum));
}

}  // namespace breadth::cli
