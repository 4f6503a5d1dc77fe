// Tuples of the Kronecker generator: the plain rule for one tuple, and the inner loop for many.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "generate/recurrence.hpp"

namespace breadth {

// One tuple.

/// The constants of the Graph500 reference that convert draws to tuples and weights.
struct KroneckerRule {
  /// Draws below this are drawn again, so that the remainder by draw_values is fair: (2^31 - 1) mod 10000.
  static constexpr std::uint32_t min_draw = 3647;
  static constexpr std::uint32_t draw_values = 10000;
  /// The remainder of a draw picks a quarter of the matrix: below above_diagonal the one above the diagonal (source 0,
  /// target 1), below off_diagonal the one under it (1, 0), below not_both (0, 0), else (1, 1).
  static constexpr std::uint32_t above_diagonal = 1900;
  static constexpr std::uint32_t off_diagonal = 3800;
  static constexpr std::uint32_t not_both = 9500;
  /// 1 / (2^31 - 1), the factor from a draw to a weight.
  static constexpr double weight_unit = 4.65661287524579692e-10;
};

/// Reverses the order of 64 bits: swaps neighbours, then pairs, then fours, and so on.
constexpr std::uint64_t reverse_bits(std::uint64_t value) {
  value = (value >> 1 & 0x5555555555555555U) | (value & 0x5555555555555555U) << 1;
  value = (value >> 2 & 0x3333333333333333U) | (value & 0x3333333333333333U) << 2;
  value = (value >> 4 & 0x0F0F0F0F0F0F0F0FU) | (value & 0x0F0F0F0F0F0F0F0FU) << 4;
  value = (value >> 8 & 0x00FF00FF00FF00FFU) | (value & 0x00FF00FF00FF00FFU) << 8;
  value = (value >> 16 & 0x0000FFFF0000FFFFU) | (value & 0x0000FFFF0000FFFFU) << 16;
  return value >> 32 | value << 32;
}

/// A permutation of the labels 0 .. 2^scale - 1: reverse(reverse((v + sum) * factor_1) * factor_2), where reverse()
/// reverses the order of the lowest `scale` bits.
struct LabelScramble {
  int scale;
  std::uint64_t sum;
  std::uint64_t factor_1;
  std::uint64_t factor_2;

  [[nodiscard]] constexpr Label operator()(std::uint64_t vertex) const {
    vertex = reverse_bits((vertex + sum) * factor_1) >> (64 - scale);
    vertex = reverse_bits(vertex * factor_2) >> (64 - scale);
    return Label{static_cast<std::int64_t>(vertex)};
  }
};

/// Makes a tuple from the next draws of `numbers`: scramble.scale draws, and one more for each that is drawn again.
/// Processors and GPUs share this source (gpu/tuples/tuple_blocks.hpp).
constexpr Edge plain_kronecker_edge(const LabelScramble& scramble, Recurrence& numbers) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  for (std::uint64_t half = std::uint64_t{1} << (scramble.scale - 1); half > 0; half /= 2) {
    std::uint32_t draw = numbers.next();
    while (draw < KroneckerRule::min_draw) draw = numbers.next();
    draw %= KroneckerRule::draw_values;
    const bool both = draw >= KroneckerRule::not_both;
    bool in_source = both || (draw >= KroneckerRule::above_diagonal && draw < KroneckerRule::off_diagonal);
    bool in_target = both || draw < KroneckerRule::above_diagonal;
    if (source == target && in_source && !in_target) std::swap(in_source, in_target);
    if (in_source) source += half;
    if (in_target) target += half;
  }
  return {scramble(source), scramble(target)};
}

/// Converts the draw after those of a tuple to its weight, from 0 to 1, both included.
constexpr float kronecker_weight(std::uint32_t draw) {
  return static_cast<float>(static_cast<double>(static_cast<float>(draw)) * KroneckerRule::weight_unit);
}

// Many tuples.

/// The data of a Kronecker graph for the inner loop (Kronecker::lanes_from).
struct KroneckerLanes {
  LabelScramble scramble;
  Recurrence::State start;                   ///< of the first tuple
  std::span<const Recurrence::Jump> powers;  ///< powers[k] jumps 2^k tuples ahead; a vector needs at most the first 6
};

/// Makes consecutive tuples, one in each lane of the widest vectors of this processor. `weights` may be empty.
void generate_kronecker_lanes(const KroneckerLanes& graph, std::span<Edge> edges, std::span<float> weights);

}  // namespace breadth
