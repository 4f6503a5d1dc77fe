// The tuples that a pass over the edge list shows: with their weights, or without.
#pragma once

#include <cstddef>
#include <span>

#include "core/data/edge_list.hpp"
#include "core/ids.hpp"

namespace breadth {

/// A tuple with its weight.
struct WeightedEdge : Edge {
  float weight;
};

/// The same on its way between ranks: 16 bytes.
struct PackedWeightedEdge {
  PackedEdge edge;
  float weight;

  static PackedWeightedEdge pack(const WeightedEdge& tuple) noexcept {
    return {PackedEdge::pack({tuple.source, tuple.target}), tuple.weight};
  }
  [[nodiscard]] WeightedEdge unpack() const noexcept { return {edge.unpack(), weight}; }
};
static_assert(sizeof(PackedWeightedEdge) == 16);

/// What a kind of tuple is made of.
template <class Tuple>
struct TupleForm;

template <>
struct TupleForm<Edge> {
  using Packed = PackedEdge;
  static constexpr bool weighted = false;
  static Edge at(std::span<const Edge> edges, std::span<const float> /*none*/, std::size_t i) { return edges[i]; }
};

template <>
struct TupleForm<WeightedEdge> {
  using Packed = PackedWeightedEdge;
  static constexpr bool weighted = true;
  static WeightedEdge at(std::span<const Edge> edges, std::span<const float> weights, std::size_t i) {
    return {edges[i], weights[i]};
  }
};

}  // namespace breadth
