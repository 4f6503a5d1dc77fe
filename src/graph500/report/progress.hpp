// What a person sees while the benchmark runs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/stopwatch.hpp"
#include "graph500/report/observer.hpp"

namespace breadth {

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
