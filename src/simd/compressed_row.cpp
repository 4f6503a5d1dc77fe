// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/compressed_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compressed_row.hpp"

#include <bit>
#include <limits>
#include <variant>

#include "simd/bit_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

/// Reads the next difference of a piece; its code determines its length.
template <class T>
HWY_INLINE T next_difference(unsigned code, const std::uint8_t*& data) {
  const std::size_t length = RowCode<T>::lengths[code];
  T bytes;
  std::memcpy(&bytes, data, sizeof bytes);
  data += length;
  return bytes & (~T{0} >> (8 * (sizeof(T) - length)));
}

template <class T>
const std::uint8_t* decompress(const std::uint8_t* piece, std::size_t count, RotatedBits code, T* global_ids) {
  const std::uint8_t* data = piece + RowCode<T>::code_bytes(count);
  T order = 0;
  for (std::size_t i = 0; i < count; ++i) {
    order += next_difference<T>((unsigned{piece[i / 4]} >> (2 * (i % 4))) & 3U, data);
    global_ids[i] = code.global_id(order);
  }
  return data;
}

/// The place of the first global id in the frontier, and the id itself; `count` if there is none.
template <class T>
std::size_t search(const std::uint8_t* piece, std::size_t count, RotatedBits code, const std::uint64_t* frontier,
                   T& global_id) {
  const std::uint8_t* data = piece + RowCode<T>::code_bytes(count);
  T order = 0;
  for (std::size_t i = 0; i < count; ++i) {
    order += next_difference<T>((unsigned{piece[i / 4]} >> (2 * (i % 4))) & 3U, data);
    global_id = code.global_id(order);
    if (has_bit(frontier, global_id)) return i;
  }
  return count;
}

#if HWY_TARGET != HWY_SCALAR
/// Tables to decode a group of four numbers of 32 bits: for the four codes, the place of each byte, and the number of
/// bytes.
struct GroupTable {
  alignas(16) std::uint8_t places[256][16];
  std::uint8_t lengths[256];
};
constexpr GroupTable make_group_table() {
  constexpr std::uint8_t zero = 0x80;
  GroupTable table{};
  for (unsigned codes = 0; codes < 256; ++codes) {
    unsigned taken = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned length = RowCode<std::uint32_t>::lengths[codes >> (2 * i) & 3U];
      for (unsigned byte = 0; byte < 4; ++byte) {
        table.places[codes][4 * i + byte] = byte < length ? static_cast<std::uint8_t>(taken + byte) : zero;
      }
      taken += length;
    }
    table.lengths[codes] = static_cast<std::uint8_t>(taken);
  }
  return table;
}
constexpr GroupTable group_table = make_group_table();

using NarrowLanes = hn::FixedTag<std::uint32_t, 4>;

/// The bytes that the tables count too many for a group that is not full: one for each missing number.
constexpr std::size_t absent_bytes(std::size_t count) { return (4 - count % 4) % 4; }

/// Decodes the next four numbers of a piece, which continue from the last of the previous four.
HWY_INLINE hn::Vec<NarrowLanes> next_numbers(NarrowLanes d, std::uint8_t codes, const std::uint8_t*& data,
                                             hn::Vec<NarrowLanes> previous) {
  const hn::FixedTag<std::uint8_t, 16> d_bytes;
  const auto bytes = hn::LoadU(d_bytes, data);
  data += group_table.lengths[codes];
  const auto differences = hn::BitCast(d, hn::TableLookupBytesOr0(bytes, hn::Load(d_bytes, group_table.places[codes])));
  const auto pairs = hn::Add(differences, hn::ShiftLeftLanes<1>(d, differences));
  const auto sums = hn::Add(pairs, hn::ShiftLeftLanes<2>(d, pairs));
  return hn::Add(sums, hn::Broadcast<3>(previous));
}

HWY_INLINE hn::Vec<NarrowLanes> global_ids_of(NarrowLanes d, hn::Vec<NarrowLanes> orders, RotatedBits code) {
  const auto ranks = hn::And(orders, hn::Set(d, (1U << code.rank_bits) - 1));
  return hn::Or(hn::ShiftLeftSame(ranks, code.local_bits), hn::ShiftRightSame(orders, code.rank_bits));
}

template <>
const std::uint8_t* decompress(const std::uint8_t* piece, std::size_t count, RotatedBits code,
                               std::uint32_t* global_ids) {
  const NarrowLanes d;
  const std::uint8_t* data = piece + RowCode<std::uint32_t>::code_bytes(count);
  auto orders = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += 4) {
    orders = next_numbers(d, *piece++, data, orders);
    hn::StoreU(global_ids_of(d, orders, code), d, global_ids + i);
  }
  return data - absent_bytes(count);
}

template <>
std::size_t search(const std::uint8_t* piece, std::size_t count, RotatedBits code, const std::uint64_t* frontier,
                   std::uint32_t& global_id) {
  const NarrowLanes d;
  const std::uint8_t* data = piece + RowCode<std::uint32_t>::code_bytes(count);
  auto orders = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += 4) {
    orders = next_numbers(d, *piece++, data, orders);
    const auto present = hn::FirstN(d, count - i);
    const auto global_ids = hn::IfThenElseZero(present, global_ids_of(d, orders, code));
    const auto hits = hn::And(present, test_bits(d, frontier, global_ids));
    const auto hit = hn::FindFirstTrue(d, hits);
    if (hit < 0) continue;
    alignas(16) std::uint32_t four[4];
    hn::Store(global_ids, d, four);
    global_id = four[hit];
    return i + static_cast<std::size_t>(hit);
  }
  return count;
}
#endif

template <class T>
std::uint64_t search_rows(std::span<const typename CompressedRowSearch<T>::Row> rows, RotatedBits code,
                          const std::uint64_t* frontier, std::uint32_t* found_vertices, T* found_neighbours,
                          std::size_t& found) {
  using Code = RowCode<T>;
  std::uint64_t looked_at = 0;
  found = 0;
  for (const auto& row : rows) {
    const std::size_t pieces = Code::pieces(row.count);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t count = Code::count_in_piece(row.count, piece);
      T global_id = 0;
      const std::size_t place = search(Code::piece_at(row.bytes, row.count, piece), count, code, frontier, global_id);
      looked_at += std::min(place + 1, count);
      if (place == count) continue;
      found_vertices[found] = row.vertex;
      found_neighbours[found++] = global_id;
      break;
    }
  }
  return looked_at;
}

constexpr auto& decompress_narrow = decompress<std::uint32_t>;
constexpr auto& decompress_wide = decompress<std::uint64_t>;
constexpr auto& search_narrow = search_rows<std::uint32_t>;
constexpr auto& search_wide = search_rows<std::uint64_t>;

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(decompress_narrow);
HWY_EXPORT(decompress_wide);
HWY_EXPORT(search_narrow);
HWY_EXPORT(search_wide);

namespace {

/// The least code whose length suffices for the difference.
template <class Number>
unsigned code_of(Number difference) {
  constexpr int last_bit = std::numeric_limits<Number>::digits - 1;
  const auto last_byte = static_cast<unsigned>(last_bit - std::countl_zero(static_cast<Number>(difference | 1))) / 8;
  if constexpr (sizeof(Number) == 4) return last_byte;
  return static_cast<unsigned>(std::bit_width(last_byte));
}

/// Writes one piece and returns where it ends. Each number is written whole; the next one overwrites the bytes beyond
/// its length.
template <class Number>
std::uint8_t* compress_piece(std::span<const Number> numbers, std::uint8_t* to) {
  constexpr std::size_t group = RowCode<Number>::group;
  std::uint8_t* data = to + RowCode<Number>::code_bytes(numbers.size());
  Number previous = 0;
  for (std::size_t first = 0; first < numbers.size(); first += group) {
    unsigned codes = 0;
    const std::size_t count = std::min(group, numbers.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      const Number difference = numbers[first + i] - previous;
      previous = numbers[first + i];
      const unsigned code = code_of(difference);
      codes |= code << (2 * i);
      std::memcpy(data, &difference, sizeof difference);
      data += RowCode<Number>::lengths[code];
    }
    *to++ = static_cast<std::uint8_t>(codes);
  }
  return data;
}

}  // namespace

template <class Number>
std::size_t RowCode<Number>::compress(std::span<const Number> row, std::uint8_t* to) {
  std::uint8_t* const first = to + table_bytes(row.size());
  std::uint8_t* next = first;
  for (std::size_t i = 0; i < pieces(row.size()); ++i) {
    if (i > 0) {
      const auto offset = static_cast<std::uint64_t>(next - first);
      std::memcpy(to + (i - 1) * table_entry, &offset, sizeof offset);
    }
    next = compress_piece(row.subspan(i * piece, count_in_piece(row.size(), i)), next);
  }
  return static_cast<std::size_t>(next - to);
}

template <class Number>
const std::uint8_t* decompress_piece(const std::uint8_t* row, std::size_t count, std::size_t piece, RotatedBits code,
                                     Number* global_ids) {
  const std::uint8_t* from = RowCode<Number>::piece_at(row, count, piece);
  const std::size_t numbers = RowCode<Number>::count_in_piece(count, piece);
  if constexpr (sizeof(Number) == 4) {
    return HWY_DYNAMIC_DISPATCH(decompress_narrow)(from, numbers, code, global_ids);
  } else {
    return HWY_DYNAMIC_DISPATCH(decompress_wide)(from, numbers, code, global_ids);
  }
}

template <class Number>
std::uint64_t CompressedRowSearch<Number>::run(const Frontier& frontier) {
  const std::uint64_t* bits = std::visit([](const auto& kind) { return kind.bits; }, frontier);
  if constexpr (sizeof(Number) == 4) {
    return HWY_DYNAMIC_DISPATCH(search_narrow)(rows_, code_, bits, found_vertices_.data(), found_neighbours_.data(),
                                               found_);
  } else {
    return HWY_DYNAMIC_DISPATCH(search_wide)(rows_, code_, bits, found_vertices_.data(), found_neighbours_.data(),
                                             found_);
  }
}

template struct RowCode<std::uint32_t>;
template struct RowCode<std::uint64_t>;
template class CompressedRowSearch<std::uint32_t>;
template class CompressedRowSearch<std::uint64_t>;
template const std::uint8_t* decompress_piece(const std::uint8_t*, std::size_t, std::size_t, RotatedBits,
                                              std::uint32_t*);
template const std::uint8_t* decompress_piece(const std::uint8_t*, std::size_t, std::size_t, RotatedBits,
                                              std::uint64_t*);

}  // namespace breadth
#endif
