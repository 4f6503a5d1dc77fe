// Observers of a benchmark run, and the progress display.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/stopwatch.hpp"

namespace breadth {

// Watching a run.

/// Called at each step of a run, on every rank, outside of all timed sections. This base class does nothing.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// A step begins: "generating the edge list".
  virtual void step(std::string_view /*what*/) {}
  /// `total` searches of a kernel begin.
  virtual void searches_begin(std::string_view /*kernel*/, std::uint64_t /*total*/) {}
  /// A search is done and validated; it took `seconds` and traversed `edges`.
  virtual void search_done(double /*seconds*/, std::uint64_t /*edges*/) {}
  /// The searches of this kernel are done.
  virtual void searches_end() {}
};

// The progress display.

/// `terminal`: a bar that is redrawn in place. `lines`: whole lines, about ten per kernel, for logs.
enum class ProgressStyle { terminal, lines };

/// The style for a stream: `terminal` if it is a terminal.
ProgressStyle progress_style_for(std::FILE* stream);

/// The progress of a kernel: "bfs [#####.....] 32/64  1.23 GTEPS  12 s left". The time left is estimated from the mean
/// time of the searches so far, including validation; it is left out before the first search is done. `rate_teps` is
/// left out if it is 0.
std::string progress_text(std::string_view kernel, std::uint64_t done, std::uint64_t total, double elapsed_seconds,
                          double rate_teps);

/// A duration for the user: "45 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

/// Writes progress to a stream. Used on one rank only.
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
