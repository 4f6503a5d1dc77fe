// Neighbours of nodes in the order of networkx.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/memory/buffer.hpp"

namespace breadth::python {

/// The index of a node's element in arrays.
constexpr std::size_t at(std::int32_t node) noexcept { return static_cast<std::size_t>(node); }

/// A networkx graph in arrays. Nodes are 0, 1, 2, … in its order. The neighbours of each node are in the order of its
/// adjacency, which decides the order of searches and which of several shortest paths is found.
class Rows {
 public:
  /// The neighbours of node i are heads[starts[i]] … heads[starts[i + 1] - 1].
  Rows(Buffer<std::int64_t> starts, Buffer<std::int32_t> heads)
      : starts_(std::move(starts)), heads_(std::move(heads)) {}

  [[nodiscard]] std::size_t node_count() const noexcept { return starts_.size() - 1; }
  [[nodiscard]] std::span<const std::int64_t> starts() const noexcept { return starts_.span(); }
  [[nodiscard]] std::span<const std::int32_t> heads() const noexcept { return heads_.span(); }
  [[nodiscard]] std::size_t first(std::int32_t node) const noexcept {
    return static_cast<std::size_t>(starts_[at(node)]);
  }
  [[nodiscard]] std::span<const std::int32_t> row(std::int32_t node) const noexcept {
    return heads_.span().subspan(first(node), first(node + 1) - first(node));
  }

 private:
  Buffer<std::int64_t> starts_;
  Buffer<std::int32_t> heads_;
};

}  // namespace breadth::python
