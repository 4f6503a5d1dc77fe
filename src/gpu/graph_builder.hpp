// Kernel 1 on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu/device_graph.hpp"
#include "gpu/edges.hpp"
#include "gpu/gpu_error.hpp"
#include "gpu/graph_tables.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/row_bounds.hpp"
#include "gpu/rows_by_label_phases.hpp"
#include "gpu/rows_by_vertex_phases.hpp"
#include "gpu/table_phases.hpp"
#include "gpu/tuple_blocks.hpp"

namespace breadth::gpu {

/// From tuples to a graph as processors order it (graph/build_graph.cpp): rows by label without self-loops and
/// duplicates, vertices in bins of falling degree, rows of vertices. Both kinds of rows are made slab by slab: as many
/// rows as there is memory to sort, as one number an entry. Used once.
template <class Device, class Algorithms>
class GraphBuilder {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = Array<std::uint32_t>;
  using Keys = Array<std::uint64_t>;

 public:
  GraphBuilder(Device& device, TupleBlocks<Device>& tuples, const BuildSettings& settings)
      : device_(device), tuples_(tuples), settings_(settings) {}

  /// Throws OutOfMemory with figures, before the rows are begun, where they do not fit.
  GraphArrays<Device> build() {
    const std::uint32_t label_count = find_label_count();
    Words degrees = words(label_count + std::uint64_t{1});
    Keys begins = numbers(label_count + std::uint64_t{1});
    Words columns = rows_by_label(degrees, begins);

    VertexOrder order = order_vertices(degrees);
    Words neighbours = rows_by_vertex(order, begins, columns);
    columns = words(0);
    begins = numbers(0);
    return tables(degrees, std::move(order), std::move(neighbours));
  }
  [[nodiscard]] const BuildRecord& record() const { return record_; }

 private:
  /// Labels and vertices by each other's names.
  struct VertexOrder {
    Words labels;     ///< of each vertex
    Words vertex_of;  ///< each label that has edges
    Keys offsets;     ///< of the vertices' rows, and the end of the last
  };
  /// What is sorted, and what sorting takes beside it.
  struct Slab {
    Keys entries;
    Keys spare;
  };

  [[nodiscard]] Words words(std::uint64_t count) const { return device_.template allocate<std::uint32_t>(count); }
  [[nodiscard]] Keys numbers(std::uint64_t count) const { return device_.template allocate<std::uint64_t>(count); }
  /// One number, 0 so far.
  template <class T>
  [[nodiscard]] Array<T> counter() const {
    Array<T> one = device_.template allocate<T>(1);
    device_.clear(one.view());
    return one;
  }
  template <class Step>
  void each(const Step& step, std::uint64_t count) const {
    if (count > 0) device_.launch(Each<Step>{step, count}, warps_for(count));
  }

  /// The largest label and one.
  std::uint32_t find_label_count() {
    if (tuples_.size() == 0) fail_on_gpu("building a graph", "the edge list is empty");
    Words largest = counter<std::uint32_t>();
    tuples_.for_each([&](const TupleView& block) { each(FindLargestLabelStep{block, largest.view()}, block.size()); });
    return device_.read(largest.constant(), 0) + 1;
  }

  /// Columns of all rows, one after the other, where they begin, and how long they are.
  Words rows_by_label(Words& degrees, Keys& begins) {
    const auto label_count = static_cast<std::uint32_t>(degrees.size() - 1);
    device_.clear(degrees.view());
    tuples_.for_each([&](const TupleView& block) { each(CountEndsStep{block, degrees.view()}, block.size()); });
    Algorithms::exclusive_sums(degrees.constant(), begins.view());
    record_.ends = device_.read(begins.constant(), label_count);
    require_construction_memory(construction_bytes_left(label_count, record_.ends), device_.free_bytes(),
                                device_.name());
    device_.clear(degrees.view());

    Words columns = words(record_.ends);
    Slab slab = make_slab(record_.ends);
    std::uint64_t distinct = 0;
    for (std::uint32_t first = 0; first < label_count;) {
      const std::uint32_t end = end_of_slab(begins, first, label_count, slab);
      const std::uint64_t ends = device_.read(begins.constant(), end) - device_.read(begins.constant(), first);
      if (ends > 0) distinct += sort_labels(slab, first, end, ends, distinct, columns, begins, degrees);
      first = end;
    }
    entries_ = distinct;
    return columns;
  }

  /// The rows of labels [first, end), after `base` entries. How many entries they have.
  std::uint64_t sort_labels(Slab& slab, std::uint32_t first, std::uint32_t end, std::uint64_t ends, std::uint64_t base,
                            Words& columns, Keys& begins, Words& degrees) {
    const auto label_count = static_cast<std::uint32_t>(degrees.size() - 1);
    const EntryKeys keys{.first = first, .column_bits = bits_below(label_count)};
    Keys size = counter<std::uint64_t>();
    tuples_.for_each([&](const TupleView& block) {
      each(AppendEntriesStep{block, keys, end, slab.entries.view(), size.view()}, block.size());
    });
    if (device_.read(size.constant(), 0) != ends) fail_on_gpu("building a graph", "the edge list has changed");
    Algorithms::sort(slab.entries, slab.spare, ends, keys.column_bits + bits_below(end - first));
    const std::uint64_t count = Algorithms::unique(slab.entries, slab.spare, ends);
    each(BeginRowsStep{slab.entries.constant(), keys, base, columns.view(), begins.view()}, count);
    each(EndRowsStep{slab.entries.constant(), keys, base, count - 1, begins.constant(), degrees.view()}, count);
    ++record_.slabs;
    return count;
  }

  VertexOrder order_vertices(const Words& degrees) {
    const std::uint64_t label_count = degrees.size() - 1;
    const std::uint32_t label_bits = bits_below(label_count);
    Slab labels{numbers(label_count), numbers(label_count)};
    Keys connected = counter<std::uint64_t>();
    each(BinLabelsStep{degrees.constant(), label_bits, labels.entries.view(), connected.view()}, label_count);
    Algorithms::sort(labels.entries, labels.spare, label_count, label_bits + BinLabelsStep::bin_bits);

    const std::uint64_t vertices = device_.read(connected.constant(), 0);
    VertexOrder order{words(vertices), words(label_count), numbers(vertices + 1)};
    Words lengths = words(vertices + 1);
    device_.write(lengths.view(), vertices, std::uint32_t{0});
    each(NameVerticesStep{labels.entries.constant(), degrees.constant(), label_bits, order.labels.view(),
                          order.vertex_of.view(), lengths.view()},
         vertices);
    Algorithms::exclusive_sums(lengths.constant(), order.offsets.view());
    return order;
  }

  /// Neighbours in all rows of vertices, by falling degree in each.
  Words rows_by_vertex(const VertexOrder& order, const Keys& begins, const Words& columns) {
    const auto vertices = static_cast<std::uint32_t>(order.labels.size());
    Words neighbours = words(entries_);
    Slab slab = make_slab(entries_);
    for (std::uint32_t first = 0; first < vertices;) {
      const std::uint32_t end = end_of_slab(order.offsets, first, vertices, slab);
      const std::uint64_t base = device_.read(order.offsets.constant(), first);
      const std::uint64_t count = device_.read(order.offsets.constant(), end) - base;
      const EntryKeys keys{.first = first, .column_bits = bits_below(vertices)};
      device_.launch(RenameRows{.offsets = order.offsets.constant(),
                                .labels = order.labels.constant(),
                                .begins = begins.constant(),
                                .columns = columns.constant(),
                                .vertex_of = order.vertex_of.constant(),
                                .keys = keys,
                                .end = end,
                                .entries = slab.entries.view()},
                     (count + RenameRows::stretch - 1) / RenameRows::stretch);
      Algorithms::sort(slab.entries, slab.spare, count, keys.column_bits + bits_below(end - first));
      each(TakeNeighboursStep{slab.entries.constant(), keys, base, neighbours.view()}, count);
      ++record_.slabs;
      first = end;
    }
    return neighbours;
  }

  GraphArrays<Device> tables(const Words& degrees, VertexOrder order, Words neighbours) {
    const std::uint64_t vertices = order.labels.size();
    const auto label_count = static_cast<std::uint32_t>(degrees.size() - 1);
    Words first_neighbours = words(vertices);
    each(TakeFirstNeighboursStep{order.offsets.constant(), neighbours.constant(), first_neighbours.view()}, vertices);
    Words word_degrees = words((vertices + bits_per_word - 1) / bits_per_word);
    each(AverageDegreesStep{order.offsets.constant(), vertices, word_degrees.view()}, word_degrees.size());

    Words connected = words((label_count + std::uint64_t{bits_per_word} - 1) / bits_per_word);
    Words before = words(connected.size());
    device_.launch(ConnectLabels{degrees.constant(), label_count, connected.view(), before.view()}, connected.size());
    Algorithms::exclusive_sums(before.constant(), before.view());
    Words by_label = words(vertices);
    device_.launch(ListVertices{connected.constant(), before.constant(), order.vertex_of.constant(), by_label.view()},
                   connected.size());

    const RowBounds bounds = bounds_of(order.offsets);
    const Pieces pieces = cut_long_rows(order.offsets, bounds);
    return {.offsets = std::move(order.offsets),
            .neighbours = std::move(neighbours),
            .weights = device_.template allocate<float>(0),
            .first_neighbours = std::move(first_neighbours),
            .word_degrees = std::move(word_degrees),
            .first_pieces = device_.copy_of(std::span<const std::uint32_t>(pieces.first)),
            .piece_rows = device_.copy_of(std::span<const std::uint32_t>(pieces.rows)),
            .labels = std::move(order.labels),
            .connected = std::move(connected),
            .before = std::move(before),
            .vertices = std::move(by_label),
            .label_count = label_count,
            .bounds = bounds};
  }

  /// By a few look-ups of the host.
  RowBounds bounds_of(const Keys& offsets) const {
    const auto degree = [&](LocalVertex vertex) {
      return device_.read(offsets.constant(), vertex.index() + 1) - device_.read(offsets.constant(), vertex.index());
    };
    return row_bounds(degree, offsets.size() - 1, settings_.leaves_last);
  }
  /// The long rows, which are few, are cut by the host.
  Pieces cut_long_rows(const Keys& offsets, const RowBounds& bounds) const {
    std::vector<std::uint64_t> of_long_rows(bounds.pieces == 0 ? 0 : bounds.pieces + std::size_t{1});
    device_.copy_out(ArrayView<const std::uint64_t>{offsets.constant().data, of_long_rows.size()},
                     std::span(of_long_rows));
    return cut_pieces(of_long_rows);
  }

  /// As large as the memory that is free, or as `entries`.
  Slab make_slab(std::uint64_t entries) const {
    const std::uint64_t fit = slab_entries_in(device_.free_bytes());
    const std::uint64_t most = std::min({entries, settings_.slab_entries, fit});
    return {numbers(most), numbers(most)};
  }
  /// The most rows from `first` on whose entries fit a slab, where `ends` says how many entries are before each row.
  std::uint32_t end_of_slab(const Keys& ends, std::uint32_t first, std::uint32_t last, const Slab& slab) const {
    const std::uint64_t base = device_.read(ends.constant(), first);
    const auto fits = [&](std::uint32_t end) {
      return device_.read(ends.constant(), end) - base <= slab.entries.size();
    };
    if (fits(last)) return last;
    std::uint32_t end = first;  // fits, while what is after `beyond` does not
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
  std::uint64_t entries_ = 0;  ///< of all rows
};

}  // namespace breadth::gpu
