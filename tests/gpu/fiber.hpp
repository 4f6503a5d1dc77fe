// Fibers: cooperative threads of a program that take turns on one thread of the system.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace breadth::test {

/// A fiber: the thread that makes it, or a fiber with a stack of its own. The sanitizers treat each fiber as a thread.
/// For the thread sanitizer, a switch from one fiber to another does not order their accesses.
class Fiber {
 public:
  enum class Stack { of_thread, own };

  explicit Fiber(Stack stack);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Sets what a fiber with its own stack does when it is switched to next. At its end the body must switch to another
  /// fiber, and it must not let an exception out. Then the fiber may get a new body.
  void assign(std::function<void()> body);
  /// Switches from this fiber, which runs, to `next`. Returns when another fiber switches back.
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
  void* fake_stack_ = nullptr;  ///< of the address sanitizer
  void* as_thread_ = nullptr;   ///< of the thread sanitizer
  Fiber* from_ = nullptr;       ///< the fiber that switched to this one
};

}  // namespace breadth::test
