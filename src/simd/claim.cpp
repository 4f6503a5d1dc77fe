// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/claim.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/bit_lanes-inl.h"
#include "simd/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

/// Copies the unvisited neighbours without a branch, and without vectors where they do not pay.
template <class T>
HWY_INLINE std::size_t copy(const T* neighbours, std::size_t count, const std::uint64_t* visited, T* unvisited) {
  const VertexLanes<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  std::size_t i = 0;
  for (; compresses_well && i + lanes <= count; i += lanes) {
    const auto vertices = hn::LoadU(d, neighbours + i);
    const auto wanted = hn::Not(test_bits(d, visited, vertices));
    hn::StoreU(hn::Compress(vertices, wanted), d, unvisited + found);
    found += hn::CountTrue(d, wanted);
  }
  for (; i < count; ++i) {
    unvisited[found] = neighbours[i];
    found += has_bit(visited, neighbours[i]) ? 0U : 1U;
  }
  return found;
}

/// First collects the unvisited neighbours, then sets their bits and parents one by one, because two of a vector may
/// share a word.
template <class T>
std::size_t claim(const T* neighbours, std::size_t count, T label, std::uint64_t* visited, T* parents, T* claimed) {
  const std::size_t found = copy(neighbours, count, visited, claimed);
  constexpr std::size_t ahead = 96;
  for (std::size_t k = 0; k < found; ++k) {
    if (k + ahead < found) __builtin_prefetch(parents + claimed[k + ahead], 1);
    visited[claimed[k] / 64] |= std::uint64_t{1} << (claimed[k] % 64);
    parents[claimed[k]] = label;
  }
  return found;
}

constexpr auto& claim_narrow = claim<std::uint32_t>;
constexpr auto& claim_wide = claim<std::uint64_t>;
constexpr auto& copy_narrow = copy<std::uint32_t>;
constexpr auto& copy_wide = copy<std::uint64_t>;

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(claim_narrow);
HWY_EXPORT(claim_wide);
HWY_EXPORT(copy_narrow);
HWY_EXPORT(copy_wide);

template <>
std::size_t claim_unvisited(std::span<const std::uint32_t> neighbours, std::uint32_t label, std::uint64_t* visited,
                            std::uint32_t* parents, std::uint32_t* claimed) {
  return HWY_DYNAMIC_DISPATCH(claim_narrow)(neighbours.data(), neighbours.size(), label, visited, parents, claimed);
}

template <>
std::size_t claim_unvisited(std::span<const std::uint64_t> neighbours, std::uint64_t label, std::uint64_t* visited,
                            std::uint64_t* parents, std::uint64_t* claimed) {
  return HWY_DYNAMIC_DISPATCH(claim_wide)(neighbours.data(), neighbours.size(), label, visited, parents, claimed);
}

template <>
std::size_t copy_unvisited(std::span<const std::uint32_t> neighbours, const std::uint64_t* visited,
                           std::uint32_t* unvisited) {
  return HWY_DYNAMIC_DISPATCH(copy_narrow)(neighbours.data(), neighbours.size(), visited, unvisited);
}

template <>
std::size_t copy_unvisited(std::span<const std::uint64_t> neighbours, const std::uint64_t* visited,
                           std::uint64_t* unvisited) {
  return HWY_DYNAMIC_DISPATCH(copy_wide)(neighbours.data(), neighbours.size(), visited, unvisited);
}

}  // namespace breadth
#endif
