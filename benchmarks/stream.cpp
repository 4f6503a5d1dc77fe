// Measures how fast the machine reads memory and writes memory in order: the best of ten passes over a gibibyte. Prints
// both rates in bytes per second. Writes bypass the caches, as whole lines that are not read first.
#include <fmt/format.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/build/streamed_copy.hpp"

namespace {

constexpr std::size_t words = std::size_t{1} << 27;
constexpr std::size_t words_per_block = std::size_t{1} << 16;
constexpr int passes = 10;

template <class Pass>
double best_rate(Pass&& pass) {
  double best = 0;
  for (int i = 0; i < passes; ++i) {
    const breadth::Stopwatch stopwatch;
    pass();
    best = std::max(best, static_cast<double>(words * sizeof(std::uint64_t)) / stopwatch.seconds());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const int thread_count = argc > 1 ? std::atoi(argv[1]) : 1;
  if (thread_count < 1) {
    fmt::print(stderr, "stream: the only argument is a number of threads\n");
    return 2;
  }
  breadth::ThreadTeam threads(thread_count);
  breadth::Buffer<std::uint64_t> memory(words);
  breadth::Buffer<std::uint64_t> ones(words_per_block);
  breadth::parallel_fill(threads, memory.span(), std::uint64_t{1});
  breadth::parallel_fill(threads, ones.span(), std::uint64_t{1});

  std::uint64_t total = 0;  // not printed, but checked, so that the sums are computed
  const double reading = best_rate([&] {
    total += breadth::parallel_reduce(
        threads, words, words_per_block, std::uint64_t{0},
        [&](breadth::IndexRange range) {
          std::uint64_t sum = 0;
          for (std::size_t i = range.begin; i < range.end; ++i) sum += memory[i];
          return sum;
        },
        std::plus<>());
  });
  const double writing = best_rate([&] {
    breadth::parallel_blocks(threads, words, words_per_block, [&](breadth::IndexRange range, int) {
      breadth::copy_streamed(ones.data(), memory.data() + range.begin, range.size() * sizeof(std::uint64_t));
      hwy::FlushStream();
    });
  });
  fmt::print("{:.4g} {:.4g}\n", reading, writing);
  return total == passes * words ? 0 : 1;
}
