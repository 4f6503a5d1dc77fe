#include "graph500/report/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace breadth {

ProgressStyle progress_style_for(std::FILE* stream) {
  return isatty(fileno(stream)) == 1 ? ProgressStyle::terminal : ProgressStyle::lines;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_text(std::string_view kernel, std::uint64_t done, std::uint64_t total, double elapsed_seconds,
                          double rate_teps) {
  constexpr std::uint64_t width = 32;
  const std::uint64_t filled = total == 0 ? width : done * width / total;
  std::string text = fmt::format("{} [{:#>{}}{:.>{}}] {}/{}", kernel, "", filled, "", width - filled, done, total);
  if (rate_teps > 0) text += fmt::format("  {:.3g} GTEPS", rate_teps / 1e9);
  if (done > 0 && done < total) {
    const double left = elapsed_seconds / static_cast<double>(done) * static_cast<double>(total - done);
    text += fmt::format("  {} left", duration_text(left));
  }
  return text;
}

void ProgressPrinter::step(std::string_view what) { say(fmt::format("{}\n", what), stream_); }

void ProgressPrinter::searches_begin(std::string_view kernel, std::uint64_t total) {
  kernel_ = kernel;
  total_ = total;
  done_ = 0;
  seconds_per_edge_ = 0;
  since_begin_ = Stopwatch();
  if (style_ == ProgressStyle::terminal) draw();
}

void ProgressPrinter::search_done(double seconds, std::uint64_t edges) {
  ++done_;
  if (edges > 0) seconds_per_edge_ += seconds / static_cast<double>(edges);
  constexpr std::uint64_t lines_per_kernel = 10;
  const auto tenths = [this](std::uint64_t done) { return done * lines_per_kernel / total_; };
  if (style_ == ProgressStyle::terminal || tenths(done_) != tenths(done_ - 1)) draw();
}

void ProgressPrinter::searches_end() {
  if (style_ == ProgressStyle::terminal) say("\n", stream_);
}

void ProgressPrinter::draw() {
  const double rate = seconds_per_edge_ > 0 ? static_cast<double>(done_) / seconds_per_edge_ : 0;
  const std::string text = progress_text(kernel_, done_, total_, since_begin_.seconds(), rate);
  if (style_ == ProgressStyle::terminal) {
    say(fmt::format("\r{}\033[K", text), stream_);  // the escape sequence clears the rest of a longer text
  } else {
    say(fmt::format("{}\n", text), stream_);
  }
  std::fflush(stream_);
}

}  // namespace breadth
