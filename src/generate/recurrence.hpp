// The random numbers of Graph500: a multiple recursive generator of order 5 whose stream can be entered anywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace breadth {

/// x[n] = (107374182 x[n-1] + 104480 x[n-5]) mod 2^31 - 1 (L'Ecuyer, Blouin & Couture 1993), as the Graph500 reference
/// has it.
class Recurrence {
 public:
  static constexpr std::uint64_t modulus = 0x7FFFFFFF;
  static constexpr std::uint64_t factor_1 = 107374182;
  static constexpr std::uint64_t factor_5 = 104480;
  static constexpr std::size_t order = 5;
  /// The last five outputs, the newest first.
  using State = std::array<std::uint32_t, order>;
  /// A linear map from states to states.
  using Jump = std::array<State, order>;

  /// Where the stream of two seeds starts (specification of the reference: 30 bits of each seed an element).
  static State seeded(std::uint64_t seed1, std::uint64_t seed2);
  /// The jump of one step.
  static Jump step();
  /// First `inner`, then `outer`.
  static Jump compose(const Jump& outer, const Jump& inner);
  /// `jump`, 2^doublings times.
  static Jump repeat_doubling(Jump jump, int doublings);
  static constexpr State apply(const Jump& jump, const State& state) {
    State result{};
    for (std::size_t row = 0; row < order; ++row) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < order; ++i) sum = remainder(sum + std::uint64_t{jump[row][i]} * state[i]);
      result[row] = static_cast<std::uint32_t>(sum);
    }
    return result;
  }
  /// `times` jumps at once, in O(log times).
  static State apply(const Jump& jump, std::uint64_t times, State state);

  constexpr explicit Recurrence(const State& state) : state_(state) {}
  /// The next output, from 0 to 2^31 - 2.
  constexpr std::uint32_t next() {
    const std::uint64_t output = remainder(factor_1 * state_[0] + factor_5 * state_[order - 1]);
    for (std::size_t i = order - 1; i > 0; --i) state_[i] = state_[i - 1];
    return state_[0] = static_cast<std::uint32_t>(output);
  }

 private:
  /// Of any number modulo 2^31 - 1: the lowest 31 bits and those above them, added twice, are below twice that.
  static constexpr std::uint64_t remainder(std::uint64_t value) {
    constexpr int bits = 31;
    value = (value & modulus) + (value >> bits);
    value = (value & modulus) + (value >> bits);
    return value >= modulus ? value - modulus : value;
  }

  State state_;
};

}  // namespace breadth
