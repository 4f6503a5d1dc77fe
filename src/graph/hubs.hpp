// The vertices of which every rank has a replica.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"

namespace breadth {

/// A vertex with many edges (a delegate in Pan et al. 2018, heavy in Checconi & Petrini 2014).
struct Hub {
  Label label;
  std::uint32_t degree;      ///< edges, whichever way they lead, on all ranks
  std::uint32_t out_degree;  ///< those that lead away from it; all of them if undirected
};

/// All hubs, the same on every rank: local id i, there, is hub i. The most connected come first, so that a smaller
/// local id is a heavier hub. O(hubs) memory on every rank.
class Hubs {
 public:
  Hubs() = default;
  /// `all` by falling degree.
  explicit Hubs(std::vector<Hub> all) : all_(std::move(all)) {}

  [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }
  [[nodiscard]] bool contains(LocalVertex vertex) const noexcept { return vertex.index() < all_.size(); }
  [[nodiscard]] const Hub& operator[](LocalVertex hub) const noexcept { return all_[hub.index()]; }
  /// The local id of a rank's first other vertex: hubs have words of a bitmap to themselves. Ids between are nobody's.
  [[nodiscard]] std::size_t end() const noexcept { return words_for_bits(all_.size()) * bits_per_word; }
  [[nodiscard]] std::size_t bytes() const noexcept { return all_.size() * sizeof(Hub); }

 private:
  std::vector<Hub> all_;
};

}  // namespace breadth
