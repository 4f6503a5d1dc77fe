// The forms of the frontier in which pulls look up neighbours, and the largest vector length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

namespace breadth {

// Lengths of vectors.

/// The most vertex numbers that a vector holds on any machine: the number of bits in a bitmap word.
inline constexpr std::size_t max_lanes = 64;

// The frontier.

/// A frontier as a bitmap over global ids (graph/partition.hpp), or over their local ids, whichever rank they are from;
/// then `mask` selects the bits of the local id in a global id. Compressed rows support whole global ids only.
struct FrontierBits {
  const std::uint64_t* bits;
  std::uint64_t mask = ~std::uint64_t{0};

  [[nodiscard]] bool contains(std::uint64_t global_id) const {
    global_id &= mask;
    return ((bits[global_id / 64] >> (global_id % 64)) & 1U) != 0;
  }
};

/// A frontier as a bitmap over global ids, with a summary. Bit g of the summary is set if the bitmap has any of the
/// 2^group_log2 global ids of group g, which starts at g << group_log2. The summary fits a nearer cache, and the bitmap
/// is not read for groups that the summary lacks (Cui et al. 2012, section III-C).
struct SummarizedBits {
  const std::uint64_t* bits;
  const std::uint64_t* summary;
  int group_log2;

  [[nodiscard]] bool contains(std::uint64_t global_id) const {
    return FrontierBits{summary}.contains(global_id >> group_log2) && FrontierBits{bits}.contains(global_id);
  }
};

/// Any form of the frontier. Loops over rows are compiled for each form, which is chosen once per level or block of
/// vertices.
using Frontier = std::variant<FrontierBits, SummarizedBits>;

}  // namespace breadth
