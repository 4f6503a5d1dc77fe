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

/// Lets go of Python's lock while it lives. When the process ends, Python takes daemon threads that want its lock back
/// out of the world, by unwinding what must not be unwound: they stay where they are instead.
class WithoutLock {
 public:
  WithoutLock();
  ~WithoutLock();
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  void* state_;
};

/// Holds Python's lock while it lives, in a thread that has let go of it. As above when the process ends.
class WithLock {
 public:
  WithLock();
  ~WithLock();
  WithLock(const WithLock&) = delete;
  WithLock& operator=(const WithLock&) = delete;

 private:
  int state_ = 0;
};

/// Lets one thread at a time do what takes long and looks for Python's signals meanwhile.
class TurnMutex {
 public:
  /// Waits, without Python's lock, and looks for signals. Throws UsageError in a thread that has the turn: code that
  /// Python runs amid its work, a handler of signals or a finaliser, would wait for ever.
  void lock();
  void unlock();

 private:
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> owner_;
};

/// Thrown by work that Python's signals have stopped, on the thread that has Python's error. No std::exception: the
/// engine must not take it for a failure of its own.
struct Interrupted {};

/// The message passing of this process: mpi4py's, where that came first.
const MessagePassing& message_passing();

/// Throws Interrupted where a handler of Python's signals raises. Called without Python's lock.
void look_for_signals();

/// A team of threads, for one piece of work at a time, whichever graph it is on: a search uses all of them anyway, and
/// a thousand graphs need no more threads than one.
class Workers {
 public:
  /// The team of so many threads, 0 for one on each processor that the process may use. Starts it where there is none
  /// (Error where it cannot), or where the process is a fork of the one that had it.
  static std::shared_ptr<Workers> of(int threads);

  /// Its number of threads for so many edges: a small graph is built and searched before other threads have woken up.
  static int threads_for(int wanted, std::uint64_t edges);

  explicit Workers(int threads);
  /// For graphs that lie on several ranks: as many threads, or with 0 this rank's share of its machine's processors.
  /// Throws AgreedError where a rank cannot start them. Collective.
  Workers(int threads, Communicator ranks);

  [[nodiscard]] int size() const noexcept { return team_->size(); }

  /// While it lives, the team works for the calling thread, which does not hold Python's lock. That thread looks for
  /// signals some twenty times a second, and shows progress if there is any: throws Interrupted here, and in the work,
  /// once Python's handler has raised.
  class Turn {
   public:
    explicit Turn(Workers& workers, const Progress* progress = nullptr);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Workers& workers_;
  };
  /// For work in a turn, and to build in one what works in later ones.
  [[nodiscard]] Context context() noexcept { return {ranks_, *team_}; }

 private:
  Communicator ranks_;
  std::unique_ptr<ThreadTeam> team_;
  TurnMutex busy_;
};

}  // namespace breadth::python
