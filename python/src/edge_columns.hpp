// An edge list of the engine over arrays that belong to Python.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "column.hpp"
#include "core/data/edge_list.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

/// Columns of sources, targets and perhaps weights, all of one length. The columns must outlive the list, which does
/// not copy them.
class EdgeColumns final : public EdgeList {
 public:
  EdgeColumns(const IntegerColumn& sources, const IntegerColumn& targets, const FloatColumn& weights)
      : sources_(sources), targets_(targets), weights_(weights) {}

  [[nodiscard]] std::uint64_t size() const override { return sources_.size(); }
  [[nodiscard]] bool weighted() const override { return weights_.is_there(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override;
  /// True, because other Python threads may write to the arrays.
  [[nodiscard]] bool may_change() const override { return true; }

 private:
  const IntegerColumn& sources_;
  const IntegerColumn& targets_;
  const FloatColumn& weights_;
};

/// Throws std::out_of_range (IndexError), which names the first position of an integer that is not from 0 to count - 1.
void require_numbers_below(const IntegerColumn& column, std::uint64_t count, const std::string& name,
                           ThreadTeam& threads);

}  // namespace breadth::python
