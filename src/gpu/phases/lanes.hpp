// What the 32 lanes of a warp hold, on the processor, and phases that do one thing for each element of a range.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace breadth::gpu {

// Lanes.

inline constexpr std::uint32_t warp_lanes = 32;

/// One value a lane. Operators work on all lanes at once; on a GPU, where each lane has its own thread, the plain value
/// stands in its place, so phases use only what both have.
template <class T>
struct Lanes {
  std::array<T, warp_lanes> values{};

  constexpr Lanes() = default;
  /// The same in all lanes.
  constexpr Lanes(T value) { values.fill(value); }  // NOLINT(google-explicit-constructor): as numbers do
  /// Of a narrower kind of number, as numbers are promoted.
  template <std::unsigned_integral Narrow>
  requires(sizeof(Narrow) <
           sizeof(T)) constexpr Lanes(const Lanes<Narrow>& other) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < warp_lanes; ++i) values[i] = other.values[i];
  }

  friend constexpr Lanes operator+(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x + y; });
  }
  friend constexpr Lanes operator-(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x - y; });
  }
  friend constexpr Lanes operator*(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x * y; });
  }
  friend constexpr Lanes operator/(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x / y; });
  }
  friend constexpr Lanes operator%(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x % y; });
  }
  friend constexpr Lanes operator&(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x & y; });
  }
  friend constexpr Lanes operator|(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x | y; });
  }
  friend constexpr Lanes operator<<(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x << y; });
  }
  friend constexpr Lanes operator>>(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x >> y; });
  }
  friend constexpr Lanes<bool> operator==(const Lanes& a, const Lanes& b) {
    return map<bool>(a, b, [](T x, T y) { return x == y; });
  }
  friend constexpr Lanes<bool> operator<(const Lanes& a, const Lanes& b) {
    return map<bool>(a, b, [](T x, T y) { return x < y; });
  }
  friend constexpr Lanes<bool> operator!=(const Lanes& a, const Lanes& b) { return !(a == b); }
  friend constexpr Lanes<bool> operator>=(const Lanes& a, const Lanes& b) { return !(a < b); }
  friend constexpr Lanes operator!(const Lanes& a) requires std::same_as<T, bool> {
    return map<bool>(a, a, [](bool x, bool) { return !x; });
  }

 private:
  template <class Result, class Operation>
  static constexpr Lanes<Result> map(const Lanes& a, const Lanes& b, Operation operation) {
    Lanes<Result> result;
    for (std::size_t i = 0; i < warp_lanes; ++i)
      result.values[i] = static_cast<Result>(operation(a.values[i], b.values[i]));
    return result;
  }
};

// One thing for each element.

/// Calls the step's `at(warp, places, there)` for places 0 .. count - 1, 32 a warp at a time; `there` says which lanes
/// have a place below `count`.
template <class Step>
struct Each : Step {
  std::uint64_t count = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint64_t stride = std::uint64_t{warp.count()} * warp_lanes;
    for (std::uint64_t first = std::uint64_t{warp.index()} * warp_lanes; first < count; first += stride) {
      const auto place = warp.wide_lane() + first;
      this->at(warp, place, place < count);
    }
  }
};

/// The words 0 .. words - 1 of a bitmap, 32 a warp at a time: `load(places, there)` gives a word a lane, and then
/// `visit(word, bits)` is called for each of these that has any bits, one after the other.
template <class Warp, class Load, class Visit>
constexpr void each_word(const Warp& warp, std::uint32_t words, Load&& load, Visit&& visit) {
  for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
    const auto word = warp.lane() + first;
    const auto bits = load(word, word < words);
    for (std::uint32_t some = warp.ballot(bits != 0U); some != 0; some &= some - 1) {
      const std::uint32_t lane = warp.lowest(some);
      visit(first + lane, warp.broadcast(bits, lane));
    }
  }
}

/// Warps that have 32 elements each.
constexpr std::uint64_t warps_for(std::uint64_t elements) { return (elements + warp_lanes - 1) / warp_lanes; }

// Two things in a number of 64 bits, for Warp::map.

/// The lower 32 bits of a number.
struct LowHalf {
  constexpr std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value); }
};
/// The upper ones.
struct HighHalf {
  constexpr std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value >> 32U); }
};
/// A number of both.
struct JoinHalves {
  constexpr std::uint64_t operator()(std::uint32_t high, std::uint32_t low) const {
    return std::uint64_t{high} << 32U | low;
  }
};
/// The distance whose bits are the upper half.
struct HighDistance {
  constexpr float operator()(std::uint64_t value) const { return std::bit_cast<float>(HighHalf()(value)); }
};

}  // namespace breadth::gpu
