// Weights that a search reads from networkx's dicts where it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "networkx/adjacency.hpp"

namespace breadth::python {

/// The dict of neighbours of a graph, and what its keys are called.
struct DictRows {
  nb::dict adjacency;
  nb::list nodes;
  const Rows& rows;

  /// The dict of a node's neighbours. Throws Unsuitable where there is no plain one, RuntimeError of Python where it
  /// has not as many as it had when it was converted.
  [[nodiscard]] nb::object row(std::int32_t node) const;
};

/// Whether the first weight that a search from this node would read is a float; nothing where it has no neighbours.
std::optional<bool> begins_with_float(const DictRows& dicts, const WeightReader& reader, std::int32_t node);

/// Reads the weights of a node's neighbours, anew at each call, in their order. Throws Unsuitable where they are not of
/// the kind Value, or negative, infinite or not a number.
template <class Value>
class DictWeights {
 public:
  DictWeights(const DictRows& dicts, const WeightReader& reader) : dicts_(&dicts), reader_(&reader) {}
  std::span<const Value> operator()(std::int32_t node);

 private:
  const DictRows* dicts_;
  const WeightReader* reader_;
  std::vector<Value> row_;
  std::size_t rows_read_ = 0;
};

}  // namespace breadth::python
