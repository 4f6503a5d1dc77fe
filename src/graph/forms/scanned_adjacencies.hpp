// Who is whose neighbour, for searches that look vertices up by passing over all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/forms/edge_pairs.hpp"
#include "graph/forms/skip_list.hpp"

namespace breadth {

/// The neighbours of one graph in lists that are scanned: EdgePairs, SkipList or IndexedSkipList. A directed graph has
/// a list along its edges, for push, and one against them, for pull; for an undirected one both are the same. Degrees,
/// 4 bytes a vertex and list, are all that can be looked up.
template <class List>
class ScannedAdjacencies {
 public:
  using Neighbour = typename List::Neighbour;

  /// Takes the rows over; `in` counts only where `directed`. O(edges).
  ScannedAdjacencies(Adjacency<Neighbour> out, Adjacency<Neighbour> in, bool directed, ThreadTeam& threads)
      : out_(std::move(out), threads), directed_(directed) {
    if (directed) in_ = OneWay(std::move(in), threads);
  }

  [[nodiscard]] const List& push_list() const noexcept { return out_.list; }
  [[nodiscard]] const List& pull_list() const noexcept { return directed_ ? in_.list : out_.list; }
  /// Entries of the list for push.
  [[nodiscard]] std::uint64_t edges() const noexcept { return out_.edges; }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return out_.degrees[vertex.index()]; }
  /// Edges of a vertex, whichever way they lead.
  [[nodiscard]] std::size_t total_degree(LocalVertex vertex) const noexcept {
    return degree(vertex) + (directed_ ? in_.degrees[vertex.index()] : 0);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return out_.bytes() + in_.bytes(); }

 private:
  struct OneWay {
    OneWay() = default;
    OneWay(Adjacency<Neighbour> rows, ThreadTeam& threads)
        : edges(rows.neighbours.size()), degrees(rows.offsets.size() - 1) {
      parallel_for(threads, degrees.size(), std::size_t{1} << 14, [&](std::size_t i) {
        const LocalVertex vertex{static_cast<std::uint32_t>(i)};
        degrees[i] = static_cast<std::uint32_t>(rows.degree(vertex));
      });
      list = List(std::move(rows), threads);
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return list.bytes() + degrees.size() * sizeof(std::uint32_t); }

    std::uint64_t edges = 0;
    Buffer<std::uint32_t> degrees;
    List list;
  };

  OneWay out_;
  OneWay in_;
  bool directed_;
};

}  // namespace breadth
