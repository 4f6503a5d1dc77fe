// Who watches a run of the benchmark, and what a person sees of it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/stopwatch.hpp"

namespace breadth {

// Watching a run.

/// Is called at each step of a run, on every rank, outside everything that is timed. This one says nothing.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// A step begins: "generating the edge list".
  virtual void step(std::string_view /*what*/) {}
  /// `total` searches of a kernel begin.
  virtual void searches_begin(std::string_view /*kernel*/, std::uint64_t /*total*/) {}
  /// One more of them is done and validated, as it took `seconds` and traversed `edges`.
  virtual void search_done(double /*seconds*/, std::uint64_t /*edges*/) {}
  /// No more searches of this kernel follow.
  virtual void searches_end() {}
};

// What a person sees.

/// `terminal`: a bar that is drawn over again. `lines`: whole lines, about ten a kernel, for logs.
enum class ProgressStyle { terminal, lines };

/// The style that suits a stream: `terminal` where it is one.
ProgressStyle progress_style_for(std::FILE* stream);

/// "bfs [#####.....] 32/64  1.23 GTEPS  12 s left": how far a kernel is. The time left is as each search took so far,
/// validation included; it is missing before the first. `rate_teps` is left out where 0.
std::string progress_text(std::string_view kernel, std::uint64_t done, std::uint64_t total, double elapsed_seconds,
                          double rate_teps);

/// Seconds as a person says them: "45 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

/// Writes progress to a stream. For one rank only.
class ProgressPrinter final : public RunObserver {
 public:
  ProgressPrinter(std::FILE* stream, ProgressStyle style) : stream_(stream), style_(style) {}

  void step(std::string_view what) override;
  void searches_begin(std::string_view kernel, std::uint64_t total) override;
  void search_done(double seconds, std::uint64_t edges) override;
  void searches_end() override;

 private:
  void draw();

  std::FILE* stream_;
  ProgressStyle style_;
  std::string kernel_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  double seconds_per_edge_ = 0;  ///< sum over the searches done
  Stopwatch since_begin_;
};

}  // namespace breadth
