#include "generate/generators.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/errors.hpp"
#include "generate/kronecker_lanes.hpp"
#include "generate/recurrence.hpp"

namespace breadth {

namespace {

constexpr int steps_per_word = 64;

/// The state (high 2^128 + middle 2^64 + low) steps after `state`.
Recurrence::State skip(const Recurrence::State& state, std::uint64_t high, std::uint64_t middle, std::uint64_t low) {
  const Recurrence::Jump by_1 = Recurrence::step();
  const Recurrence::Jump by_2_64 = Recurrence::repeat_doubling(by_1, steps_per_word);
  const Recurrence::Jump by_2_128 = Recurrence::repeat_doubling(by_2_64, steps_per_word);
  const Recurrence::State after_high = Recurrence::apply(by_2_128, high, state);
  return Recurrence::apply(by_1, low, Recurrence::apply(by_2_64, middle, after_high));
}

LabelScramble scramble_for(int scale, const Recurrence::State& seed) {
  Recurrence numbers(skip(seed, 50, 7, 0));
  constexpr std::uint64_t two_32_minus_1 = 0xFFFFFFFF;
  const auto value = [&] {
    const std::uint64_t high = numbers.next() * two_32_minus_1;
    return high + numbers.next();
  };
  const std::uint64_t value_0 = value();
  const std::uint64_t value_1 = value();
  return {.scale = scale,
          .sum = value_0 + value_1,
          .factor_1 = value_0 | 0x4519840211493211U,
          .factor_2 = value_1 | 0x3050852102C843A5U};
}

}  // namespace

struct Kronecker::Tables {
  Recurrence::State seed = {};
  /// powers[k] is the jump from the start of one tuple to the start of the 2^k-th tuple after it: 2^(64 + k) steps.
  std::array<Recurrence::Jump, 63> powers = {};
  LabelScramble scramble = {};

  /// The state of the random stream where a tuple starts. O(log index).
  [[nodiscard]] Recurrence::State start_of(std::uint64_t index) const {
    Recurrence::State state = seed;
    for (std::size_t k = 0; index != 0; ++k, index >>= 1) {
      if ((index & 1) != 0) state = Recurrence::apply(powers[k], state);
    }
    return state;
  }
};

Kronecker::Kronecker(const KroneckerParameters& parameters) : parameters_(parameters) {
  if (parameters.scale < 1 || parameters.scale > max_scale) {
    fail("scale is {}; it must be from 1 to {}", parameters.scale, max_scale);
  }
  if (parameters.edgefactor < 1 || parameters.edgefactor > (std::uint64_t{1} << (62 - parameters.scale))) {
    fail("edgefactor is {}; at scale {} it must be from 1 to 2^{}", parameters.edgefactor, parameters.scale,
         62 - parameters.scale);
  }
  Tables tables;
  tables.seed = Recurrence::seeded(parameters.seed[0], parameters.seed[1]);
  tables.powers[0] = Recurrence::repeat_doubling(Recurrence::step(), steps_per_word);
  for (std::size_t k = 1; k < tables.powers.size(); ++k) {
    tables.powers[k] = Recurrence::compose(tables.powers[k - 1], tables.powers[k - 1]);
  }
  tables.scramble = scramble_for(parameters.scale, tables.seed);
  tables_ = std::make_shared<const Tables>(tables);
}

KroneckerLanes Kronecker::lanes_from(std::uint64_t first) const {
  return {.scramble = tables_->scramble, .start = tables_->start_of(first), .powers = tables_->powers};
}

void Kronecker::generate(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const {
  if (first > edge_count() || edges.size() > edge_count() - first) {
    fail("tuples {} to {} are not all among the {} of the Kronecker graph", first, first + edges.size(), edge_count());
  }
  generate_kronecker_lanes(lanes_from(first), edges, weights);
}

Edge Kronecker::plain_edge(std::uint64_t index, float& weight) const {
  Recurrence numbers(tables_->start_of(index));
  const Edge edge = plain_kronecker_edge(tables_->scramble, numbers);
  weight = kronecker_weight(numbers.next());
  return edge;
}

SearchKeyStream::SearchKeyStream(std::uint64_t vertex_count, const std::array<std::uint64_t, 2>& seed)
    : vertex_count_(vertex_count), numbers_(skip(Recurrence::seeded(seed[0], seed[1]), 2, 0, 0)) {
  if (vertex_count == 0) fail("there are no vertices to draw search keys from");
}

Label SearchKeyStream::next() {
  const double first = uniform();
  const double draw = first + uniform();
  const auto label = static_cast<std::uint64_t>(draw * static_cast<double>(vertex_count_)) % vertex_count_;
  return Label{static_cast<std::int64_t>(label)};
}

// Compiled without fused multiplication and addition (CMakeLists.txt): the reference rounds twice here.
double SearchKeyStream::uniform() {
  constexpr double unit = 4.65661287524579692e-10;
  constexpr double fine_unit = 2.168404346990492787e-19;
  const double high = numbers_.next() * unit;
  return high + numbers_.next() * fine_unit;
}

}  // namespace breadth
