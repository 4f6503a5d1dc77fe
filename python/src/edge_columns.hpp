// Edges in arrays that belong to Python, as an edge list of the engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "column.hpp"
#include "core/data/edge_list.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

/// Columns of sources, targets and perhaps weights, all of one length. They outlive it, and nothing is copied.
class EdgeColumns final : public EdgeList {
 public:
  EdgeColumns(const IntegerColumn& sources, const IntegerColumn& targets, const FloatColumn& weights)
      : sources_(sources), targets_(targets), weights_(weights) {}

  [[nodiscard]] std::uint64_t size() const override { return sources_.size(); }
  [[nodiscard]] bool weighted() const override { return weights_.is_there(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override;
  /// Other threads of Python may write to the arrays.
  [[nodiscard]] bool may_change() const override { return true; }

 private:
  const IntegerColumn& sources_;
  const IntegerColumn& targets_;
  const FloatColumn& weights_;
};

/// Throws std::out_of_range (IndexError) that names the first place of an integer that is not from 0 to count - 1.
void require_numbers_below(const IntegerColumn& column, std::uint64_t count, const std::string& name,
                           ThreadTeam& threads);

}  // namespace breadth::python
