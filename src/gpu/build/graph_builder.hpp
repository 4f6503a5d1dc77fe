// Kernel 1 on a device.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/degree_bins.hpp"
#include "gpu/edges.hpp"
#include "gpu/graph_tables.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/node_place.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/table_phases.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/tuples/tuple_blocks.hpp"

namespace breadth::gpu {

// Sort keys: a row and a neighbour in one number.

/// Keys of entries in the rows from `first` on. A neighbour takes the lowest `column_bits`. Sorted keys have the rows
/// one after the other, with ascending neighbours in each.
struct EntryKeys {
  std::uint32_t first = 0;
  std::uint32_t column_bits = 0;

  [[nodiscard]] constexpr std::uint32_t row_of(std::uint64_t key) const {
    return static_cast<std::uint32_t>(key >> column_bits) + first;
  }
  [[nodiscard]] constexpr std::uint32_t column_of(std::uint64_t key) const {
    return static_cast<std::uint32_t>(key & ((std::uint64_t{1} << column_bits) - 1));
  }
  [[nodiscard]] constexpr std::uint64_t key_of(std::uint32_t row, std::uint32_t column) const {
    return std::uint64_t{row - first} << column_bits | column;
  }
};

/// The number of bits of numbers below `bound`.
constexpr std::uint32_t bits_below(std::uint64_t bound) {
  return bound == 0 ? 0 : static_cast<std::uint32_t>(std::bit_width(bound - 1));
}

// The start of kernel 1 on a device: counts of labels.

/// Raises `largest` to the largest label.
struct FindLargestLabelStep {
  TupleView tuples;
  ArrayView<std::uint32_t> largest;  ///< one element

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    warp.raise(largest, 0, warp.load(tuples.sources, place, there), there);
    warp.raise(largest, 0, warp.load(tuples.targets, place, there), there);
  }
};

/// Counts the ends of tuples at each label, without self-loops.
struct CountEndsStep {
  TupleView tuples;
  ArrayView<std::uint32_t> counts;  ///< of each label

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto source = warp.load(tuples.sources, place, there);
    const auto target = warp.load(tuples.targets, place, there);
    const MaskOf<Warp> proper = there & (source != target);
    warp.count_up(counts, source, proper);
    warp.count_up(counts, target, proper);
  }
};

/// Makes a sort key for each label: labels with edges come first, by falling bin of their degree and then by label.
/// Counts the labels with edges.
struct BinLabelsStep {
  ArrayView<const std::uint32_t> counts;  ///< of each label
  std::uint32_t label_bits = 0;
  ArrayView<std::uint64_t> keys;
  ArrayView<std::uint64_t> counter;

  /// Bits of a bin's number.
  static constexpr std::uint32_t bin_bits = bits_below(DegreeBins::count);

  template <class Warp, class Places>
  [[nodiscard]] constexpr MaskOf<Warp> at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto degree = warp.load(counts, place, there);
    const auto bin_key = [this](std::uint32_t of_degree, std::uint64_t label) {
      return (DegreeBins::count - 1 - DegreeBins::bin_of(of_degree)) << label_bits | label;
    };
    warp.store(keys, place, warp.map(bin_key, degree, place), there);
    return degree != 0U;
  }
};

/// Writes the result of sorting labels: the label of each vertex, the vertex of each label, and each vertex's ends.
struct LabelVerticesStep {
  ArrayView<const std::uint64_t> keys;
  ArrayView<const std::uint32_t> counts;  ///< of each label
  std::uint32_t label_bits = 0;
  ArrayView<std::uint32_t> labels;     ///< of each vertex
  ArrayView<std::uint32_t> vertex_of;  ///< for each label that has edges
  ArrayView<std::uint32_t> ends;       ///< of each vertex

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto label_of = [this](std::uint64_t key) { return EntryKeys{.column_bits = label_bits}.column_of(key); };
    const auto label = warp.map(label_of, warp.load(keys, place, there));
    warp.store(labels, place, label, there);
    warp.store(vertex_of, label, warp.map(LowHalf{}, place), there);
    warp.store(ends, place, warp.load(counts, label, there), there);
  }
};

// The rows of kernel 1 on a device: entries renamed to vertices, sorted, and split into rows.

/// Appends a key for each end of a tuple in rows [keys.first, end), in any order and without self-loops.
struct AppendEntriesStep {
  TupleView tuples;
  ArrayView<const std::uint32_t> vertex_of;  ///< for each label
  EntryKeys keys;
  std::uint32_t end = 0;
  ArrayView<std::uint64_t> entries;
  ArrayView<std::uint64_t> size;  ///< one element: the number of entries so far

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto source = warp.load(tuples.sources, place, there);
    const auto target = warp.load(tuples.targets, place, there);
    const MaskOf<Warp> proper = there & (source != target);
    const auto source_vertex = warp.load(vertex_of, source, proper);
    const auto target_vertex = warp.load(vertex_of, target, proper);
    const std::uint32_t forth = warp.ballot(proper & in_rows(source_vertex));
    const std::uint32_t back = warp.ballot(proper & in_rows(target_vertex));
    const std::uint32_t forth_count = warp.popcount(forth);
    const std::uint32_t count = forth_count + warp.popcount(back);
    if (count == 0) return;
    const std::uint64_t first = warp.reserve(size, 0, count);
    store(warp, first, forth, source_vertex, target_vertex);
    store(warp, first + forth_count, back, target_vertex, source_vertex);
  }

 private:
  template <class Vertices>
  [[nodiscard]] constexpr auto in_rows(const Vertices& row) const {
    return (row >= keys.first) & (row < end);
  }
  /// Writes the keys of the lanes whose bits are set, from place `first` on.
  template <class Warp, class Vertices>
  constexpr void store(const Warp& warp, std::uint64_t first, std::uint32_t bits, const Vertices& row,
                       const Vertices& column) const {
    const NumbersOf<Warp> rank = warp.rank(bits);
    const auto key_of = [this](std::uint32_t of_row, std::uint32_t of_column) {
      return keys.key_of(of_row, of_column);
    };
    warp.store(entries, rank + first, warp.map(key_of, row, column), warp.bits_of(bits));
  }
};

/// Writes the neighbours of sorted and distinct entries, and where rows begin. `base` entries stand before them.
struct TakeRowsStep {
  ArrayView<const std::uint64_t> entries;
  EntryKeys keys;
  std::uint64_t base = 0;
  ArrayView<std::uint32_t> neighbours;
  ArrayView<std::uint64_t> offsets;  ///< of each vertex

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto key = warp.load(entries, place, there);
    const MaskOf<Warp> follows = there & (place >= 1U);
    const auto row_of = [this](std::uint64_t of_key) { return keys.row_of(of_key); };
    const auto row = warp.map(row_of, key);
    const auto row_before = warp.map(row_of, warp.load(entries, place - 1U, follows));
    const auto column = warp.map([this](std::uint64_t of_key) { return keys.column_of(of_key); }, key);
    warp.store(neighbours, place + base, column, there);
    warp.store(offsets, row, place + base, there & !(follows & (row == row_before)));
  }
};

/// Raises, for each of class_edges, the bound to the number of vertices up to the last one that has more edges.
struct BoundClassesStep {
  ArrayView<const std::uint64_t> offsets;
  ArrayView<std::uint32_t> bounds;  ///< one for each of class_edges

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto edges = warp.load(offsets, place + 1U, there) - warp.load(offsets, place, there);
    const auto number = warp.map(LowHalf{}, place + 1U);
    constexpr auto max_edges = class_edges;  // a local copy, because a GPU cannot read an array of the host
    for (std::uint32_t i = 0; i < max_edges.size(); ++i) {
      const MaskOf<Warp> longer = there & !(edges < std::uint64_t{max_edges[i]} + 1);
      if (warp.any(longer)) warp.raise(bounds, i, number, longer);
    }
  }
};

/// Builds a graph from tuples, as processors do on one rank (graph/build/direct_rows.hpp). Vertices are in bins of
/// falling degree; degrees count duplicates, and so are known before any edge is moved. Then edges are renamed to
/// vertices and sorted once, without duplicates. Rows are made slab by slab: a slab has as many rows as there is memory
/// to sort their entries, each a key of one number. Used once.
template <class Device, class Algorithms>
class GraphBuilder {
  using Words = WordArray<Device>;
  using Keys = NumberArray<Device>;

 public:
  GraphBuilder(Device& device, TupleBlocks<Device>& tuples, const BuildSettings& settings)
      : device_(device), tuples_(tuples), settings_(settings) {}

  /// Throws OutOfMemory with the figures, before it begins the rows, if they do not fit.
  GraphArrays<Device> build() {
    const Words counts = count_ends(find_label_count());
    VertexOrder order = order_vertices(counts);
    Rows rows = make_rows(order);
    return tables(counts, std::move(order), std::move(rows));
  }
  [[nodiscard]] const BuildRecord& record() const { return record_; }

 private:
  /// The labels of vertices and the vertices of labels.
  struct VertexOrder {
    Words labels;     ///< of each vertex
    Words vertex_of;  ///< for each label that has edges
    Keys ends;        ///< prefix sums of the vertices' ends, and their total
  };
  /// The rows of GraphView.
  struct Rows {
    Keys offsets;
    Words neighbours;  ///< room for all ends of tuples, or for `entries`
    std::uint64_t entries = 0;
  };
  /// Keys to sort, and spare memory for sorting.
  struct Slab {
    Keys entries;
    Keys spare;
  };

  [[nodiscard]] Words words(std::uint64_t count) const { return take_words(device_, count); }
  [[nodiscard]] Keys numbers(std::uint64_t count) const { return take_numbers(device_, count); }
  /// An array of one number, set to 0.
  template <class T>
  [[nodiscard]] auto counter() const {
    auto one = device_.template allocate<T>(1);
    device_.clear(one.view());
    return one;
  }
  template <class Step>
  void each(const Step& step, std::uint64_t count) const {
    if (count > 0) device_.launch(Each<Step>{step, count}, warps_for(count));
  }

  /// The largest label plus one.
  std::uint32_t find_label_count() {
    if (tuples_.size() == 0) fail_on_gpu("building a graph", "the edge list is empty");
    Words largest = counter<std::uint32_t>();
    tuples_.for_each([&](const TupleView& block) { each(FindLargestLabelStep{block, largest.view()}, block.size()); });
    return device_.read(largest.constant(), 0) + 1;
  }

  /// The number of ends of tuples at each label, without self-loops.
  Words count_ends(std::uint32_t label_count) {
    Words counts = words(label_count);
    device_.clear(counts.view());
    tuples_.for_each([&](const TupleView& block) { each(CountEndsStep{block, counts.view()}, block.size()); });
    return counts;
  }

  VertexOrder order_vertices(const Words& counts) {
    const std::uint64_t label_count = counts.size();
    const std::uint32_t label_bits = bits_below(label_count);
    Slab labels{numbers(label_count), numbers(label_count)};
    Keys connected = counter<std::uint64_t>();
    each(BinLabelsStep{counts.constant(), label_bits, labels.entries.view(), connected.view()}, label_count);
    Algorithms::sort(labels.entries, labels.spare, label_count, label_bits + BinLabelsStep::bin_bits);

    const std::uint64_t vertices = device_.read(connected.constant(), 0);
    VertexOrder order{words(vertices), words(label_count), numbers(vertices + 1)};
    Words ends = words(vertices + 1);
    device_.write(ends.view(), vertices, std::uint32_t{0});
    each(LabelVerticesStep{labels.entries.constant(), counts.constant(), label_bits, order.labels.view(),
                           order.vertex_of.view(), ends.view()},
         vertices);
    Algorithms::exclusive_sums(ends.constant(), order.ends.view());
    return order;
  }

  Rows make_rows(const VertexOrder& order) {
    const auto vertices = static_cast<std::uint32_t>(order.labels.size());
    record_.ends = device_.read(order.ends.constant(), vertices);
    require_construction_memory(row_bytes(vertices, record_.ends), tuples_.bytes(), device_.free_bytes(),
                                device_.name());
    Rows rows{numbers(vertices + std::uint64_t{1}), words(record_.ends)};
    {
      Slab slab = make_slab(record_.ends);
      for (std::uint32_t first = 0; first < vertices;) {
        const std::uint32_t end = end_of_slab(order.ends, first, vertices, slab);
        rows.entries += sort_rows(slab, order, first, end, rows);
        first = end;
      }
    }
    device_.write(rows.offsets.view(), vertices, rows.entries);
    move_together(rows);
    return rows;
  }

  /// Appends the rows of vertices [first, end). Returns the number of their entries.
  std::uint64_t sort_rows(Slab& slab, const VertexOrder& order, std::uint32_t first, std::uint32_t end, Rows& rows) {
    const auto vertices = static_cast<std::uint32_t>(order.labels.size());
    const std::uint64_t ends = device_.read(order.ends.constant(), end) - device_.read(order.ends.constant(), first);
    const EntryKeys keys{.first = first, .column_bits = bits_below(vertices)};
    Keys size = counter<std::uint64_t>();
    tuples_.for_each([&](const TupleView& block) {
      each(AppendEntriesStep{block, order.vertex_of.constant(), keys, end, slab.entries.view(), size.view()},
           block.size());
    });
    if (device_.read(size.constant(), 0) != ends) fail_on_gpu("building a graph", "the edge list has changed");
    Algorithms::sort(slab.entries, slab.spare, ends, keys.column_bits + bits_below(end - first));
    const std::uint64_t count = Algorithms::unique(slab.entries, slab.spare, ends);
    each(TakeRowsStep{slab.entries.constant(), keys, rows.entries, rows.neighbours.view(), rows.offsets.view()}, count);
    ++record_.slabs;
    return count;
  }

  /// Frees the memory of duplicates, if there is room to move the entries. In large graphs, duplicates take little.
  void move_together(Rows& rows) const {
    if (rows.entries == rows.neighbours.size() || !has_room(rows.entries * word_bytes, device_.free_bytes())) return;
    Words first = words(rows.entries);
    device_.copy(rows.neighbours.constant().part(0, rows.entries), first.view());
    rows.neighbours = std::move(first);
  }

  GraphArrays<Device> tables(const Words& counts, VertexOrder order, Rows rows) {
    const std::uint64_t vertices = order.labels.size();
    const auto label_count = static_cast<std::uint32_t>(counts.size());
    Words first_neighbours = words(vertices);
    each(TakeFirstNeighboursStep{rows.offsets.constant(), rows.neighbours.constant(), first_neighbours.view()},
         vertices);
    Words word_degrees = words(words_for(vertices));
    each(AverageDegreesStep{rows.offsets.constant(), vertices, word_degrees.view()}, word_degrees.size());

    Words connected = words(words_for(label_count));
    Words before = words(connected.size());
    device_.launch(ConnectLabels{counts.constant(), label_count, connected.view(), before.view()}, connected.size());
    Algorithms::exclusive_sums(before.constant(), before.view());
    Words by_label = words(vertices);
    device_.launch(ListVertices{connected.constant(), before.constant(), order.vertex_of.constant(), by_label.view()},
                   connected.size());

    const RowBounds bounds = bounds_of(rows.offsets);
    const Pieces pieces = cut_long_rows(rows.offsets, bounds);
    return {.offsets = std::move(rows.offsets),
            .ends = device_.template allocate<std::uint64_t>(0),
            .neighbours = std::move(rows.neighbours),
            .weights = device_.template allocate<float>(0),
            .first_neighbours = std::move(first_neighbours),
            .word_degrees = std::move(word_degrees),
            .first_pieces = take_copy(device_, std::span<const std::uint32_t>(pieces.first)),
            .piece_rows = take_copy(device_, std::span<const std::uint32_t>(pieces.rows)),
            .labels = std::move(order.labels),
            .connected = std::move(connected),
            .before = std::move(before),
            .vertices = std::move(by_label),
            .entries = rows.entries,
            .label_count = label_count,
            .bounds = bounds};
  }

  [[nodiscard]] RowBounds bounds_of(const Keys& offsets) const {
    const std::uint64_t vertices = offsets.size() - 1;
    Words numbers_of_classes = words(class_edges.size());
    device_.clear(numbers_of_classes.view());
    each(BoundClassesStep{offsets.constant(), numbers_of_classes.view()}, vertices);
    const auto first = [&](std::uint32_t edges) {
      const auto place = std::find(class_edges.begin(), class_edges.end(), edges) - class_edges.begin();
      return device_.read(numbers_of_classes.constant(), static_cast<std::uint64_t>(place));
    };
    return row_bounds(first, vertices, settings_.leaves_last);
  }
  /// Cuts the long rows, which are few, on the host.
  [[nodiscard]] Pieces cut_long_rows(const Keys& offsets, const RowBounds& bounds) const {
    std::vector<std::uint64_t> of_long_rows(bounds.long_rows == 0 ? 0 : bounds.long_rows + std::size_t{1});
    device_.copy_out(offsets.constant().part(0, of_long_rows.size()), std::span(of_long_rows));
    const std::span<const std::uint64_t> offsets_of_long(of_long_rows);
    if (offsets_of_long.empty()) return cut_pieces({}, {});
    return cut_pieces(offsets_of_long.first(bounds.long_rows), offsets_of_long.subspan(1));
  }

  /// Makes a slab for `entries`, or for as many as fit into the free memory and the settings allow.
  [[nodiscard]] Slab make_slab(std::uint64_t entries) const {
    const std::uint64_t fit = slab_entries_in(device_.free_bytes());
    const std::uint64_t most = std::min({entries, settings_.slab_entries, fit});
    return {numbers(most), numbers(most)};
  }
  /// The end of the longest range of rows from `first` on whose entries fit into a slab. `ends` has the number of
  /// entries before each row.
  [[nodiscard]] std::uint32_t end_of_slab(const Keys& ends, std::uint32_t first, std::uint32_t last,
                                          const Slab& slab) const {
    const std::uint64_t base = device_.read(ends.constant(), first);
    const auto fits = [&](std::uint32_t end) {
      return device_.read(ends.constant(), end) - base <= slab.entries.size();
    };
    if (fits(last)) return last;
    std::uint32_t end = first;  // rows up to `end` fit, rows up to `beyond` do not
    for (std::uint32_t beyond = last; end + 1 < beyond;) {
      const std::uint32_t middle = end + (beyond - end) / 2;
      (fits(middle) ? end : beyond) = middle;
    }
    if (end == first) {
      require_slab(device_.read(ends.constant(), first + 1) - base, slab.entries.size(), device_.name());
    }
    return end;
  }

  Device& device_;
  TupleBlocks<Device>& tuples_;
  BuildSettings settings_;
  BuildRecord record_;
};

}  // namespace breadth::gpu
