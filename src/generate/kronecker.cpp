#include "generate/kronecker.hpp"

#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "generate/kronecker_lanes.hpp"

namespace breadth {

namespace {

constexpr int most_scale = 42;
constexpr int steps_per_word = 64;

/// The jump of (high 2^128 + middle 2^64 + low) steps, applied.
Recurrence::State skip(const Recurrence::State& state, std::uint64_t high, std::uint64_t middle, std::uint64_t low) {
  const Recurrence::Jump by_1 = Recurrence::step();
  const Recurrence::Jump by_2_64 = Recurrence::repeat_doubling(by_1, steps_per_word);
  const Recurrence::Jump by_2_128 = Recurrence::repeat_doubling(by_2_64, steps_per_word);
  const Recurrence::State after_high = Recurrence::apply(by_2_128, high, state);
  return Recurrence::apply(by_1, low, Recurrence::apply(by_2_64, middle, after_high));
}

Kronecker::Scramble scramble_for(const Recurrence::State& seed) {
  Recurrence numbers(skip(seed, 50, 7, 0));
  constexpr std::uint64_t two_32_minus_1 = 0xFFFFFFFF;
  const auto value = [&] {
    const std::uint64_t high = numbers.next() * two_32_minus_1;
    return high + numbers.next();
  };
  const std::uint64_t value_0 = value();
  const std::uint64_t value_1 = value();
  return {value_0 + value_1, value_0 | 0x4519840211493211U, value_1 | 0x3050852102C843A5U};
}

std::uint64_t reverse_bits(std::uint64_t value) {
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < steps_per_word; ++bit) reversed |= ((value >> bit) & 1) << (steps_per_word - 1 - bit);
  return reversed;
}

Label scrambled(std::uint64_t vertex, const Kronecker::Scramble& scramble, int scale) {
  const int unused_bits = steps_per_word - scale;
  vertex = reverse_bits((vertex + scramble.sum) * scramble.factor_1) >> unused_bits;
  vertex = reverse_bits(vertex * scramble.factor_2) >> unused_bits;
  return Label{static_cast<std::int64_t>(vertex)};
}

}  // namespace

Kronecker::Kronecker(const KroneckerParameters& parameters) : parameters_(parameters) {
  if (parameters.scale < 1 || parameters.scale > most_scale) {
    fail("scale is {}; it must be from 1 to {}", parameters.scale, most_scale);
  }
  if (parameters.edgefactor < 1 || parameters.edgefactor > (std::int64_t{1} << (62 - parameters.scale))) {
    fail("edgefactor is {}; at scale {} it must be from 1 to 2^{}", parameters.edgefactor, parameters.scale,
         62 - parameters.scale);
  }
  seed_ = Recurrence::seeded(parameters.seed1, parameters.seed2);
  next_edge_ = Recurrence::repeat_doubling(Recurrence::step(), steps_per_word);
  scramble_ = scramble_for(seed_);
}

void Kronecker::generate(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const {
  generate_kronecker_lanes({.scale = parameters_.scale,
                            .start = Recurrence::apply(next_edge_, first, seed_),
                            .next_edge = next_edge_,
                            .scramble_sum = scramble_.sum,
                            .scramble_factor_1 = scramble_.factor_1,
                            .scramble_factor_2 = scramble_.factor_2},
                           edges, weights);
}

Edge Kronecker::plain_edge(std::uint64_t index, float& weight) const {
  Recurrence numbers(Recurrence::apply(next_edge_, index, seed_));
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  for (std::uint64_t half = vertex_count() / 2; half > 0; half /= 2) {
    std::uint32_t draw = numbers.next();
    while (draw < KroneckerLanes::least_draw) draw = numbers.next();
    draw %= KroneckerLanes::draw_values;
    const int square = draw < 1900 ? 1 : draw < 3800 ? 2 : draw < 9500 ? 0 : 3;
    std::uint64_t source_half = square == 2 || square == 3 ? 1 : 0;
    std::uint64_t target_half = square == 1 || square == 3 ? 1 : 0;
    if (source == target && source_half > target_half) std::swap(source_half, target_half);
    source += half * source_half;
    target += half * target_half;
  }
  weight = static_cast<float>(static_cast<double>(static_cast<float>(numbers.next())) * KroneckerLanes::weight_unit);
  return {scrambled(source, scramble_, parameters_.scale), scrambled(target, scramble_, parameters_.scale)};
}

MemoryEdgeList generate_in_memory(const Kronecker& kronecker, std::uint64_t first, std::uint64_t last, bool weighted,
                                  ThreadTeam& threads) {
  const KroneckerEdgeList list(kronecker, first, last, weighted);
  Buffer<PackedEdge> edges(list.size());
  Buffer<float> weights(weighted ? list.size() : 0);
  parallel_blocks(threads, list.size(), edge_block_size, [&](IndexRange range, int) {
    std::array<Edge, edge_block_size> block;
    const std::span part = std::span(block).first(range.size());
    list.read(range.begin, part, weighted ? weights.span().subspan(range.begin, range.size()) : std::span<float>());
    for (std::size_t i = 0; i < part.size(); ++i) edges[range.begin + i] = PackedEdge::pack(part[i]);
  });
  return MemoryEdgeList(std::move(edges), std::move(weights));
}

SearchKeyStream::SearchKeyStream(std::uint64_t vertex_count, std::uint64_t seed1, std::uint64_t seed2)
    : vertex_count_(vertex_count), numbers_(skip(Recurrence::seeded(seed1, seed2), 2, 0, 0)) {
  if (vertex_count == 0) fail("there are no vertices to draw search keys from");
}

Label SearchKeyStream::next() {
  const double first = uniform();
  const double draw = first + uniform();
  const auto label = static_cast<std::uint64_t>(draw * static_cast<double>(vertex_count_)) % vertex_count_;
  return Label{static_cast<std::int64_t>(label)};
}

double SearchKeyStream::uniform() {
  constexpr double unit = 4.65661287524579692e-10;
  constexpr double fine_unit = 2.168404346990492787e-19;
  const double high = numbers_.next() * unit;
  return high + numbers_.next() * fine_unit;
}

}  // namespace breadth
