// A fixed team of threads that runs one body at a time.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

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

  /// Calls body(thread) with 0 <= thread < size() on every thread; the caller is thread 0. The first exception that a
  /// body throws is thrown again here, after every thread has finished.
  template <class Body>
  void run(Body&& body) {
    if (size_ == 1) {
      body(0);
      return;
    }
    using Callable = std::remove_reference_t<Body>;
    run_erased([](void* context, int thread) { (*static_cast<Callable*>(context))(thread); },
               const_cast<void*>(static_cast<const void*>(std::addressof(body))));
  }

  /// Inside a body: waits until every thread of the team has come here. No thread may have left by an exception.
  void barrier();

 private:
  using Task = void (*)(void* context, int thread);

  void run_erased(Task task, void* context);
  void stop() noexcept;
  void work(int thread);
  void execute(int thread) noexcept;

  int size_;
  Task task_ = nullptr;
  void* context_ = nullptr;
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
