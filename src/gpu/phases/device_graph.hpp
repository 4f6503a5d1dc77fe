// A graph in the memory of a device.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "gpu/graph_tables.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/name_parents.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Everything that GraphView and LabelView look at.
template <class Device>
struct GraphArrays {
  template <class T>
  using Array = typename Device::template Array<T>;

  Array<std::uint64_t> offsets;
  Array<std::uint64_t> ends;        ///< none where each row ends where the next one starts
  Array<std::uint32_t> neighbours;  ///< `entries` of all rows; what is behind them is left over
  Array<float> weights;
  Array<std::uint32_t> first_neighbours;
  Array<std::uint32_t> word_degrees;
  Array<std::uint32_t> first_pieces;
  Array<std::uint32_t> piece_rows;
  Array<std::uint32_t> labels;
  Array<std::uint32_t> connected;
  Array<std::uint32_t> before;
  Array<std::uint32_t> vertices;
  std::uint64_t entries;
  std::uint32_t label_count;
  RowBounds bounds;
};

/// Made once: copied from the host, or by kernel 1 on the device (gpu/build/graph_builder.hpp).
template <class Device>
class DeviceGraph {
 public:
  DeviceGraph(Device& device, const HostGraph& graph, ThreadTeam& threads)
      : DeviceGraph(copy_of(device, graph, make_tables(graph, threads))) {}
  explicit DeviceGraph(GraphArrays<Device> arrays) : arrays_(std::move(arrays)) {}

  [[nodiscard]] GraphView graph() const {
    return {.offsets = arrays_.offsets.constant(),
            .ends = ends(),
            .neighbours = {arrays_.neighbours.constant().data, arrays_.entries},
            .first_neighbours = arrays_.first_neighbours.constant(),
            .word_degrees = arrays_.word_degrees.constant(),
            .first_pieces = arrays_.first_pieces.constant(),
            .piece_rows = arrays_.piece_rows.constant(),
            .bounds = arrays_.bounds};
  }
  /// Beside the neighbours, where the graph has any.
  [[nodiscard]] ArrayView<const float> weights() const { return arrays_.weights.constant(); }
  [[nodiscard]] LabelView labels() const {
    return {arrays_.labels.constant(), arrays_.connected.constant(), arrays_.before.constant(),
            arrays_.vertices.constant(), arrays_.label_count};
  }
  [[nodiscard]] const RowBounds& bounds() const { return arrays_.bounds; }
  [[nodiscard]] std::uint64_t pieces() const { return arrays_.piece_rows.size(); }
  [[nodiscard]] DeviceGraphSize size() const {
    return {.vertices = arrays_.bounds.vertices,
            .entries = arrays_.entries,
            .labels = arrays_.label_count,
            .long_rows = arrays_.bounds.pieces,
            .pieces = pieces(),
            .weighted = arrays_.weights.size() > 0,
            .own_ends = arrays_.ends.size() > 0};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    const GraphArrays<Device>& all = arrays_;
    return all.offsets.bytes() + all.ends.bytes() + all.neighbours.bytes() + all.weights.bytes() +
           all.first_neighbours.bytes() + all.word_degrees.bytes() + all.first_pieces.bytes() + all.piece_rows.bytes() +
           all.labels.bytes() + all.connected.bytes() + all.before.bytes() + all.vertices.bytes();
  }

 private:
  static GraphArrays<Device> copy_of(Device& device, const HostGraph& graph, const GraphTables& tables) {
    return {.offsets = device.copy_of(graph.offsets),
            .ends = device.copy_of(graph.ends),
            .neighbours = device.copy_of(graph.neighbours),
            .weights = device.copy_of(graph.weights),
            .first_neighbours = device.copy_of(tables.first_neighbours.span()),
            .word_degrees = device.copy_of(tables.word_degrees.span()),
            .first_pieces = device.copy_of(std::span<const std::uint32_t>(tables.pieces.first)),
            .piece_rows = device.copy_of(std::span<const std::uint32_t>(tables.pieces.rows)),
            .labels = device.copy_of(graph.labels),
            .connected = device.copy_of(tables.connected.span()),
            .before = device.copy_of(tables.before.span()),
            .vertices = device.copy_of(graph.vertices),
            .entries = graph.neighbours.size(),
            .label_count = graph.label_count,
            .bounds = graph.bounds};
  }

  [[nodiscard]] ArrayView<const std::uint64_t> ends() const {
    const ArrayView<const std::uint64_t> offsets = arrays_.offsets.constant();
    if (arrays_.ends.size() > 0 || offsets.size == 0) return arrays_.ends.constant();
    return {offsets.data + 1, offsets.size - 1};
  }

  GraphArrays<Device> arrays_;
};

}  // namespace breadth::gpu
