// The numbering of integers that name vertices by the engine's labels 0, 1, 2, …
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

/// Numbers the distinct integers at the ends of edges in ascending order. Consecutive integers are not stored. Integers
/// close together take two bits for each integer in their range while edges are read, others a hash table; both then
/// take 8 bytes for each distinct integer.
class LabelNumbers {
 public:
  /// Numbers 0 .. count - 1 by themselves.
  explicit LabelNumbers(std::uint64_t count) : count_(count) {}
  /// Numbers the integers of the edges. `sampled` is the same list, of which some edges are read first. O(m) expected
  /// work, and sorting if integers are far apart.
  LabelNumbers(const EdgeList& edges, const EdgeList& sampled, ThreadTeam& threads);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The integer with number 0, if integers are consecutive.
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  /// All integers in ascending order; empty if they are consecutive.
  [[nodiscard]] Buffer<std::int64_t>& integers() noexcept { return integers_; }

  /// Replaces the integers of edges by their numbers. May be called concurrently.
  void replace(std::span<Edge> edges) const;

 private:
  struct Slot {
    std::int64_t integer;
    std::int64_t number;  ///< -1: empty
  };
  /// A hash table with open addressing, which grows.
  struct Table {
    std::vector<Slot> slots = std::vector<Slot>(1024, Slot{0, -1});
    std::size_t used = 0;
    void insert(std::int64_t integer);
    /// The slot of an integer, or the empty slot in which to insert it.
    [[nodiscard]] std::size_t place_of(std::int64_t integer) const;
  };
  /// Marks the integers that occur, which must be in [base, base + span). Returns false if others occur.
  bool mark(const EdgeList& edges, std::int64_t base, std::uint64_t span, ThreadTeam& threads);
  /// Numbers the marked integers. `span` is the number of integers from the first marked one to the last.
  void number_marked(std::uint64_t span, ThreadTeam& threads);
  void collect(const EdgeList& edges, ThreadTeam& threads);
  [[nodiscard]] std::int64_t number_of(std::int64_t integer) const;
  [[nodiscard]] std::size_t table_of(std::int64_t integer) const;

  std::uint64_t count_ = 0;
  std::int64_t first_ = 0;
  std::int64_t base_ = 0;
  Buffer<std::int64_t> integers_;
  Bitmap occurs_;                 ///< for integers close together: one bit each, from base_ on
  Buffer<std::uint64_t> before_;  ///< number of integers before each word of occurs_
  std::vector<Table> tables_;     ///< for integers far apart, by their hash
};

/// The edges of another list, with numbers instead of integers. The list and the numbers must outlive it.
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
