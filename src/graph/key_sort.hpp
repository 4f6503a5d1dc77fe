// Sorting what kernel 1 sorts.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <cstdint>
#include <span>

namespace breadth {

/// Sorts keys upwards, on vectors unless these are switched off (simd/instruction_set.hpp).
void sort_keys(const hwy::Sorter& sorter, std::span<std::uint32_t> keys);
/// The same, but one by one also where vectors are longer than 512 bits: Highway's sort ends the program there.
void sort_keys(const hwy::Sorter& sorter, std::span<hwy::uint128_t> keys);

}  // namespace breadth
