// From integers that name vertices to the engine's labels 0, 1, 2, …
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

/// Numbers the distinct integers that edges lead from and to in rising order. Consecutive integers are not stored; such
/// as lie close together take two bits of their range while edges are read, others a hash table, and 8 bytes each for
/// good.
class LabelNumbers {
 public:
  /// 0 .. count - 1, each its own number.
  explicit LabelNumbers(std::uint64_t count) : count_(count) {}
  /// Those that occur; `sampled` is the same list, of which some edges are looked at before. O(m) expected work, and
  /// sorting where they are far apart.
  LabelNumbers(const EdgeList& edges, const EdgeList& sampled, ThreadTeam& threads);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The integer with number 0, where they are consecutive.
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  /// All integers in rising order; empty where they are consecutive.
  [[nodiscard]] Buffer<std::int64_t>& integers() noexcept { return integers_; }

  /// Replaces integers that occurred by their numbers. Any threads at once.
  void replace(std::span<Edge> edges) const;

 private:
  struct Slot {
    std::int64_t integer;
    std::int64_t number;  ///< -1: empty
  };
  /// Open addressing; grows.
  struct Table {
    std::vector<Slot> slots = std::vector<Slot>(1024, Slot{0, -1});
    std::size_t used = 0;
    void insert(std::int64_t integer);
    /// Where an integer is, or has to go.
    [[nodiscard]] std::size_t place_of(std::int64_t integer) const;
  };
  /// Integers from `base` on, so many; false where others occur.
  bool mark(const EdgeList& edges, std::int64_t base, std::uint64_t span, ThreadTeam& threads);
  /// From the first that is marked to the last there are so many.
  void number_marked(std::uint64_t span, ThreadTeam& threads);
  void collect(const EdgeList& edges, ThreadTeam& threads);
  [[nodiscard]] std::int64_t number_of(std::int64_t integer) const;
  [[nodiscard]] std::size_t table_of(std::int64_t integer) const;

  std::uint64_t count_ = 0;
  std::int64_t first_ = 0;
  std::int64_t base_ = 0;
  Buffer<std::int64_t> integers_;
  Bitmap occurs_;                 ///< of integers close together, from base_ on
  Buffer<std::uint64_t> before_;  ///< how many occur before each word of it
  std::vector<Table> tables_;     ///< of integers far apart, by their hash
};

/// The edges of another list by the numbers of their ends; both outlive it.
class NumberedEdges final : public EdgeList {
 public:
  NumberedEdges(const EdgeList& edges, const LabelNumbers& numbers) : edges_(edges), numbers_(numbers) {}
  [[nodiscard]] std::uint64_t size() const override { return edges_.size(); }
  [[nodiscard]] bool weighted() const override { return edges_.weighted(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    edges_.read(first, edges, weights);
    numbers_.replace(edges);
  }
  [[nodiscard]] std::optional<std::uint64_t> label_count() const override { return numbers_.count(); }
  [[nodiscard]] bool may_change() const override { return edges_.may_change(); }
  void check_unchanged() const override { edges_.check_unchanged(); }
  void report_change() const override { edges_.report_change(); }

 private:
  const EdgeList& edges_;
  const LabelNumbers& numbers_;
};

}  // namespace breadth::python
