#include "workers.hpp"

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <chrono>
#include <map>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "placement/placement.hpp"
#include "progress.hpp"

namespace breadth::python {

namespace {
using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{50};

/// The teams of this process. After a fork, the teams of the parent process have no threads here. They are left as they
/// are, because nothing could end them.
struct Teams {
  pid_t process = getpid();
  std::mutex mutex;
  std::map<int, std::shared_ptr<Workers>> by_size;
  int processors = 0;
};

Teams& teams() {
  static Teams* teams = new Teams;  // never destroyed: it outlives the interpreter
  if (teams->process != getpid()) teams = new Teams;
  return *teams;
}
/// Calls take(), which takes Python's lock. If Python ends the thread instead, by unwinding its stack, waits for ever.
template <class Take>
void take_or_stay(Take&& take) noexcept {
  try {
    take();
  } catch (...) {  // a forced unwinding, which may not be ended here
    for (;;) pause();
  }
}
}  // namespace

WithoutLock::WithoutLock() : state_(PyEval_SaveThread()) {}
WithoutLock::~WithoutLock() {
  take_or_stay([&] { PyEval_RestoreThread(static_cast<PyThreadState*>(state_)); });
}

WithLock::WithLock() {
  take_or_stay([&] { state_ = static_cast<int>(PyGILState_Ensure()); });
}
WithLock::~WithLock() { PyGILState_Release(static_cast<PyGILState_STATE>(state_)); }

const MessagePassing& message_passing() {
  static int no_words = 0;
  static char** no_word = nullptr;
  static const MessagePassing message_passing(no_words, no_word);
  return message_passing;
}

void look_for_signals() {
  const WithLock lock;
  if (PyErr_CheckSignals() != 0) throw Interrupted{};
}

Workers::Workers(int threads) : ranks_(message_passing().self()), team_(std::make_unique<ThreadTeam>(threads)) {}

Workers::Workers(int threads, Communicator ranks) : ranks_(std::move(ranks)) {
  const int placed = place_rank(BindingPolicy::automatic, threads, ranks_).threads;
  team_ = run_together(ranks_, [&] {
    const bool alone = !MessagePassing::supports_threads();
    if (alone && threads > 1)
      fail("MPI was started without support for threads (MPI_THREAD_SINGLE), but {} threads were requested", threads);
    return std::make_unique<ThreadTeam>(alone ? 1 : placed);
  });
}

std::shared_ptr<Workers> Workers::of(int threads) {
  Teams& known = teams();
  const std::lock_guard lock(known.mutex);
  if (threads == 0) {
    if (known.processors == 0)
      known.processors = place_rank(BindingPolicy::automatic, 0, message_passing().self()).threads;
    threads = known.processors;
  }
  std::shared_ptr<Workers>& workers = known.by_size[threads];
  if (!workers) workers = std::make_shared<Workers>(threads);
  return workers;
}

int Workers::threads_for(int wanted, std::uint64_t edges) {
  constexpr std::uint64_t edges_of_one = std::uint64_t{1} << 14;
  return wanted == 0 && edges < edges_of_one ? 1 : wanted;
}

void TurnMutex::lock() {
  if (owner_ == std::this_thread::get_id()) {
    fail<UsageError>(
        "this thread is already in a call of Breadth, during which Python ran a signal handler or finaliser: "
        "search after that call has ended, or in another thread");
  }
  while (!mutex_.try_lock_for(between_looks)) look_for_signals();
  owner_ = std::this_thread::get_id();
}

void TurnMutex::unlock() {
  owner_ = std::thread::id();
  mutex_.unlock();
}

Workers::Turn::Turn(Workers& workers, const Progress* progress) : workers_(workers) {
  workers_.busy_.lock();
  workers_.team_->set_checkpoint([progress, next = Clock::now() + between_looks]() mutable {
    const auto now = Clock::now();
    if (now < next) return;
    next = now + between_looks;
    look_for_signals();
    if (progress != nullptr) progress->show_without_lock();
  });
}

Workers::Turn::~Turn() {
  workers_.team_->set_checkpoint({});
  workers_.busy_.unlock();
}

}  // namespace breadth::python
