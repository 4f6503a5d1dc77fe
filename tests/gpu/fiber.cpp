#include "fiber.hpp"

#include <cstdint>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace breadth::test {

// Hides the fibers' own shared data from the thread sanitizer: it is not part of the program under test.
#ifdef __SANITIZE_THREAD__
#define BREADTH_UNSEEN __attribute__((no_sanitize("thread")))
#else
#define BREADTH_UNSEEN
#endif

namespace {
constexpr std::size_t stack_size = std::size_t{512} << 10U;
}

Fiber::Fiber(Stack stack) {
  if (stack == Stack::of_thread) {
#ifdef __SANITIZE_THREAD__
    as_thread_ = __tsan_get_current_fiber();
#endif
    return;
  }
  stack_.reset(new std::byte[stack_size]);
  stack_bottom_ = stack_.get();
  stack_bytes_ = stack_size;
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_.get();
  context_.uc_stack.ss_size = stack_size;
  context_.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&context_, reinterpret_cast<void (*)()>(&Fiber::begin), 2, static_cast<unsigned>(self >> 32U),
              static_cast<unsigned>(self));
#ifdef __SANITIZE_THREAD__
  as_thread_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef __SANITIZE_THREAD__
  if (stack_) __tsan_destroy_fiber(as_thread_);
#endif
}

void Fiber::assign(std::function<void()> body) {
  body_ = std::move(body);
  assigned_.store(true, std::memory_order_release);
}

BREADTH_UNSEEN void Fiber::switch_to(Fiber& next) {
  next.from_ = this;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&fake_stack_, next.stack_bottom_, next.stack_bytes_);
#endif
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(next.as_thread_, __tsan_switch_to_fiber_no_sync);
#endif
  swapcontext(&context_, &next.context_);
  arrive();
}

BREADTH_UNSEEN void Fiber::arrive() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake_stack_, &from_->stack_bottom_, &from_->stack_bytes_);
#endif
}

BREADTH_UNSEEN void Fiber::begin(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>(std::uintptr_t{high} << 32U | low);
  self->arrive();
  self->carry_out();
}

void Fiber::carry_out() {
  for (;;) {
    (void)assigned_.load(std::memory_order_acquire);
    const std::function<void()> body = std::move(body_);
    body();
  }
}

}  // namespace breadth::test
