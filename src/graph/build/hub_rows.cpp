#include "graph/build/hub_rows.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/build/entry.hpp"

namespace breadth {

namespace {

/// From labels to hubs: a hash table with linear probing, half full at most.
class HubIndex {
 public:
  /// There must be at least one hub.
  explicit HubIndex(const Hubs& hubs)
      : slots_(std::bit_ceil(2 * hubs.count() + 1)), shift_(64 - std::countr_zero(slots_.size())) {
    for (std::uint32_t id = 0; id < hubs.count(); ++id) {
      const auto label = static_cast<std::uint64_t>(hubs[LocalVertex{id}].label.value);
      std::size_t place = first_place(label);
      while (slots_[place].label != nobody) place = next_place(place);
      slots_[place] = {label, id};
    }
  }

  /// The hub with a label; no_local_vertex if the label is not a hub's.
  [[nodiscard]] std::uint32_t find(std::uint64_t label) const {
    std::size_t place = first_place(label);
    while (slots_[place].label != label && slots_[place].label != nobody) place = next_place(place);
    return slots_[place].hub;
  }

 private:
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t label = nobody;
    std::uint32_t hub = no_local_vertex.value;
  };
  [[nodiscard]] std::size_t first_place(std::uint64_t label) const {
    constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>((label * golden_ratio) >> shift_);
  }
  [[nodiscard]] std::size_t next_place(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  std::vector<Slot> slots_;
  int shift_;
};

/// Calls body(hub, vertex, weight) for each entry of this rank's rows from a vertex with a local id below `end` to a
/// heavier hub. Every hub is heavier than every vertex that is not a hub.
template <class Neighbour, class Body>
void for_each_way_up(const RowsByLabel<Neighbour>& rows, const HubIndex& index,
                     std::span<const std::uint32_t> local_of_offset, std::uint32_t end, ThreadTeam& threads,
                     Body&& body) {
  parallel_blocks(threads, rows.buckets.size(), 1, [&](IndexRange range, int) {
    const RowBucket& bucket = rows.buckets[range.begin];
    std::size_t row = bucket.first_entry;
    for (std::size_t i = bucket.first_row; i < bucket.first_row + bucket.row_count; ++i) {
      const std::uint32_t vertex = local_of_offset[i];
      const std::size_t degree = vertex < end ? rows.degrees[i] : 0;
      for (std::size_t entry = row; entry < row + degree; ++entry) {
        const std::uint32_t hub = index.find(rows.neighbours[entry]);
        if (hub < vertex) body(hub, vertex, rows.weights.empty() ? 0 : rows.weights[entry]);
      }
      row += rows.degrees[i];
    }
  });
}

/// Adds one to a counter that threads share. Returns its value before.
EdgeOffset count_one(EdgeOffset& counter, bool alone) {
  return alone ? counter++ : std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t count_above(std::uint64_t degree, std::span<const std::uint32_t> degrees, const Context& context) {
  const std::uint64_t mine = parallel_sum(context.threads, degrees.size(), std::size_t{1} << 16,
                                          [&](std::size_t i) { return degrees[i] > degree ? 1U : 0U; });
  return context.ranks.all_reduce(mine, Reduction::sum);
}

/// The smallest degree, at least `least`, that at most `most` vertices exceed.
std::uint64_t degree_of_few(std::uint64_t most, std::uint64_t least, const CountAbove& count_above) {
  if (count_above(least) <= most) return least;
  std::uint64_t exceeded = least;  // exceeded by more than `most` vertices
  std::uint64_t degree = 2 * least + 1;
  for (; count_above(degree) > most; degree *= 2) exceeded = degree;
  while (degree - exceeded > 1) {
    const std::uint64_t middle = exceeded + (degree - exceeded) / 2;
    (count_above(middle) > most ? exceeded : degree) = middle;
  }
  return degree;
}

/// Builds the rows of hubs from the entries (row, column, weight) that for_each_entry passes to its body. Entry defines
/// their order.
template <class Entry, class ForEachEntry>
HubRows sorted_rows(std::size_t rows, const ForEachEntry& for_each_entry, ThreadTeam& threads) {
  using Key = typename Entry::Key;
  const Entry code(std::uint64_t{1} << 32);
  const bool alone = threads.size() == 1;
  Buffer<EdgeOffset> next(rows + 1);
  for_each_entry([&](std::uint32_t row, std::uint32_t, float) { count_one(next[row], alone); });
  Buffer<Key> keys(exclusive_prefix_sum(threads, next.span()));
  Buffer<EdgeOffset> offsets(next.size());
  std::copy(next.begin(), next.end(), offsets.begin());
  for_each_entry([&](std::uint32_t row, std::uint32_t column, float weight) {
    keys[count_one(next[row], alone)] = code.pack(0, column, weight);
  });
  std::vector<KeySorter<Key>> sorters(static_cast<std::size_t>(threads.size()));
  parallel_blocks(threads, rows, 1, [&](IndexRange range, int thread) {
    const auto row = keys.span().subspan(offsets[range.begin], offsets[range.begin + 1] - offsets[range.begin]);
    const auto sorted = sorters[static_cast<std::size_t>(thread)].sorted(row);
    if (sorted.data() != row.data()) std::copy(sorted.begin(), sorted.end(), row.begin());
  });
  if constexpr (!Entry::has_weight) {
    return {{std::move(offsets), std::move(keys), {}}};
  } else {
    Buffer<std::uint32_t> neighbours(keys.size());
    Buffer<float> weights(keys.size());
    parallel_for(threads, keys.size(), std::size_t{1} << 16, [&](std::size_t i) {
      neighbours[i] = static_cast<std::uint32_t>(code.column(keys[i]));
      weights[i] = code.weight(keys[i]);
    });
    return {{std::move(offsets), std::move(neighbours), std::move(weights)}};
  }
}

}  // namespace

std::uint64_t hub_degree(const HubChoice& choice, std::uint64_t labels, int ranks, const CountAbove& count_above) {
  constexpr std::uint64_t max_shares = 4;
  constexpr std::uint64_t edges_per_rank = 3;
  const auto rank_count = static_cast<std::uint64_t>(ranks);
  const std::uint64_t most = max_shares * labels / rank_count;
  switch (choice.rule) {
    case HubRule::pan: return degree_of_few(most, pan_hub_degree(labels), count_above);
    case HubRule::automatic:
      return degree_of_few(std::min(most, count_above(0) / choice.vertices_per_hub), edges_per_rank * rank_count,
                           count_above);
    case HubRule::none:
    case HubRule::degree: break;
  }
  return choice.degree;
}

std::uint64_t pan_hub_degree(std::uint64_t vertices) {
  constexpr double at_scale_30 = 64;
  const double scale = std::log2(static_cast<double>(std::max<std::uint64_t>(vertices, 1)));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(at_scale_30 * std::exp2((scale - 30) / 2)));
}

Hubs choose_hubs(const HubChoice& choice, std::span<const std::uint32_t> degrees,
                 std::span<const std::uint32_t> out_degrees, const BlockDistribution& distribution,
                 const Context& context) {
  if (choice.rule == HubRule::none || context.ranks.size() == 1) return {};
  const std::uint64_t most = hub_degree(choice, distribution.vertex_count(), distribution.ranks(),
                                        [&](std::uint64_t degree) { return count_above(degree, degrees, context); });
  std::vector<Hub> own;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (degrees[i] > most) own.push_back({distribution.label(context.ranks.rank(), i), degrees[i], out_degrees[i]});
  }
  std::vector<Hub> all = context.ranks.all_gather_varying(std::span<const Hub>(own));
  std::sort(all.begin(), all.end(),
            [](const Hub& a, const Hub& b) { return a.degree != b.degree ? a.degree > b.degree : a.label < b.label; });
  return Hubs(std::move(all));
}

LocalOrder with_hubs_first(LocalOrder order, const Hubs& hubs, const BlockDistribution& distribution, int rank) {
  if (hubs.count() == 0) return order;
  const auto end = static_cast<std::uint32_t>(hubs.end());
  for (std::uint32_t& local : order.local_of_offset) {
    if (local != no_local_vertex.value) local += end;
  }
  Buffer<std::uint32_t> offset_of_local(end + order.offset_of_local.size());
  std::copy(order.offset_of_local.begin(), order.offset_of_local.end(), offset_of_local.begin() + end);
  for (std::uint32_t id = 0; id < hubs.count(); ++id) {
    const Label label = hubs[LocalVertex{id}].label;
    if (distribution.owner(label) != rank) continue;
    const std::size_t offset = distribution.offset(label, rank);
    offset_of_local[id] = static_cast<std::uint32_t>(offset);
    order.local_of_offset[offset] = id;
  }
  order.offset_of_local = std::move(offset_of_local);
  return order;
}

template <class Neighbour>
HubRows take_hub_rows(const RowsByLabel<Neighbour>& rows, const RowsByLabel<Neighbour>& reverse, const Hubs& hubs,
                      std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads) {
  const HubIndex index(hubs);
  const auto for_each_entry = [&](auto&& body) {  // body(row, column, weight)
    for_each_way_up(reverse, index, local_of_offset, no_local_vertex.value, threads, body);
    for_each_way_up(rows, index, local_of_offset, static_cast<std::uint32_t>(hubs.count()), threads,
                    [&body](std::uint32_t heavier, std::uint32_t hub, float weight) { body(hub, heavier, weight); });
  };
  const bool weighted = !rows.weights.empty() || !reverse.weights.empty();
  if (!weighted) return sorted_rows<NarrowEntry>(hubs.end(), for_each_entry, threads);
  return sorted_rows<LightestFirstEntry>(hubs.end(), for_each_entry, threads);
}

template <class Neighbour>
void drop_hubs(RowsByLabel<Neighbour>& rows, const Hubs& hubs, std::span<const std::uint32_t> local_of_offset,
               ThreadTeam& threads) {
  parallel_blocks(threads, rows.buckets.size(), 1, [&](IndexRange range, int) {
    const RowBucket& bucket = rows.buckets[range.begin];
    const auto move_down = [](auto& entries, std::size_t from, std::size_t count, std::size_t to) {
      if (!entries.empty()) std::copy_n(entries.data() + from, count, entries.data() + to);
    };
    std::size_t row = bucket.first_entry;
    std::size_t kept = row;
    for (std::size_t i = bucket.first_row; i < bucket.first_row + bucket.row_count; ++i) {
      const std::uint32_t degree = rows.degrees[i];
      if (local_of_offset[i] < hubs.count()) {
        rows.degrees[i] = 0;
      } else {
        move_down(rows.neighbours, row, degree, kept);
        move_down(rows.weights, row, degree, kept);
        kept += degree;
      }
      row += degree;
    }
    rows.neighbours.discard(kept, row);
    if (!rows.weights.empty()) rows.weights.discard(kept, row);
  });
}

template HubRows take_hub_rows(const RowsByLabel<std::uint32_t>&, const RowsByLabel<std::uint32_t>&, const Hubs&,
                               std::span<const std::uint32_t>, ThreadTeam&);
template HubRows take_hub_rows(const RowsByLabel<std::uint64_t>&, const RowsByLabel<std::uint64_t>&, const Hubs&,
                               std::span<const std::uint32_t>, ThreadTeam&);
template void drop_hubs(RowsByLabel<std::uint32_t>&, const Hubs&, std::span<const std::uint32_t>, ThreadTeam&);
template void drop_hubs(RowsByLabel<std::uint64_t>&, const Hubs&, std::span<const std::uint32_t>, ThreadTeam&);

}  // namespace breadth
