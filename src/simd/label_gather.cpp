// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/label_gather.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/kernels.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t bits_per_word = 64;

#if HWY_TARGET <= HWY_AVX3
/// Values that are spread together.
constexpr std::size_t group = 16;

/// Writes the next values where bits of the group are set, and `none` elsewhere. With `past_cache`, whole lines are
/// stored past the caches.
template <bool past_cache>
HWY_INLINE void spread_group(std::uint64_t bits, const std::uint32_t* from, std::uint32_t none, std::uint32_t* to) {
  const auto values = _mm512_mask_expand_epi32(_mm512_set1_epi32(static_cast<int>(none)), static_cast<__mmask16>(bits),
                                               _mm512_loadu_si512(from));
  if constexpr (past_cache) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), values);
  } else {
    _mm512_storeu_si512(to, values);
  }
}
#elif HWY_TARGET == HWY_SCALAR
constexpr std::size_t group = 1;

/// One value, or `none`.
template <bool past_cache>
HWY_INLINE void spread_group(std::uint64_t bits, const std::uint32_t* from, std::uint32_t none, std::uint32_t* to) {
  *to = bits != 0 ? *from : none;
}
#else
/// For each pattern of bits, the index of the next value for each place; negative where there is none.
template <std::size_t places>
constexpr auto make_spread_table() {
  std::array<std::array<std::int8_t, places>, std::size_t{1} << places> table{};
  for (std::size_t pattern = 0; pattern < table.size(); ++pattern) {
    std::int8_t taken = 0;
    for (std::size_t i = 0; i < places; ++i) table[pattern][i] = (pattern >> i & 1U) != 0 ? taken++ : std::int8_t{-128};
  }
  return table;
}

#if HWY_TARGET == HWY_AVX2
/// Values that are spread together.
constexpr std::size_t group = 8;
constexpr auto spread_table = make_spread_table<group>();

/// Writes the next values where bits of the group are set, and `none` elsewhere. With `past_cache`, stores bypass the
/// caches.
template <bool past_cache>
HWY_INLINE void spread_group(std::uint64_t bits, const std::uint32_t* from, std::uint32_t none, std::uint32_t* to) {
  const auto* lanes = reinterpret_cast<const __m128i*>(spread_table[bits].data());
  const __m256i places = _mm256_cvtepi8_epi32(_mm_loadl_epi64(lanes));
  const __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  const __m256 placed = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(values, places));
  const __m256 nones = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(none)));
  const __m256i spread = _mm256_castps_si256(_mm256_blendv_ps(placed, nones, _mm256_castsi256_ps(places)));
  if constexpr (past_cache) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), spread);
  } else {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), spread);
  }
}
#else
/// The number of values that are spread together: 16 bytes, which every processor can shuffle.
constexpr std::size_t group = 4;

/// For each pattern of bits, the source byte of each byte of a group, or an index that gives zero.
struct SpreadBytes {
  alignas(16) std::uint8_t bytes[1U << group][sizeof(std::uint32_t) * group];
};
constexpr SpreadBytes make_spread_bytes() {
  constexpr auto lanes = make_spread_table<group>();
  constexpr std::uint8_t zero = 0x80;
  SpreadBytes table{};
  for (std::size_t pattern = 0; pattern < lanes.size(); ++pattern) {
    for (std::size_t byte = 0; byte < sizeof(table.bytes[pattern]); ++byte) {
      const std::size_t lane = static_cast<std::uint8_t>(lanes[pattern][byte / 4]);
      table.bytes[pattern][byte] = lane < group ? static_cast<std::uint8_t>(4 * lane + byte % 4) : zero;
    }
  }
  return table;
}
constexpr SpreadBytes spread_bytes = make_spread_bytes();

/// Writes the next values where bits of the group are set, and `none` elsewhere. Ignores `past_cache`, because stores
/// of less than a line past the caches are slower than others.
template <bool past_cache>
HWY_INLINE void spread_group(std::uint64_t bits, const std::uint32_t* from, std::uint32_t none, std::uint32_t* to) {
  const hn::FixedTag<std::uint8_t, sizeof(std::uint32_t) * group> bytes;
  const hn::FixedTag<std::uint32_t, group> d;
  const auto nones = hn::Set(d, none);
  const auto masked = hn::BitCast(bytes, hn::Xor(hn::LoadU(d, from), nones));  // so that a shuffle's zeros become none
  const auto placed = hn::TableLookupBytesOr0(masked, hn::Load(bytes, spread_bytes.bytes[bits]));
  hn::StoreU(hn::Xor(hn::BitCast(d, placed), nones), d, to);
}
#endif
#endif

/// Spreads values to the set bits of words.
template <bool past_cache>
void spread(std::span<const std::uint64_t> words, const std::uint32_t* from, std::uint32_t none, std::uint32_t* to) {
  for (std::uint64_t word : words) {
    for (std::size_t i = 0; i < bits_per_word; i += group, word >>= group) {
      const std::uint64_t bits = word & ((std::uint64_t{1} << group) - 1);
      spread_group<past_cache>(bits, from, none, to + i);
      from += std::popcount(bits);
    }
    to += bits_per_word;
  }
}

/// Gathers table entries. The indices form a few dozen ascending streams (graph/partition.hpp) that hardware cannot
/// predict. Prefetching every second of the coming indices fetches nearly every line.
void gather(std::span<const std::uint32_t> indices, std::size_t count, const std::uint32_t* table,
            std::uint32_t* values) {
  constexpr std::size_t ahead = 768;
  constexpr std::size_t every = 2;
  const hn::CappedTag<std::uint32_t, bits_per_word> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t k = i + ahead; k < std::min(i + ahead + lanes, indices.size()); k += every) {
      __builtin_prefetch(table + indices[k]);
    }
    const auto index = hn::BitCast(signed_d, hn::LoadU(d, indices.data() + i));
    hn::StoreU(hn::GatherIndex(d, table, index), d, values + i);
  }
  for (; i < count; ++i) values[i] = table[indices[i]];
}

template <bool past_cache>
void gather_words(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices,
                  const std::uint32_t* table, std::uint32_t none, std::span<std::uint32_t> values) {
  constexpr std::size_t words_at_a_time = 16;
  std::array<std::uint32_t, words_at_a_time * bits_per_word + group> gathered{};
  for (std::size_t first = 0; first < words.size(); first += words_at_a_time) {
    const auto some = words.subspan(first, std::min(words_at_a_time, words.size() - first));
    std::size_t count = 0;
    for (const std::uint64_t word : some) count += static_cast<std::size_t>(std::popcount(word));
    gather(indices, count, table, gathered.data());
    indices = indices.subspan(count);
    const std::span<std::uint32_t> to = values.subspan(first * bits_per_word);
    if (to.size() >= some.size() * bits_per_word) {
      spread<past_cache>(some, gathered.data(), none, to.data());
    } else {
      std::array<std::uint32_t, words_at_a_time * bits_per_word> whole_words;
      spread<false>(some, gathered.data(), none, whole_words.data());
      std::copy_n(whole_words.data(), to.size(), to.data());
    }
  }
  hwy::FlushStream();
}

constexpr auto& gather_near = gather_words<false>;
constexpr auto& gather_far = gather_words<true>;

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(gather_near);
HWY_EXPORT(gather_far);

void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices,
                      const std::uint32_t* table, std::uint32_t none, std::span<std::uint32_t> values, Store store) {
  if (store == Store::past_cache) {
    HWY_DYNAMIC_DISPATCH(gather_far)(words, indices, table, none, values);
  } else {
    HWY_DYNAMIC_DISPATCH(gather_near)(words, indices, table, none, values);
  }
}

void gather_where_set(std::span<const std::uint64_t> words, std::span<const std::uint32_t> indices, const float* table,
                      float none, std::span<float> values, Store store) {
  // The bits of the numbers are moved unchanged.
  gather_where_set(words, indices, reinterpret_cast<const std::uint32_t*>(table), std::bit_cast<std::uint32_t>(none),
                   {reinterpret_cast<std::uint32_t*>(values.data()), values.size()}, store);
}

}  // namespace breadth
#endif
