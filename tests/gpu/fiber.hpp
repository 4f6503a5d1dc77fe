// Threads of a program's own, which take turns on one thread of the system.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace breadth::test {

/// The thread that makes it, or one with a stack of its own. The sanitizers see each as a thread; that one runs after
/// the other is no order for the thread sanitizer.
class Fiber {
 public:
  enum class Stack { of_thread, own };

  explicit Fiber(Stack stack);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// What one with its own stack does when it is switched to next. At its end it switches to another one, and lets no
  /// exception out; then it may get a new body.
  void assign(std::function<void()> body);
  /// From this one, which runs, to the next, until another one switches back.
  void switch_to(Fiber& next);

 private:
  static void begin(unsigned high, unsigned low);
  void arrive();
  [[noreturn]] void carry_out();

  ucontext_t context_{};
  std::function<void()> body_;
  std::atomic<bool> assigned_ = false;
  std::unique_ptr<std::byte[]> stack_;
  const void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
  void* fake_stack_ = nullptr;  ///< the address sanitizer's
  void* as_thread_ = nullptr;   ///< the thread sanitizer's
  Fiber* from_ = nullptr;       ///< who has switched to this one
};

}  // namespace breadth::test
