// A push: from the vertices of the queue along their edges.
#pragma once

#include <cstdint>

#include "gpu/frontier_queue.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// What all pushes have in common.
struct PushStep {
  GraphView graph;
  SearchView search;
  QueueView front;
  QueueView next;
  std::uint32_t visit_before = 0;  ///< vertices from there on are left to the last pass

  /// Follows one edge a lane: who is not visited yet gets the lane's vertex as parent and joins the next frontier. The
  /// bit is looked at first, since nearly all edges lead to visited vertices; of those who set it, one claims.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask);
    const auto word = target / bits_per_word;
    const auto bit = warp.bit(target % bits_per_word);
    const typename Warp::Mask wanted = mask & (target < visit_before);
    const typename Warp::Mask fresh = wanted & ((warp.load(search.visited, word, wanted) & bit) == 0U);
    if (!warp.any(fresh)) return;
    const typename Warp::Mask claimed = fresh & ((warp.fetch_or(search.visited, word, bit, fresh) & bit) == 0U);
    warp.store(search.parents, target, vertices, claimed);
    append(warp, graph, next, target, claimed);
    tally.claimed = tally.claimed + claimed;
    tally.edges = tally.edges + warp.load_constant(graph.word_degrees, word, claimed);
  }
};

/// Whole rows, each by `Width` lanes side by side (Pan et al. 2018, section IV-A: balance by degree class).
template <std::uint32_t Width>
struct PushRows : PushStep {
  std::uint32_t row_class = by_lanes;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t rows = warp_lanes / Width;
    const std::uint32_t size = warp.load_one(front.sizes, row_class);
    const std::uint32_t begin = graph.bounds.begin(row_class);
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * rows; first < size; first += warp.count() * rows) {
      const auto place = warp.lane() / Width + first;
      const typename Warp::Mask is_row = place < size;
      const auto vertices = warp.load(front.vertices, place + begin, is_row);
      const auto end = warp.load_constant(graph.offsets, vertices + 1U, is_row);
      auto next_place = warp.load_constant(graph.offsets, vertices, is_row) + warp.lane() % Width;
      for (typename Warp::Mask active = is_row & (next_place < end); warp.any(active); active = next_place < end) {
        follow(warp, vertices, next_place, active, tally);
        next_place = next_place + Width;
      }
    }
    tally.add_to(warp, search.tallies);
  }
};

/// The longest rows, a piece a warp.
struct PushPieces : PushStep {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t size = warp.load_one(front.sizes, by_pieces);
    Tally<Warp> tally;
    for (std::uint32_t i = warp.index(); i < size; i += warp.count()) {
      const std::uint32_t piece = warp.load_one(front.pieces, i);
      const std::uint32_t vertex = warp.load_one(graph.piece_rows, piece);
      const std::uint64_t in_row = std::uint64_t{piece - warp.load_one(graph.first_pieces, vertex)} * piece_edges;
      const std::uint64_t begin = warp.load_one(graph.offsets, vertex) + in_row;
      const std::uint64_t row_end = warp.load_one(graph.offsets, vertex + 1);
      const std::uint64_t end = row_end < begin + piece_edges ? row_end : begin + piece_edges;
      for (std::uint64_t first = begin; first < end; first += warp_lanes) {
        const auto place = warp.wide_lane() + first;
        follow(warp, warp.same(vertex), place, place < end, tally);
      }
    }
    tally.add_to(warp, search.tallies);
  }
};

}  // namespace breadth::gpu
