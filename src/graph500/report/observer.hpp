// Who watches a run of the benchmark.
#pragma once

#include <cstdint>
#include <string_view>

namespace breadth {

/// Told of each step of a run, on every rank, outside everything that is timed.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// A step begins: "generating the edge list".
  virtual void step(std::string_view what) = 0;
  /// `total` searches of a kernel begin.
  virtual void searches_begin(std::string_view kernel, std::uint64_t total) = 0;
  /// One more of them is done and validated, as it took `seconds` and traversed `edges`.
  virtual void search_done(double seconds, std::uint64_t edges) = 0;
  /// No more searches of this kernel follow.
  virtual void searches_end() = 0;
};

/// Says nothing.
class SilentObserver final : public RunObserver {
 public:
  void step(std::string_view) override {}
  void searches_begin(std::string_view, std::uint64_t) override {}
  void search_done(double, std::uint64_t) override {}
  void searches_end() override {}
};

}  // namespace breadth
