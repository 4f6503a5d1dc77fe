// The Kronecker generator on a device.
#pragma once

#include <cstdint>

#include "generate/kronecker_tuple.hpp"
#include "generate/recurrence.hpp"
#include "gpu/phases/array_view.hpp"
#include "gpu/phases/lanes.hpp"
#include "gpu/tuples/tuples.hpp"

namespace breadth::gpu {

/// Tuples that a lane makes one after the other, a warp's width apart: finding where a stream starts costs about as
/// much as a few of them.
inline constexpr std::uint32_t tuples_of_lane = 64;

/// Tuples `first`, `first` + 1, … of a Kronecker graph, bit for bit those of the processors: what a lane does is the
/// source of theirs (generate/kronecker_tuple.hpp). O(scale) a tuple.
struct GenerateTuples {
  LabelScramble scramble;
  Recurrence::State seed;                    ///< in which tuple 0 starts
  Recurrence::Jump stride;                   ///< leads a warp's width of tuples on
  ArrayView<const Recurrence::Jump> powers;  ///< powers[k] leads 2^k tuples on
  std::uint64_t first = 0;
  TupleView tuples;  ///< as many as are wanted; with weights, or none

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint64_t of_warp = std::uint64_t{tuples_of_lane} * warp_lanes;
    const std::uint64_t count = tuples.sources.size;
    for (std::uint64_t begin = warp.index() * of_warp; begin < count; begin += warp.count() * of_warp) {
      auto state = start_of(warp, begin);
      for (std::uint64_t next = begin; next < count && next < begin + of_warp; next += warp_lanes) {
        const auto place = warp.wide_lane() + next;
        const typename Warp::Mask there = place < count;
        const auto made = warp.map(MakeTuple{scramble}, state);
        warp.store(tuples.sources, place, warp.map(SourceOf{}, made), there);
        warp.store(tuples.targets, place, warp.map(TargetOf{}, made), there);
        if (tuples.weights.size > 0) warp.store(tuples.weights, place, warp.map(WeightOf{}, made), there);
        state = warp.map(Leap{stride}, state);
      }
    }
  }

 private:
  struct Tuple {
    std::uint32_t source;
    std::uint32_t target;
    float weight;
  };
  struct MakeTuple {
    LabelScramble scramble;
    constexpr Tuple operator()(const Recurrence::State& state) const {
      Recurrence numbers(state);
      const Edge edge = plain_kronecker_edge(scramble, numbers);
      return {static_cast<std::uint32_t>(edge.source.value), static_cast<std::uint32_t>(edge.target.value),
              kronecker_weight(numbers.next())};
    }
  };
  struct SourceOf {
    constexpr std::uint32_t operator()(const Tuple& tuple) const { return tuple.source; }
  };
  struct TargetOf {
    constexpr std::uint32_t operator()(const Tuple& tuple) const { return tuple.target; }
  };
  struct WeightOf {
    constexpr float operator()(const Tuple& tuple) const { return tuple.weight; }
  };
  struct Leap {
    Recurrence::Jump jump;
    constexpr Recurrence::State operator()(const Recurrence::State& state) const {
      return Recurrence::apply(jump, state);
    }
  };
  /// A leap for those whose tuple's number has the bit.
  struct LeapWhere {
    Recurrence::Jump jump;
    int bit;
    constexpr Recurrence::State operator()(const Recurrence::State& state, std::uint64_t tuple) const {
      return (tuple >> bit & 1U) != 0 ? Recurrence::apply(jump, state) : state;
    }
  };

  /// Where the lanes' first tuples, `begin` + 0 .. 31, start. O(log of the greatest).
  template <class Warp>
  [[nodiscard]] constexpr auto start_of(const Warp& warp, std::uint64_t begin) const {
    const auto tuple = warp.wide_lane() + (first + begin);
    const std::uint64_t greatest = first + begin + warp_lanes - 1;
    typename Warp::template Lanes<Recurrence::State> state = seed;
    for (int bit = 0; bit < 64 && greatest >> bit != 0; ++bit) {
      state = warp.map(LeapWhere{warp.load_one(powers, static_cast<std::uint64_t>(bit)), bit}, state, tuple);
    }
    return state;
  }
};

}  // namespace breadth::gpu
