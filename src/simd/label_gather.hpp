// Results in the order of labels.
#pragma once

#include <cstdint>
#include <span>

namespace breadth {

/// values[i] becomes table[min(indices[i], last)]: an entry of a table for each label, those without a vertex get the
/// table's last, which is below 2^31. O(indices).
void gather_capped(std::span<const std::uint32_t> indices, const std::uint32_t* table, std::uint32_t last,
                   std::uint32_t* values);

}  // namespace breadth
