// The progress of long work, shown to the user.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "core/data/edge_list.hpp"

namespace breadth::python {

/// Progress that any thread counts. A Python function(stage, done, total), if given, shows it whenever the thread that
/// has a turn of the workers looks for signals. A total of 0 means unknown. Made and destroyed with Python's lock.
class Progress {
 public:
  /// `show` is a function or None.
  explicit Progress(nanobind::object show) : show_(std::move(show)) {}

  /// Begins the next stage, and shows the end of the previous one. Called by the thread that has the turn, without
  /// Python's lock. The work of the stage is counted `passes` times or a little more often.
  void begin(const char* stage, std::uint64_t size, std::uint64_t passes = 1);
  void add(std::uint64_t count) noexcept { done_.fetch_add(count, std::memory_order_relaxed); }
  /// The counter, for code that does not call add().
  [[nodiscard]] std::atomic<std::uint64_t>& done() noexcept { return done_; }
  /// Shows the progress. Called with Python's lock. Throws Python's error.
  void show() const;
  /// The same without Python's lock. Throws Interrupted; Python's error stays set for the caller that catches it.
  void show_without_lock() const;

 private:
  nanobind::object show_;
  const char* stage_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t passes_ = 1;
  std::atomic<std::uint64_t> done_ = 0;
};

/// The tuples of another list, which counts them as progress when they are read. That list must outlive this one.
class CountedEdges final : public EdgeList {
 public:
  CountedEdges(const EdgeList& edges, Progress& progress) : edges_(edges), progress_(progress) {}
  [[nodiscard]] std::uint64_t size() const override { return edges_.size(); }
  [[nodiscard]] bool weighted() const override { return edges_.weighted(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    edges_.read(first, edges, weights);
    progress_.add(edges.size());
  }
  [[nodiscard]] bool may_change() const override { return edges_.may_change(); }
  void check_unchanged() const override { edges_.check_unchanged(); }
  void report_change() const override { edges_.report_change(); }

 private:
  const EdgeList& edges_;
  Progress& progress_;
};

}  // namespace breadth::python
