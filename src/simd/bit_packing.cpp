// One source for all instruction sets: Highway compiles it for each and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/bit_packing.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <bit>

#include "simd/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_BMI2_FMA)
/// Moves the bits of a word at the places of a mask together.
HWY_INLINE std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) { return _pext_u64(word, mask); }
/// The inverse: moves the low bits of a word to the places of a mask.
HWY_INLINE std::uint64_t scatter_bits(std::uint64_t word, std::uint64_t mask) { return _pdep_u64(word, mask); }
#else
/// For each of six steps i, the bits of a word that move by 2^i to bring the bits of a mask together (Warren, Hacker's
/// Delight, section 7-4).
HWY_INLINE std::array<std::uint64_t, 6> moves(std::uint64_t mask) {
  std::array<std::uint64_t, 6> all;
  std::uint64_t gaps = ~mask << 1U;  // to the right of each bit
  for (unsigned i = 0; i < all.size(); ++i) {
    std::uint64_t odd = gaps;  // for each bit, whether its number of gaps is odd
    for (unsigned shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
    all[i] = odd & mask;
    mask = (mask ^ all[i]) | (all[i] >> (1U << i));
    gaps &= ~odd;
  }
  return all;
}
HWY_INLINE std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) {
  const std::array<std::uint64_t, 6> all = moves(mask);
  word &= mask;
  for (unsigned i = 0; i < all.size(); ++i) {
    const std::uint64_t moved = word & all[i];
    word = (word ^ moved) | (moved >> (1U << i));
  }
  return word;
}
HWY_INLINE std::uint64_t scatter_bits(std::uint64_t word, std::uint64_t mask) {
  const std::array<std::uint64_t, 6> all = moves(mask);
  for (unsigned i = all.size(); i-- > 0;) {
    const std::uint64_t moved = word << (1U << i);
    word = (word & ~all[i]) | (moved & all[i]);
  }
  return word & mask;
}
#endif

void pack(const std::uint64_t* bits, const std::uint64_t* known, std::size_t words, std::uint64_t* packed) {
  std::uint64_t held = 0;
  unsigned held_bits = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t unset = ~known[i];
    const std::uint64_t more = gather_bits(bits[i], unset);
    held |= more << held_bits;
    held_bits += static_cast<unsigned>(std::popcount(unset));
    if (held_bits < 64) continue;
    *packed++ = held;
    held_bits -= 64;
    const auto left = static_cast<unsigned>(std::popcount(unset)) - held_bits;  // the bits that still fitted into the
                                                                                // full word
    held = left == 64 ? 0 : more >> left;
  }
  if (held_bits > 0) *packed = held;
}

void unpack(const std::uint64_t* packed, std::uint64_t* known, std::size_t words) {
  unsigned used_bits = 0;  // of *packed
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t unset = ~known[i];
    if (unset == 0) continue;  // there may be nothing left to read
    const auto count = static_cast<unsigned>(std::popcount(unset));
    std::uint64_t more = *packed >> used_bits;
    if (used_bits + count > 64) more |= packed[1] << (64 - used_bits);
    known[i] |= scatter_bits(more, unset);
    used_bits += count;
    packed += used_bits / 64;
    used_bits %= 64;
  }
}

std::size_t unset(const std::uint64_t* bitmap, std::size_t words) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < words; ++i) count += static_cast<std::size_t>(std::popcount(~bitmap[i]));
  return count;
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(pack);
HWY_EXPORT(unpack);
HWY_EXPORT(unset);

std::size_t count_unset(std::span<const std::uint64_t> bitmap) {
  return HWY_DYNAMIC_DISPATCH(unset)(bitmap.data(), bitmap.size());
}

void pack_unset(std::span<const std::uint64_t> bits, std::span<const std::uint64_t> known, std::uint64_t* packed) {
  HWY_DYNAMIC_DISPATCH(pack)(bits.data(), known.data(), known.size(), packed);
}

void unpack_unset(const std::uint64_t* packed, std::span<std::uint64_t> known) {
  HWY_DYNAMIC_DISPATCH(unpack)(packed, known.data(), known.size());
}

}  // namespace breadth
#endif
