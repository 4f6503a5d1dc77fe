// The threads that all graphs of a process share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

class Progress;

/// Releases Python's lock (the GIL) while it lives. When the process ends, Python ends daemon threads that want the
/// lock back by unwinding their stacks, which the engine's code does not allow. Such threads stay where they are
/// instead.
class WithoutLock {
 public:
  WithoutLock();
  ~WithoutLock();
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  void* state_;
};

/// Holds Python's lock while it lives, in a thread that has released it. When the process ends, see WithoutLock.
class WithLock {
 public:
  WithLock();
  ~WithLock();
  WithLock(const WithLock&) = delete;
  WithLock& operator=(const WithLock&) = delete;

 private:
  int state_ = 0;
};

/// A mutex for long work, which looks for Python's signals while it waits.
class TurnMutex {
 public:
  /// Waits for the turn without Python's lock, and looks for signals. Throws UsageError in a thread that has the turn:
  /// code that Python runs during its work, a signal handler or a finaliser, would wait for ever.
  void lock();
  void unlock();

 private:
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> owner_;
};

/// Thrown by work that Python's signals have stopped, on the thread that has Python's error. Not a std::exception, so
/// that the engine does not take it for a failure of its own.
struct Interrupted {};

/// The message passing of this process, or mpi4py's if that was started first.
const MessagePassing& message_passing();

/// Throws Interrupted if a Python signal handler raises an error. Called without Python's lock.
void look_for_signals();

/// A team of threads that all graphs share, for one piece of work at a time. A search uses all threads anyway, and a
/// thousand graphs need no more threads than one.
class Workers {
 public:
  /// The team of this many threads, 0 for one on each processor that the process may use. Starts the team if there is
  /// none yet, or if the process is a fork of the one that had it. Throws Error if it cannot start the threads.
  static std::shared_ptr<Workers> of(int threads);

  /// The number of threads for a graph of this many edges. One thread builds and searches a small graph before others
  /// would have woken up.
  static int threads_for(int wanted, std::uint64_t edges);

  explicit Workers(int threads);
  /// A team for graphs on several ranks: this many threads, or with 0 this rank's share of its machine's processors.
  /// Throws AgreedError if a rank cannot start the threads. Collective.
  Workers(int threads, Communicator ranks);

  [[nodiscard]] int size() const noexcept { return team_->size(); }

  /// While a Turn lives, the team works for the calling thread, which does not hold Python's lock. That thread looks
  /// for signals some twenty times a second, and shows progress if wanted. The constructor and the work throw
  /// Interrupted once Python's handler has raised an error.
  class Turn {
   public:
    explicit Turn(Workers& workers, const Progress* progress = nullptr);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Workers& workers_;
  };
  /// The context for work in a turn, and for objects that are built in one turn and work in later ones.
  [[nodiscard]] Context context() noexcept { return {ranks_, *team_}; }

 private:
  Communicator ranks_;
  std::unique_ptr<ThreadTeam> team_;
  TurnMutex busy_;
};

}  // namespace breadth::python
