// Packing those bits of a bitmap that another one lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace breadth {

/// Bits that a bitmap lacks.
std::size_t count_unset(std::span<const std::uint64_t> bitmap);

/// Writes the bits of `bits` at those places that `known` lacks, side by side, in their order; the last word is filled
/// up with zeros. There are as many words in both, and room for count_unset(known) bits in `packed`.
void pack_unset(std::span<const std::uint64_t> bits, std::span<const std::uint64_t> known, std::uint64_t* packed);

/// Adds what pack_unset() has packed to the same `known` elsewhere.
void unpack_unset(const std::uint64_t* packed, std::span<std::uint64_t> known);

}  // namespace breadth
