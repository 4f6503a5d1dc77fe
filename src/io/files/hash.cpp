#include "io/files/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace breadth {

std::uint64_t hash_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace breadth
