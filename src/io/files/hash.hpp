// XXH3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace breadth {

/// The 64-bit XXH3 of some bytes with seed 0, the same on every machine.
std::uint64_t hash_of(std::span<const std::byte> bytes);

}  // namespace breadth
