// Results in the order of labels.
#pragma once

#include <cstdint>
#include <span>

namespace breadth {

/// Where written values go: to the caches, or past them if nobody reads them soon.
enum class Store { cached, past_cache };

/// Writes an entry for each bit of `words`: for the k-th bit that is set table[indices[k]], for one that is not `none`;
/// the last word may have more bits than there are values. Indices are below 2^31; `values` begins at a
/// multiple of 64 bytes. O(values).
void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices,
                      const std::uint32_t* table, std::uint32_t none, std::span<std::uint32_t> values, Store store);
/// The same with floating-point numbers.
void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices, const float* table,
                      float none, std::span<float> values, Store store);

}  // namespace breadth
