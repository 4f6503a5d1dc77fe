// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
// Vectors are always plain variables, because a vector of unknown width cannot be a member of a struct or an array.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/kronecker_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "generate/kronecker_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Numbers = hn::ScalableTag<std::uint64_t>;
using Halves = hn::RepartitionToNarrow<Numbers>;
using Bytes = hn::Repartition<std::uint8_t, Numbers>;
using Lanes = hn::Vec<Numbers>;
constexpr std::size_t order = Recurrence::order;
constexpr std::size_t max_lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);

HWY_INLINE Lanes constant(std::uint64_t value) { return hn::Set(Numbers(), value); }

/// a * b for numbers below 2^32.
HWY_INLINE Lanes multiply(Lanes a, Lanes b) { return hn::MulEven(hn::BitCast(Halves(), a), hn::BitCast(Halves(), b)); }

/// The lesser of numbers below 2^32; the upper half of `b` may be anything.
HWY_INLINE Lanes lesser(Lanes a, Lanes b) {
  return hn::BitCast(Numbers(), hn::Min(hn::BitCast(Halves(), a), hn::BitCast(Halves(), b)));
}

/// A smaller number that is equal modulo 2^31 - 1: the sum of the lowest 31 bits and the bits above them.
HWY_INLINE Lanes fold(Lanes value) {
  return hn::Add(hn::And(value, constant(Recurrence::modulus)), hn::ShiftRight<31>(value));
}

/// The remainder modulo 2^31 - 1 of a number below twice that. The subtraction wraps round for a number that is too
/// small for it.
HWY_INLINE Lanes reduce(Lanes value) { return lesser(value, hn::Sub(value, constant(Recurrence::modulus))); }

/// The recurrence's next output. The sum is below 2^58, so that one fold is enough.
HWY_INLINE Lanes next_output(Lanes newest, Lanes oldest) {
  return reduce(fold(
      hn::Add(multiply(newest, constant(Recurrence::factor_1)), multiply(oldest, constant(Recurrence::factor_5)))));
}

/// One element of the state after a jump.
HWY_INLINE Lanes jumped(const Recurrence::State& row, Lanes z1, Lanes z2, Lanes z3, Lanes z4, Lanes z5) {
  const Lanes front = hn::Add(multiply(z1, constant(row[0])), multiply(z2, constant(row[1])));
  const Lanes back = hn::Add(multiply(z3, constant(row[2])), multiply(z4, constant(row[3])));
  const Lanes sum = hn::Add(fold(hn::Add(front, back)), multiply(z5, constant(row[4])));  // < 2^64, then < 2^63
  return reduce(fold(fold(sum)));
}

HWY_INLINE void leap(const Recurrence::Jump& jump, Lanes& z1, Lanes& z2, Lanes& z3, Lanes& z4, Lanes& z5) {
  const Lanes t1 = jumped(jump[0], z1, z2, z3, z4, z5);
  const Lanes t2 = jumped(jump[1], z1, z2, z3, z4, z5);
  const Lanes t3 = jumped(jump[2], z1, z2, z3, z4, z5);
  const Lanes t4 = jumped(jump[3], z1, z2, z3, z4, z5);
  z5 = jumped(jump[4], z1, z2, z3, z4, z5);
  z1 = t1;
  z2 = t2;
  z3 = t3;
  z4 = t4;
}

/// remainder / 10000 * 2^64, to 45 bits, rounded down.
constexpr std::uint64_t fraction(std::uint64_t remainder) {
  return (remainder << 45) / KroneckerRule::draw_values << 19;
}

/// (draw / 10000 mod 1) * 2^64, to 45 bits. The product of a draw and 2^45 / 10000, rounded up, is too large by less
/// than 2^28, and remainders are 2^31 apart. Therefore a comparison with fraction(r) tells whether the remainder is
/// below r.
HWY_INLINE Lanes fraction_of(Lanes draw) {
  constexpr std::uint64_t reciprocal = (std::uint64_t{1} << 45) / KroneckerRule::draw_values + 1;
  return hn::ShiftLeft<19>(multiply(draw, constant(reciprocal)));
}

/// Descends the levels of the Kronecker product from the states z1 (newest) to z5. A bit of `differ` is set where
/// source and target differ at that level, a bit of `target` where the target's bit is 1. Returns the least draw of
/// each lane.
///
/// The caller does the mirroring, which happens only at the highest level where source and target differ.
HWY_INLINE Lanes descend(int scale, Lanes& z1, Lanes& z2, Lanes& z3, Lanes& z4, Lanes& z5, Lanes& differ,
                         Lanes& target) {
  // Remainders from not_both on wrap round to 0, so that the remainders that set a bit in the target are the lowest.
  constexpr std::uint64_t turn = -fraction(KroneckerRule::not_both);
  const Lanes off_diagonal = constant(fraction(KroneckerRule::off_diagonal));
  const Lanes in_target = constant(fraction(KroneckerRule::above_diagonal) + turn);
  Lanes least = constant(Recurrence::modulus);
  for (std::uint64_t bit = std::uint64_t{1} << (scale - 1); bit != 0; bit /= 2) {
    const Lanes draw = next_output(z1, z5);
    z5 = z4;
    z4 = z3;
    z3 = z2;
    z2 = z1;
    z1 = draw;
    least = lesser(least, draw);
    const Lanes part = fraction_of(draw);
    differ = hn::IfThenElse(hn::Lt(part, off_diagonal), hn::Or(differ, constant(bit)), differ);
    target = hn::IfThenElse(hn::Lt(hn::Add(part, constant(turn)), in_target), hn::Or(target, constant(bit)), target);
  }
  return least;
}

HWY_INLINE Lanes highest_bit(Lanes value) {
  value = hn::Or(value, hn::ShiftRight<1>(value));
  value = hn::Or(value, hn::ShiftRight<2>(value));
  value = hn::Or(value, hn::ShiftRight<4>(value));
  value = hn::Or(value, hn::ShiftRight<8>(value));
  value = hn::Or(value, hn::ShiftRight<16>(value));
  value = hn::Or(value, hn::ShiftRight<32>(value));
  return hn::Xor(value, hn::ShiftRight<1>(value));
}

/// Reverses the order of 64 bits: of the bytes, then of the bits in each half byte, by tables.
HWY_INLINE Lanes reverse_bits(Lanes value) {
  HWY_ALIGN static constexpr std::uint8_t byte_order[16] = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
  HWY_ALIGN static constexpr std::uint8_t reversed[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
  const Bytes bytes;
  const auto table = hn::LoadDup128(bytes, reversed);
  const auto swapped =
      hn::BitCast(Numbers(), hn::TableLookupBytes(hn::BitCast(bytes, value), hn::LoadDup128(bytes, byte_order)));
  const Lanes half_bytes = constant(0x0F0F0F0F0F0F0F0FU);
  const auto low = hn::TableLookupBytes(table, hn::BitCast(bytes, hn::And(swapped, half_bytes)));
  const auto high = hn::TableLookupBytes(table, hn::BitCast(bytes, hn::And(hn::ShiftRight<4>(swapped), half_bytes)));
  return hn::Or(hn::ShiftLeft<4>(hn::BitCast(Numbers(), low)), hn::BitCast(Numbers(), high));
}

HWY_INLINE Lanes scrambled(Lanes vertex, const LabelScramble& scramble) {
  const int unused_bits = 64 - scramble.scale;
  vertex = hn::Mul(hn::Add(vertex, constant(scramble.sum)), constant(scramble.factor_1));
  vertex = hn::ShiftRightSame(reverse_bits(vertex), unused_bits);
  vertex = hn::Mul(vertex, constant(scramble.factor_2));
  return hn::ShiftRightSame(reverse_bits(vertex), unused_bits);
}

/// Rounds each draw to a float, multiplies it as a double, and rounds again, as the reference does.
HWY_INLINE void store_weights(Lanes draw, float* weights) {
  const hn::RebindToFloat<Numbers> doubles;
  const hn::Rebind<float, Numbers> floats;
  const std::uint64_t bits_of_2_52 = 0x4330000000000000U;  // the unit of their last bit is 1
  const auto exact = hn::Sub(hn::BitCast(doubles, hn::Or(draw, constant(bits_of_2_52))), hn::Set(doubles, 0x1.0p52));
  const auto rounded = hn::PromoteTo(doubles, hn::DemoteTo(floats, exact));
  hn::StoreU(hn::DemoteTo(floats, hn::Mul(rounded, hn::Set(doubles, KroneckerRule::weight_unit))), floats, weights);
}

/// The states at the starts of one vector's tuples.
struct Starts {
  HWY_ALIGN std::uint64_t element[order][max_lanes];

  void set(std::size_t lane, const Recurrence::State& state) {
    for (std::size_t i = 0; i < order; ++i) element[i][lane] = state[i];
  }
  [[nodiscard]] Recurrence numbers(std::size_t lane) const {
    Recurrence::State state;
    for (std::size_t i = 0; i < order; ++i) state[i] = static_cast<std::uint32_t>(element[i][lane]);
    return Recurrence(state);
  }
};

HWY_INLINE void store_starts(Lanes s1, Lanes s2, Lanes s3, Lanes s4, Lanes s5, Starts& starts) {
  const Numbers numbers;
  hn::Store(s1, numbers, starts.element[0]);
  hn::Store(s2, numbers, starts.element[1]);
  hn::Store(s3, numbers, starts.element[2]);
  hn::Store(s4, numbers, starts.element[3]);
  hn::Store(s5, numbers, starts.element[4]);
}

/// The states with which the lanes begin.
Starts starts_of(const KroneckerLanes& graph, std::size_t lanes) {
  Starts starts;
  Recurrence::State state = graph.start;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    starts.set(lane, state);
    state = Recurrence::apply(graph.powers[0], state);
  }
  return starts;
}

void generate(const KroneckerLanes& graph, std::span<Edge> edges, std::span<float> weights) {
  const Numbers numbers;
  const std::size_t lanes = hn::Lanes(numbers);  // a power of 2
  Starts starts = starts_of(graph, lanes);
  const auto plain_tuple = [&](std::size_t lane, std::size_t index) {
    Recurrence draws = starts.numbers(lane);
    edges[index] = plain_kronecker_edge(graph.scramble, draws);
    if (!weights.empty()) weights[index] = kronecker_weight(draws.next());
  };

  Lanes s1 = hn::Load(numbers, starts.element[0]);
  Lanes s2 = hn::Load(numbers, starts.element[1]);
  Lanes s3 = hn::Load(numbers, starts.element[2]);
  Lanes s4 = hn::Load(numbers, starts.element[3]);
  Lanes s5 = hn::Load(numbers, starts.element[4]);

  std::size_t first = 0;
  for (; first + lanes <= edges.size(); first += lanes) {
    Lanes z1 = s1;
    Lanes z2 = s2;
    Lanes z3 = s3;
    Lanes z4 = s4;
    Lanes z5 = s5;
    Lanes differ = hn::Zero(numbers);
    Lanes target = hn::Zero(numbers);
    const Lanes least = descend(graph.scramble.scale, z1, z2, z3, z4, z5, differ, target);
    // At the highest bit where source and target differ the target has a 1, by the draw or by mirroring.
    target = hn::Or(target, highest_bit(differ));
    hn::StoreInterleaved2(scrambled(hn::Xor(target, differ), graph.scramble), scrambled(target, graph.scramble),
                          numbers, reinterpret_cast<std::uint64_t*>(edges.data() + first));
    if (!weights.empty()) store_weights(next_output(z1, z5), weights.data() + first);

    const auto drawn_again = hn::Lt(least, constant(KroneckerRule::min_draw));
    if (HWY_UNLIKELY(!hn::AllFalse(numbers, drawn_again))) {  // in one vector of thousands
      HWY_ALIGN std::uint64_t min_draws[max_lanes];
      hn::Store(least, numbers, min_draws);
      store_starts(s1, s2, s3, s4, s5, starts);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (min_draws[lane] < KroneckerRule::min_draw) plain_tuple(lane, first + lane);
      }
    }
    leap(graph.powers[static_cast<std::size_t>(std::countr_zero(lanes))], s1, s2, s3, s4, s5);
  }
  store_starts(s1, s2, s3, s4, s5, starts);
  for (std::size_t lane = 0; first + lane < edges.size(); ++lane) plain_tuple(lane, first + lane);
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(generate);

void generate_kronecker_lanes(const KroneckerLanes& graph, std::span<Edge> edges, std::span<float> weights) {
  static_assert(sizeof(Edge) == 2 * sizeof(std::uint64_t), "tuples are stored as pairs of numbers");
  HWY_DYNAMIC_DISPATCH(generate)(graph, edges, weights);
}

}  // namespace breadth
#endif
