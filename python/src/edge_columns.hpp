// Edges in arrays that belong to Python, as an edge list of the engine.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "column.hpp"
#include "core/data/edge_list.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

/// Up to which distance sums of weights are exact: they are multiples of one power of two, and 32-bit floating point
/// has all multiples up to 2^24 times it. Infinite where nobody asks for exact distances.
using ExactBelow = float;

/// Looks at weights of `vertices` vertices, of type Element as they are in Python. Throws UsageError that names the
/// index of the first that is negative, infinite or not a number, and where `exact`, of one that is no 32-bit number;
/// and where distances might be too large for such a number.
template <class Element>
ExactBelow check_weights(std::span<const Element> weights, bool exact, std::uint64_t vertices, ThreadTeam& threads);

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

/// Throws UsageError that names the first place of an integer that is not from 0 to count - 1.
void require_numbers_below(const IntegerColumn& column, std::uint64_t count, const std::string& name,
                           ThreadTeam& threads);

}  // namespace breadth::python
