// One tuple of the Kronecker generator, as the specification puts it.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "generate/recurrence.hpp"

namespace breadth {

/// The numbers of the Graph500 reference that turn draws into tuples and weights.
struct KroneckerRule {
  /// Draws below this are drawn again, so that the remainder by draw_values is fair: (2^31 - 1) mod 10000.
  static constexpr std::uint32_t least_draw = 3647;
  static constexpr std::uint32_t draw_values = 10000;
  /// A draw's remainder below the first bound picks the quarter above the diagonal (source 0, target 1), below the
  /// second the one under it (1, 0), below the third (0, 0), else (1, 1).
  static constexpr std::uint32_t above_diagonal = 1900;
  static constexpr std::uint32_t off_diagonal = 3800;
  static constexpr std::uint32_t not_both = 9500;
  /// 1 / (2^31 - 1): what a draw is multiplied by to be a weight.
  static constexpr double weight_unit = 4.65661287524579692e-10;
};

/// A permutation of the labels 0 .. 2^scale - 1: reverse(reverse((v + sum) * factor_1) * factor_2), where reverse turns
/// round the order of the lowest `scale` bits.
struct LabelScramble {
  int scale;
  std::uint64_t sum;
  std::uint64_t factor_1;
  std::uint64_t factor_2;

  [[nodiscard]] Label operator()(std::uint64_t vertex) const;
};

/// The tuple whose draws come next from `numbers`; scramble.scale draws, and one more for each that is drawn again.
Edge plain_kronecker_edge(const LabelScramble& scramble, Recurrence& numbers);

/// The weight for the draw after a tuple's own; from 0 to 1, both included.
inline float kronecker_weight(std::uint32_t draw) {
  return static_cast<float>(static_cast<double>(static_cast<float>(draw)) * KroneckerRule::weight_unit);
}

}  // namespace breadth
