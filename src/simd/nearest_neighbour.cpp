// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/nearest_neighbour.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The prefetch distance in vertices.
constexpr std::size_t ahead = 64;

/// Processes as many vertices as D has lanes, from `first` on.
template <class D>
HWY_INLINE void pull_lanes(D d, std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t first,
                           const float* by_global_id, float* distances, std::uint32_t* parents,
                           PulledVertices& pulled) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto base = hn::Set(d, bounds.base);
  const auto before = hn::Min(hn::LoadU(d, distances + first), hn::Set(d, bounds.limit));
  auto best = before;
  auto open = hn::Gt(before, hn::Set(d, bounds.settled));
  auto parent = hn::Zero(du);
  for (const WeightedColumn& column : columns) {
    const auto weights = hn::LoadU(d, column.weights + first);
    open = hn::And(open, hn::Lt(hn::Add(base, weights), best));
    if (hn::AllFalse(d, open)) break;
    pulled.edges_examined += hn::CountTrue(d, open);
    const auto global_ids = hn::BitCast(di, hn::LoadU(du, column.global_ids + first));
    const auto candidate = hn::Add(hn::GatherIndex(d, by_global_id, global_ids), weights);
    const auto shorter = hn::And(open, hn::Lt(candidate, best));
    if (hn::AllFalse(d, shorter)) continue;
    best = hn::IfThenElse(shorter, candidate, best);
    parent = hn::IfThenElse(hn::RebindMask(du, shorter), hn::LoadU(du, column.labels + first), parent);
  }
  const auto numbers = hn::Iota(du, static_cast<std::uint32_t>(first));
  const auto improved = hn::Lt(best, before);
  if (!hn::AllFalse(d, improved)) {
    const auto improved_numbers = hn::RebindMask(du, improved);
    hn::BlendedStore(best, improved, d, distances + first);
    hn::BlendedStore(parent, improved_numbers, du, parents + first);
    pulled.improved_count += hn::CompressStore(numbers, improved_numbers, du, pulled.improved + pulled.improved_count);
  }
  if (!hn::AllFalse(d, open)) {
    pulled.unfinished_count +=
        hn::CompressStore(numbers, hn::RebindMask(du, open), du, pulled.unfinished + pulled.unfinished_count);
  }
}

/// Prefetches the distances of the neighbours in the first column for as many vertices as D has lanes; nearly all of
/// the vertices read them.
template <class D>
HWY_INLINE void prefetch_lanes(D d, const WeightedColumn& column, std::size_t first, const float* by_global_id) {
  for (std::size_t i = first; i < first + hn::Lanes(d); ++i) __builtin_prefetch(by_global_id + column.global_ids[i]);
}

void pull(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin, std::size_t end,
          const float* by_global_id, float* distances, std::uint32_t* parents, PulledVertices& pulled) {
  const hn::CappedTag<float, most_lanes> all;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(all);
  for (; begin + lanes <= end; begin += lanes) {
    if (!columns.empty() && begin + ahead + lanes <= end) {
      prefetch_lanes(all, columns.front(), begin + ahead, by_global_id);
    }
    pull_lanes(all, columns, bounds, begin, by_global_id, distances, parents, pulled);
  }
  for (; begin < end; ++begin) pull_lanes(one, columns, bounds, begin, by_global_id, distances, parents, pulled);
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(pull);

void pull_from_columns(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin,
                       std::size_t end, const float* by_global_id, float* distances, std::uint32_t* parents,
                       PulledVertices& pulled) {
  HWY_DYNAMIC_DISPATCH(pull)(columns, bounds, begin, end, by_global_id, distances, parents, pulled);
}

}  // namespace breadth
#endif
