// How far work has come, for a person who waits.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "core/data/edge_list.hpp"

namespace breadth::python {

/// Counted by any thread, and shown by Python's function(stage, done, total), if there is one, whenever the thread that
/// has a turn of the workers looks for signals. A total of 0 is not known. Made and destroyed with Python's lock.
class Progress {
 public:
  /// `show` is a function or None.
  explicit Progress(nanobind::object show) : show_(std::move(show)) {}

  /// The next stage, of the thread that has the turn and not Python's lock: shows how the one before ended. Its work is
  /// counted `passes` times or a little more often.
  void begin(const char* stage, std::uint64_t size, std::uint64_t passes = 1);
  void add(std::uint64_t count) noexcept { done_.fetch_add(count, std::memory_order_relaxed); }
  /// What to count in, where that is not by add().
  [[nodiscard]] std::atomic<std::uint64_t>& done() noexcept { return done_; }
  /// With Python's lock. Throws Python's error.
  void show() const;
  /// Without Python's lock. Python's error stays set for the caller that catches Interrupted.
  void show_without_lock() const;

 private:
  nanobind::object show_;
  const char* stage_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t passes_ = 1;
  std::atomic<std::uint64_t> done_ = 0;
};

/// The tuples of another list, which outlives it, counted whenever they are read.
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
