// A fixed team of threads that runs one body at a time.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "core/parallel/function_ref.hpp"

namespace breadth {

/// `size` threads, the calling one among them. A body given to `run` is executed once by every thread; `run` returns
/// when all are done. Waiting threads spin for some microseconds, then yield, then sleep, so that a search's short
/// levels start quickly and an idle team costs nothing. Not to be entered by two threads at once, nor from a body.
class ThreadTeam {
 public:
  /// Throws Error unless size >= 1 and the machine has that many threads to give.
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] int size() const noexcept { return size_; }

  /// What the calling thread does before each body, between its blocks of a loop and between levels of a search: often,
  /// so it should take no time. Where it throws, the work under way ends as if a body had thrown, which is how a person
  /// stops it; whoever worked is then good for nothing but to be destroyed or to start anew. On one rank, since others
  /// would not hear of it. Nothing at first, and again after an empty function.
  void set_checkpoint(std::function<void()> checkpoint) { checkpoint_ = std::move(checkpoint); }
  /// To be called by the calling thread alone, where a throw is in order.
  void checkpoint() const {
    if (checkpoint_) checkpoint_();
  }

  /// Calls body(thread) with 0 <= thread < size() on every thread; the caller is thread 0. The first exception that a
  /// body throws is thrown again here, after every thread has finished.
  void run(FunctionRef<void(int thread)> body);

  /// Inside a body: waits until every thread of the team has come here. No thread may have left by an exception.
  void barrier();

 private:
  void stop() noexcept;
  void work(int thread);
  void execute(int thread) noexcept;

  int size_;
  std::function<void()> checkpoint_;
  const FunctionRef<void(int thread)>* body_ = nullptr;
  bool stopping_ = false;
  alignas(64) std::atomic<unsigned> generation_{0};
  alignas(64) std::atomic<int> unfinished_{0};
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> barrier_generation_{0};
  std::atomic_flag failed_ = ATOMIC_FLAG_INIT;
  std::exception_ptr first_failure_;
  std::vector<std::thread> workers_;
};

}  // namespace breadth
