// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/kronecker_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "generate/kronecker_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Numbers = hn::ScalableTag<std::uint64_t>;
using Lanes = hn::Vec<Numbers>;
constexpr std::size_t order = Recurrence::order;

HWY_INLINE Lanes constant(std::uint64_t value) { return hn::Set(Numbers(), value); }

/// a * b for numbers below 2^32.
HWY_INLINE Lanes multiply(Lanes a, Lanes b) {
  const hn::RepartitionToNarrow<Numbers> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
}

/// Brings any number below 2^62 + 2^33 or so to one below 2^32, equal modulo 2^31 - 1.
HWY_INLINE Lanes fold(Lanes value) {
  return hn::Add(hn::And(value, constant(Recurrence::modulus)), hn::ShiftRight<31>(value));
}

/// The remainder modulo 2^31 - 1 of a number below twice that.
HWY_INLINE Lanes reduce(Lanes value) { return hn::Min(value, hn::Sub(value, constant(Recurrence::modulus))); }

/// One recurrence in each lane.
struct LaneStates {
  Lanes last[order];

  /// The next output of each lane.
  HWY_INLINE Lanes next() const {
    return reduce(fold(hn::Add(multiply(last[0], constant(Recurrence::factor_1)),
                               multiply(last[order - 1], constant(Recurrence::factor_5)))));
  }
  HWY_INLINE void push(Lanes output) {
    for (std::size_t i = order - 1; i > 0; --i) last[i] = last[i - 1];
    last[0] = output;
  }
};

/// Draws from each lane until all are fair; the others keep theirs.
HWY_INLINE Lanes draw(LaneStates& states) {
  const Lanes least = constant(KroneckerLanes::least_draw);
  Lanes output = states.next();
  states.push(output);
  while (HWY_UNLIKELY(!hn::AllFalse(Numbers(), hn::Lt(output, least)))) {
    const auto again = hn::Lt(output, least);
    const Lanes redrawn = states.next();
    for (std::size_t i = order - 1; i > 0; --i) {
      states.last[i] = hn::IfThenElse(again, states.last[i - 1], states.last[i]);
    }
    states.last[0] = hn::IfThenElse(again, redrawn, states.last[0]);
    output = hn::IfThenElse(again, redrawn, output);
  }
  return output;
}

/// value mod 10000, for values below 2^31.
HWY_INLINE Lanes remainder_10000(Lanes value) {
  constexpr std::uint64_t reciprocal = 0xD1B71759;  // 2^45 / 10000, rounded up: exact for all 32-bit values
  const Lanes quotient = hn::ShiftRight<45>(multiply(value, constant(reciprocal)));
  return hn::Sub(value, multiply(quotient, constant(KroneckerLanes::draw_values)));
}

template <int kShift>
HWY_INLINE Lanes swap_bits(Lanes value, std::uint64_t low_mask) {
  const Lanes mask = constant(low_mask);
  return hn::Or(hn::And(hn::ShiftRight<kShift>(value), mask), hn::ShiftLeft<kShift>(hn::And(value, mask)));
}

HWY_INLINE Lanes reverse_bits(Lanes value) {
  value = swap_bits<1>(value, 0x5555555555555555U);
  value = swap_bits<2>(value, 0x3333333333333333U);
  value = swap_bits<4>(value, 0x0F0F0F0F0F0F0F0FU);
  value = swap_bits<8>(value, 0x00FF00FF00FF00FFU);
  value = swap_bits<16>(value, 0x0000FFFF0000FFFFU);
  return hn::Or(hn::ShiftRight<32>(value), hn::ShiftLeft<32>(value));
}

HWY_INLINE Lanes scramble(Lanes vertex, const KroneckerLanes& graph) {
  const int unused_bits = 64 - graph.scale;
  vertex = hn::Mul(hn::Add(vertex, constant(graph.scramble_sum)), constant(graph.scramble_factor_1));
  vertex = hn::ShiftRightSame(reverse_bits(vertex), unused_bits);
  vertex = hn::Mul(vertex, constant(graph.scramble_factor_2));
  return hn::ShiftRightSame(reverse_bits(vertex), unused_bits);
}

/// A tuple a lane, before scrambling.
struct LaneEdges {
  Lanes source;
  Lanes target;
};

/// Goes down the levels of the Kronecker product: at each, one quarter of the matrix, kept below the diagonal's mirror
/// as long as source and target are the same.
HWY_INLINE LaneEdges descend(LaneStates& states, int scale) {
  Lanes source = hn::Zero(Numbers());
  Lanes target = hn::Zero(Numbers());
  const Lanes one = constant(1);
  for (int level = 0; level < scale; ++level) {
    const Lanes value = remainder_10000(draw(states));
    const auto only_target = hn::Lt(value, constant(1900));
    const auto only_source = hn::AndNot(only_target, hn::Lt(value, constant(3800)));
    const auto both = hn::Not(hn::Lt(value, constant(9500)));
    const auto mirrored = hn::And(only_source, hn::Eq(source, target));
    const auto source_half = hn::Or(hn::AndNot(mirrored, only_source), both);
    const auto target_half = hn::Or(hn::Or(only_target, both), mirrored);
    source = hn::Add(hn::Add(source, source), hn::IfThenElseZero(source_half, one));
    target = hn::Add(hn::Add(target, target), hn::IfThenElseZero(target_half, one));
  }
  return {source, target};
}

/// Where each lane of the next vector of tuples starts.
HWY_INLINE void jump(LaneStates& states, const Recurrence::Jump& by) {
  Lanes jumped[order];
  for (std::size_t row = 0; row < order; ++row) {
    const auto term = [&](std::size_t i) HWY_ATTR { return multiply(constant(by[row][i]), states.last[i]); };
    const Lanes first = fold(hn::Add(hn::Add(term(0), term(1)), term(2)));
    const Lanes sum = hn::Add(hn::Add(term(3), term(4)), first);
    jumped[row] = reduce(fold(fold(sum)));
  }
  for (std::size_t row = 0; row < order; ++row) states.last[row] = jumped[row];
}

void Generate(const KroneckerLanes& graph, std::span<Edge> edges, std::span<float> weights) {
  const Numbers numbers;
  constexpr std::size_t most_lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);
  const std::size_t lanes = hn::Lanes(numbers);

  HWY_ALIGN std::uint64_t starts[order][most_lanes];
  Recurrence::State state = graph.start;
  Recurrence::Jump by = graph.next_edge;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < order; ++i) starts[i][lane] = state[i];
    state = Recurrence::apply(graph.next_edge, state);
    if (lane > 0) by = Recurrence::compose(graph.next_edge, by);
  }
  LaneStates at_edge;
  for (std::size_t i = 0; i < order; ++i) at_edge.last[i] = hn::Load(numbers, starts[i]);

  HWY_ALIGN std::uint64_t made[2 * most_lanes];
  HWY_ALIGN std::uint64_t draws[most_lanes];
  for (std::size_t first = 0; first < edges.size(); first += lanes) {
    LaneStates states = at_edge;
    const LaneEdges pair = descend(states, graph.scale);
    hn::StoreInterleaved2(scramble(pair.source, graph), scramble(pair.target, graph), numbers, made);
    const std::size_t count = std::min(lanes, edges.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      edges[first + i] = {Label{static_cast<std::int64_t>(made[2 * i])},
                          Label{static_cast<std::int64_t>(made[2 * i + 1])}};
    }
    if (!weights.empty()) {
      hn::Store(states.next(), numbers, draws);
      for (std::size_t i = 0; i < count; ++i) {
        const auto rounded = static_cast<double>(static_cast<float>(draws[i]));
        weights[first + i] = static_cast<float>(rounded * KroneckerLanes::weight_unit);
      }
    }
    jump(at_edge, by);
  }
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(Generate);

void generate_kronecker_lanes(const KroneckerLanes& lanes, std::span<Edge> edges, std::span<float> weights) {
  HWY_DYNAMIC_DISPATCH(Generate)(lanes, edges, weights);
}

}  // namespace breadth
#endif
