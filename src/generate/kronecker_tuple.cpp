#include "generate/kronecker_tuple.hpp"

#include <utility>

namespace breadth {

namespace {

std::uint64_t reverse_bits(std::uint64_t value) {
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 64; ++bit) reversed |= ((value >> bit) & 1) << (63 - bit);
  return reversed;
}

}  // namespace

Label LabelScramble::operator()(std::uint64_t vertex) const {
  vertex = reverse_bits((vertex + sum) * factor_1) >> (64 - scale);
  vertex = reverse_bits(vertex * factor_2) >> (64 - scale);
  return Label{static_cast<std::int64_t>(vertex)};
}

Edge plain_kronecker_edge(const LabelScramble& scramble, Recurrence& numbers) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  for (std::uint64_t half = std::uint64_t{1} << (scramble.scale - 1); half > 0; half /= 2) {
    std::uint32_t draw = numbers.next();
    while (draw < KroneckerRule::least_draw) draw = numbers.next();
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

}  // namespace breadth
