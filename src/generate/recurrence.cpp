#include "generate/recurrence.hpp"

namespace breadth {

namespace {
constexpr std::uint64_t mask_30 = 0x3FFFFFFF;

std::uint32_t element(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
}  // namespace

Recurrence::State Recurrence::seeded(std::uint64_t seed1, std::uint64_t seed2) {
  return {element((seed1 & mask_30) + 1), element(((seed1 >> 30) & mask_30) + 1), element((seed2 & mask_30) + 1),
          element(((seed2 >> 30) & mask_30) + 1), element(((seed2 >> 60) << 4) + (seed1 >> 60) + 1)};
}

Recurrence::Jump Recurrence::step() {
  Jump jump{};
  jump[0][0] = element(factor_1);
  jump[0][order - 1] = element(factor_5);
  for (std::size_t row = 1; row < order; ++row) jump[row][row - 1] = 1;
  return jump;
}

Recurrence::Jump Recurrence::compose(const Jump& outer, const Jump& inner) {
  Jump result{};
  for (std::size_t row = 0; row < order; ++row) {
    for (std::size_t column = 0; column < order; ++column) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < order; ++i) sum = (sum + std::uint64_t{outer[row][i]} * inner[i][column]) % modulus;
      result[row][column] = element(sum);
    }
  }
  return result;
}

Recurrence::Jump Recurrence::repeat_doubling(Jump jump, int doublings) {
  for (int i = 0; i < doublings; ++i) jump = compose(jump, jump);
  return jump;
}

Recurrence::State Recurrence::apply(const Jump& jump, std::uint64_t times, State state) {
  for (Jump power = jump; times != 0; times >>= 1) {
    if ((times & 1) != 0) state = apply(power, state);
    if (times > 1) power = compose(power, power);
  }
  return state;
}

}  // namespace breadth
