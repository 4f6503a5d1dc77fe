// The XXH3 hash function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace breadth {

/// The 64-bit XXH3 hash of some bytes with seed 0; equal on every machine.
std::uint64_t hash_of(std::span<const std::byte> bytes);

}  // namespace breadth
