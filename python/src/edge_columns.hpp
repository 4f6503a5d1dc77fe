// Edges in arrays that belong to Python, as an edge list of the engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "column.hpp"
#include "core/data/edge_list.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

/// What a graph keeps its weights as, and gives distances as.
enum class WeightKind {
  single,   ///< 32-bit numbers, as they came; distances of 32 bits, rounded
  narrow,   ///< 32-bit numbers that are exactly those that came; distances are double
  real,     ///< double, and so are distances
  integer,  ///< int64, and so are distances
};

/// How the weights of a graph are to be kept.
struct WeightPlan {
  WeightKind kind = WeightKind::single;
  /// Of narrow ones: all are multiples of one power of two, and sums of 32 bits are exact below 2^24 times that.
  double exact_below = 0;
};

/// Looks at weights of `vertices` vertices, of type Element as they are in Python, and chooses the narrowest kind in
/// which no sum is rounded that was not in theirs: float stays as it is. Throws UsageError that names the index of the
/// first that is negative, infinite, not a number, or an integer that distances of 64 bits have no room for; and of
/// float, where distances might be too large for such a number.
template <class Element>
WeightPlan plan_weights(std::span<const Element> weights, std::uint64_t vertices, ThreadTeam& threads);

/// Columns of sources, targets and perhaps weights, all of one length. They outlive it, and nothing is copied.
class EdgeColumns final : public EdgeList {
 public:
  EdgeColumns(const IntegerColumn& sources, const IntegerColumn& targets, const FloatColumn& weights)
      : sources_(sources), targets_(targets), weights_(weights) {}

  [[nodiscard]] std::uint64_t size() const override { return sources_.size(); }
  [[nodiscard]] bool weighted() const override { return weights_.is_there(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override;

 private:
  const IntegerColumn& sources_;
  const IntegerColumn& targets_;
  const FloatColumn& weights_;
};

/// Throws std::out_of_range (IndexError) that names the first place of an integer that is not from 0 to count - 1.
void require_numbers_below(const IntegerColumn& column, std::uint64_t count, const std::string& name,
                           ThreadTeam& threads);

}  // namespace breadth::python
