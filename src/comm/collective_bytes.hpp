// What collectives of the library send, where only they could count it.
#pragma once

#include <cstdint>

namespace breadth {

/// What each of several ranks sends in an all-reduce: all but a part of its own, twice, which no algorithm undercuts.
constexpr std::uint64_t all_reduce_bytes(std::uint64_t bytes, std::uint64_t ranks) {
  return 2 * bytes * (ranks - 1) / ranks;
}

}  // namespace breadth
