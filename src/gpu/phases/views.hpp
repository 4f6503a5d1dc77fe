// The data of phases on a device: the lanes of a warp, arrays in the memory of the device, a graph and the state of a
// search. Also the loops of a warp over elements and words.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace breadth::gpu {

inline constexpr std::uint32_t warp_lanes = 32;

/// One value per lane. Operators work on all lanes at once. On a GPU each lane has its own thread, and a plain value
/// takes the place of Lanes, so phases use only operations that both have.
template <class T>
struct Lanes {
  std::array<T, warp_lanes> values{};

  constexpr Lanes() = default;
  /// The same value in all lanes.
  constexpr Lanes(T value) { values.fill(value); }  // NOLINT(google-explicit-constructor): as numbers do
  /// Converts from a narrower type, as numbers are promoted.
  template <std::unsigned_integral Narrow>
  requires(sizeof(Narrow) <
           sizeof(T)) constexpr Lanes(const Lanes<Narrow>& other) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < warp_lanes; ++i) values[i] = other.values[i];
  }

  friend constexpr Lanes operator+(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::plus<>()); }
  friend constexpr Lanes operator-(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::minus<>()); }
  friend constexpr Lanes operator*(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::multiplies<>()); }
  friend constexpr Lanes operator/(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::divides<>()); }
  friend constexpr Lanes operator%(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::modulus<>()); }
  friend constexpr Lanes operator&(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::bit_and<>()); }
  friend constexpr Lanes operator|(const Lanes& a, const Lanes& b) { return map<T>(a, b, std::bit_or<>()); }
  friend constexpr Lanes operator<<(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x << y; });
  }
  friend constexpr Lanes operator>>(const Lanes& a, const Lanes& b) {
    return map<T>(a, b, [](T x, T y) { return x >> y; });
  }
  friend constexpr Lanes<bool> operator==(const Lanes& a, const Lanes& b) { return map<bool>(a, b, std::equal_to<>()); }
  friend constexpr Lanes<bool> operator<(const Lanes& a, const Lanes& b) { return map<bool>(a, b, std::less<>()); }
  friend constexpr Lanes<bool> operator!=(const Lanes& a, const Lanes& b) { return !(a == b); }
  friend constexpr Lanes<bool> operator>=(const Lanes& a, const Lanes& b) { return !(a < b); }
  friend constexpr Lanes operator!(const Lanes& a) requires std::same_as<T, bool> { return a == Lanes(false); }

 private:
  template <class Result, class Operation>
  static constexpr Lanes<Result> map(const Lanes& a, const Lanes& b, Operation operation) {
    Lanes<Result> result;
    for (std::size_t i = 0; i < warp_lanes; ++i)
      result.values[i] = static_cast<Result>(operation(a.values[i], b.values[i]));
    return result;
  }
};

/// Values of a warp's lanes: numbers of 32 and of 64 bits, distances, and masks of active lanes.
template <class Warp>
using WordsOf = typename Warp::template Lanes<std::uint32_t>;
template <class Warp>
using NumbersOf = typename Warp::template Lanes<std::uint64_t>;
template <class Warp>
using FloatsOf = typename Warp::template Lanes<float>;
template <class Warp>
using MaskOf = typename Warp::Mask;

/// An array that a phase borrows. Only a warp (LockStepWarp, CudaWarp) reads or writes it, and checks the size.
template <class T>
struct ArrayView {
  T* data = nullptr;
  std::uint64_t size = 0;

  /// `count` elements from `first` on.
  [[nodiscard]] constexpr ArrayView part(std::uint64_t first, std::uint64_t count) const {
    return {data + first, count};
  }
};

// Graphs and searches.

inline constexpr std::uint32_t bits_per_word = 32;
/// The number of words for this many bits.
constexpr std::uint64_t words_for(std::uint64_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }

/// Lanes of a warp that share a row of medium length.
inline constexpr std::uint32_t group_lanes = 8;

/// Edges of a piece: a longer row is cut into pieces, each for a warp or more.
inline constexpr std::uint32_t piece_edges = 256;

/// The classes of rows, by the lanes that work on a row. Vertices are ordered by falling degree, so that each class is
/// a range of ids.
enum RowClass : std::uint32_t { by_pieces, by_warps, by_groups, by_lanes, row_classes };

/// Ranges of vertices by the lengths of their rows. Each bound ends one range and starts the next.
struct RowBounds {
  std::uint32_t long_rows = 0;    ///< rows before it are longer than a piece
  std::uint32_t push_warps = 0;   ///< in a push, rows before it take at least a warp
  std::uint32_t push_groups = 0;  ///< in a push, rows before it take at least a group of 8 lanes, later rows one lane
  std::uint32_t pull_warps = 0;   ///< in a pull, rows before it take a warp, later rows a group
  std::uint32_t first_leaf = 0;   ///< rows before it have more than one neighbour
  std::uint32_t searched = 0;     ///< levels find the vertices before it; later ones are leaves, for the last pass
  std::uint32_t vertices = 0;

  /// The first vertex of a class.
  [[nodiscard]] constexpr std::uint32_t begin(std::uint32_t row_class) const {
    return row_class == by_pieces   ? 0
           : row_class == by_warps  ? long_rows
           : row_class == by_groups ? push_warps
                                    : push_groups;
  }
};

/// A graph in the memory of a device, with vertices by falling degree.
struct GraphView {
  ArrayView<const std::uint64_t> offsets;           ///< where each row starts, and the end of the last
  ArrayView<const std::uint64_t> ends;              ///< where the examined part of each row ends
  ArrayView<const std::uint32_t> neighbours;        ///< all rows
  ArrayView<const std::uint32_t> first_neighbours;  ///< a copy of each row's first neighbour
  ArrayView<const std::uint32_t> word_degrees;      ///< the mean degree of each 32 vertices, rounded down
  ArrayView<const std::uint32_t> first_pieces;      ///< of each vertex before bounds.long_rows, and the end
  ArrayView<const std::uint32_t> piece_rows;        ///< the row of each piece
  RowBounds bounds;
};

/// The frontier of a push. `vertices` has the vertices of each class of rows from the class's first id on, except that
/// `pieces` has all pieces of the longest rows.
struct QueueView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> pieces;
  ArrayView<std::uint32_t> sizes;  ///< one per class of rows
};

/// Vertices whose first neighbour is not in the frontier. Those whose rows take a warp stand from the front of
/// `vertices` on, those whose rows take a group from bounds.pull_warps on.
struct MissView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> sizes;  ///< for warps, for groups
};
enum MissClass : std::uint32_t { missed_by_warps, missed_by_groups, miss_classes };

/// The state of a search. Only the visited bits are cleared, because a parent counts only if its vertex is visited.
struct SearchView {
  ArrayView<std::uint32_t> visited;  ///< one bit per vertex
  ArrayView<std::uint32_t> found;    ///< bits found by a level without queue; during a push, those visited before it
  ArrayView<std::uint32_t> parents;  ///< by id
  ArrayView<std::uint64_t> tallies;  ///< sums of a level
};

/// The sums of a level.
enum TallyKind : std::uint32_t { edges_examined, vertices_claimed, edges_claimed, tally_kinds };

/// The counts of a warp's lanes.
template <class Warp>
struct Tally {
  NumbersOf<Warp> examined{};
  NumbersOf<Warp> claimed{};
  NumbersOf<Warp> edges{};  ///< of the claimed vertices, by the mean degree of their words

  constexpr void add_to(const Warp& warp, const ArrayView<std::uint64_t>& tallies) const {
    warp.add(tallies, edges_examined, examined);
    warp.add(tallies, vertices_claimed, claimed);
    warp.add(tallies, edges_claimed, edges);
  }
};

// Loops over elements.

/// Calls the step's `at(warp, places, there)` for places 0 .. count - 1, 32 per warp at a time. `there` says which
/// lanes have a place below `count`. If the step has a `counter` of one element, `at` returns which lanes count. Each
/// warp adds its sum to the counter once, because atomic operations on one address run one after the other, 0.7 ns each
/// on an H200.
template <class Step>
struct Each : Step {
  std::uint64_t count = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr bool counts = requires(const Step& step) { step.counter; };
    const std::uint64_t stride = std::uint64_t{warp.count()} * warp_lanes;
    [[maybe_unused]] NumbersOf<Warp> counted{};
    for (std::uint64_t first = std::uint64_t{warp.index()} * warp_lanes; first < count; first += stride) {
      const auto place = warp.wide_lane() + first;
      if constexpr (counts) {
        counted = counted + this->at(warp, place, place < count);
      } else {
        this->at(warp, place, place < count);
      }
    }
    if constexpr (counts) warp.add(this->counter, 0, counted);
  }
};

/// Calls `visit(lane, word)` for each lane whose word has any bits, one after the other.
template <class Warp, class Visit>
constexpr void each_lane_word(const Warp& warp, const WordsOf<Warp>& words, Visit&& visit) {
  for (std::uint32_t some = warp.ballot(words != 0U); some != 0; some &= some - 1) {
    const std::uint32_t lane = warp.lowest(some);
    visit(lane, warp.broadcast(words, lane));
  }
}

/// Visits the words 0 .. words - 1 of a bitmap, 32 per warp at a time. `load(places, there)` returns a word for each
/// lane. `visit(word, bits)` is called for each word that has any bits, one after the other.
template <class Warp, class Load, class Visit>
constexpr void each_word(const Warp& warp, std::uint32_t words, Load&& load, Visit&& visit) {
  for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
    const auto word = warp.lane() + first;
    each_lane_word(warp, load(word, word < words),
                   [&](std::uint32_t lane, std::uint32_t bits) { visit(first + lane, bits); });
  }
}

/// The lanes of the mask whose number has its bit set in the bitmap.
template <class Warp, class T>
[[nodiscard]] constexpr MaskOf<Warp> has_bit(const Warp& warp, const ArrayView<T>& bitmap, const WordsOf<Warp>& number,
                                             const MaskOf<Warp>& mask) {
  return (warp.load(bitmap, number / bits_per_word, mask) & warp.bit(number % bits_per_word)) != 0U;
}

/// The number of warps for 32 elements each.
constexpr std::uint64_t warps_for(std::uint64_t elements) { return (elements + warp_lanes - 1) / warp_lanes; }

/// The lesser of two numbers, for Warp::map.
struct Lesser {
  constexpr std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a < b ? a : b; }
};

// Two values in a number of 64 bits.

/// The lower 32 bits of a number.
struct LowHalf {
  constexpr std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value); }
};
/// The upper 32 bits of a number.
struct HighHalf {
  constexpr std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value >> 32U); }
};
/// The number with these halves.
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
