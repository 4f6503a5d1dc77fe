// What the neighbours of unvisited vertices are looked up in, and how long the vectors of neighbours get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

namespace breadth {

// Lengths of vectors.

/// Vertex numbers that a vector holds at most, on any machine: as many as a word of a bitmap has bits.
inline constexpr std::size_t most_lanes = 64;

// The frontier.

/// A bitmap over global ids (graph/partition.hpp), or over the local ids in them, whichever rank's: then `mask` has the
/// bits of a global id that are its local id. Compressed rows are looked up by whole global ids only.
struct FrontierBits {
  const std::uint64_t* bits;
  std::uint64_t mask = ~std::uint64_t{0};

  [[nodiscard]] bool contains(std::uint64_t global_id) const {
    global_id &= mask;
    return ((bits[global_id / 64] >> (global_id % 64)) & 1U) != 0;
  }
};

/// The same with a summary: bit g of it is set if the bitmap has any global id of group g, those from g << group_log2
/// on, 2^group_log2 of them. The summary fits a nearer cache, and where it lacks a group the bitmap is not read
/// (Cui et al. 2012, section III-C).
struct SummarizedBits {
  const std::uint64_t* bits;
  const std::uint64_t* summary;
  int group_log2;

  [[nodiscard]] bool contains(std::uint64_t global_id) const {
    return FrontierBits{summary}.contains(global_id >> group_log2) && FrontierBits{bits}.contains(global_id);
  }
};

/// Loops over rows are compiled for each; the choice is made once a level or block of vertices.
using Frontier = std::variant<FrontierBits, SummarizedBits>;

}  // namespace breadth
