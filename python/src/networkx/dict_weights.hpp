// Weights that a search reads from networkx's dicts, only for the nodes that it visits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "networkx/adjacency.hpp"

namespace breadth::python {

/// The adjacency dict of a graph, and the names of its nodes.
struct DictRows {
  nb::dict adjacency;
  nb::list nodes;
  const Rows& rows;

  /// The dict of a node's neighbours. Throws Unsuitable if it is not a plain dict, and Python's RuntimeError if the
  /// number of neighbours has changed since the conversion.
  [[nodiscard]] nb::object row(std::int32_t node) const;
};

/// Whether the first weight that a search from this node would read is a float; nothing if it has no neighbours.
std::optional<bool> begins_with_float(const DictRows& dicts, const WeightReader& reader, std::int32_t node);

/// Reads the weights of a node's neighbours in their order, anew at each call. Throws Unsuitable for weights that are
/// not of type Value, and for negative, infinite or NaN ones.
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
