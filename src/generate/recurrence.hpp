// The random numbers of Graph500: a multiple recursive generator of order 5 that can jump to any place of its stream;
// and the search keys that are drawn from it (kronecker.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"

namespace breadth {

/// The recurrence x[n] = (107374182 x[n-1] + 104480 x[n-5]) mod 2^31 - 1 (L'Ecuyer, Blouin & Couture 1993), as in the
/// Graph500 reference.
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

  /// The first state for two seeds (specification of the reference: 30 bits of a seed per element).
  static constexpr State seeded(std::uint64_t seed1, std::uint64_t seed2) {
    constexpr std::uint64_t mask_30 = 0x3FFFFFFF;
    return {element((seed1 & mask_30) + 1), element(((seed1 >> 30) & mask_30) + 1), element((seed2 & mask_30) + 1),
            element(((seed2 >> 30) & mask_30) + 1), element(((seed2 >> 60) << 4) + (seed1 >> 60) + 1)};
  }
  /// The jump of one step.
  static constexpr Jump step() {
    Jump jump{};
    jump[0][0] = element(factor_1);
    jump[0][order - 1] = element(factor_5);
    for (std::size_t row = 1; row < order; ++row) jump[row][row - 1] = 1;
    return jump;
  }
  /// The jump that applies first `inner`, then `outer`.
  static constexpr Jump compose(const Jump& outer, const Jump& inner) {
    Jump result{};
    for (std::size_t row = 0; row < order; ++row) {
      for (std::size_t column = 0; column < order; ++column) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < order; ++i) sum = remainder(sum + std::uint64_t{outer[row][i]} * inner[i][column]);
        result[row][column] = element(sum);
      }
    }
    return result;
  }
  /// The jump that repeats `jump` 2^doublings times.
  static constexpr Jump repeat_doubling(Jump jump, int doublings) {
    for (int i = 0; i < doublings; ++i) jump = compose(jump, jump);
    return jump;
  }
  static constexpr State apply(const Jump& jump, const State& state) {
    State result{};
    for (std::size_t row = 0; row < order; ++row) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < order; ++i) sum = remainder(sum + std::uint64_t{jump[row][i]} * state[i]);
      result[row] = element(sum);
    }
    return result;
  }
  /// Applies `jump` `times` times, in O(log times).
  static constexpr State apply(const Jump& jump, std::uint64_t times, State state) {
    for (Jump power = jump; times != 0; times >>= 1) {
      if ((times & 1) != 0) state = apply(power, state);
      if (times > 1) power = compose(power, power);
    }
    return state;
  }

  constexpr explicit Recurrence(const State& state) : state_(state) {}
  /// The next output, from 0 to 2^31 - 2.
  constexpr std::uint32_t next() {
    const std::uint64_t output = remainder(factor_1 * state_[0] + factor_5 * state_[order - 1]);
    for (std::size_t i = order - 1; i > 0; --i) state_[i] = state_[i - 1];
    return state_[0] = element(output);
  }

 private:
  static constexpr std::uint32_t element(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  /// The remainder of any number modulo 2^31 - 1. Adding the lowest 31 bits and the bits above them, twice, gives a
  /// number below twice the modulus.
  static constexpr std::uint64_t remainder(std::uint64_t value) {
    constexpr int bits = 31;
    value = (value & modulus) + (value >> bits);
    value = (value & modulus) + (value >> bits);
    return value >= modulus ? value - modulus : value;
  }

  State state_;
};

// Search keys.

/// The candidates for search keys in the order of the reference: labels below `vertex_count`, including duplicates and
/// vertices without edges, which the caller must skip.
class SearchKeyStream {
 public:
  SearchKeyStream(std::uint64_t vertex_count, const std::array<std::uint64_t, 2>& seed);
  Label next();

 private:
  double uniform();

  std::uint64_t vertex_count_;
  Recurrence numbers_;
};

}  // namespace breadth
