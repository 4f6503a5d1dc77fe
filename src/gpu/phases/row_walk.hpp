// Along the edges of the vertices of a queue.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Whole rows, each by `Width` lanes side by side (Pan et al. 2018, section IV-A: balance by degree class). A Step has
/// the graph, the queue `front` and the sums `tallies`, and `follow` goes along one edge a lane: a vertex, a place in
/// its row.
template <class Step, std::uint32_t Width>
struct RowWalk : Step {
  std::uint32_t row_class = by_lanes;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t rows = warp_lanes / Width;
    const std::uint32_t size = warp.load_one(this->front.sizes, row_class);
    const std::uint32_t begin = this->graph.bounds.begin(row_class);
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * rows; first < size; first += warp.count() * rows) {
      const auto place = warp.lane() / Width + first;
      const typename Warp::Mask is_row = place < size;
      const auto vertices = warp.load(this->front.vertices, place + begin, is_row);
      const auto end = warp.load_constant(this->graph.ends, vertices, is_row);
      auto next_place = warp.load_constant(this->graph.offsets, vertices, is_row) + warp.lane() % Width;
      for (typename Warp::Mask active = is_row & (next_place < end); warp.any(active); active = next_place < end) {
        this->follow(warp, vertices, next_place, active, tally);
        next_place = next_place + Width;
      }
    }
    tally.add_to(warp, this->tallies());
  }
};

/// The longest rows, a piece a warp.
template <class Step>
struct PieceWalk : Step {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const GraphView& graph = this->graph;
    const std::uint32_t size = warp.load_one(this->front.sizes, by_pieces);
    Tally<Warp> tally;
    for (std::uint32_t i = warp.index(); i < size; i += warp.count()) {
      const std::uint32_t piece = warp.load_one(this->front.pieces, i);
      const std::uint32_t vertex = warp.load_one(graph.piece_rows, piece);
      const std::uint64_t in_row = std::uint64_t{piece - warp.load_one(graph.first_pieces, vertex)} * piece_edges;
      const std::uint64_t begin = warp.load_one(graph.offsets, vertex) + in_row;
      const std::uint64_t row_end = warp.load_one(graph.ends, vertex);
      const std::uint64_t end = row_end < begin + piece_edges ? row_end : begin + piece_edges;
      for (std::uint64_t first = begin; first < end; first += warp_lanes) {
        const auto place = warp.wide_lane() + first;
        this->follow(warp, warp.same(vertex), place, place < end, tally);
      }
    }
    tally.add_to(warp, this->tallies());
  }
};

}  // namespace breadth::gpu
