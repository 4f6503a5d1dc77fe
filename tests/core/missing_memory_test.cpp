// What happens when memory is missing: operator new of this program fails once on request.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"

namespace {
/// The number of the next allocation of this thread that fails, from 1 on; 0 for none.
thread_local int failing_allocation = 0;
}  // namespace

// Not inline: a compiler that sees free() and new side by side would warn of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (failing_allocation > 0 && --failing_allocation == 0) throw std::bad_alloc();
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
/// std::inplace_merge allocates by this operator, and frees by the operator below.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace breadth {
namespace {

TEST(MissingMemory, StopsTheThreadsThatHaveStarted) {
  int messages = 0;
  bool started = false;
  for (int allocation = 1; !started; ++allocation) {
    ASSERT_LT(allocation, 100);
    failing_allocation = allocation;
    try {
      const ThreadTeam threads(4);
      started = failing_allocation > 0;
    } catch (const std::bad_alloc&) {
      EXPECT_EQ(allocation, 1) << "only allocating the list of threads may throw bad_alloc";
    } catch (const Error& error) {
      ++messages;
      const std::string message = error.what();
      EXPECT_NE(message.find("cannot start 4 threads, only "), std::string::npos) << message;
      EXPECT_NE(message.find("out of memory"), std::string::npos) << message;
    }
    failing_allocation = 0;
  }
  EXPECT_GE(messages, 3) << "at least one allocation for each of three threads";
}

}  // namespace
}  // namespace breadth
