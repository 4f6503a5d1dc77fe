// A graph in the memory of a device.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "gpu/graph_tables.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/phases/write_parents.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Arrays of 32-bit and 64-bit numbers in a device's memory.
template <class Device>
using WordArray = typename Device::template Array<std::uint32_t>;
template <class Device>
using NumberArray = typename Device::template Array<std::uint64_t>;
template <class Device>
auto take_words(const Device& device, std::uint64_t count) {
  return device.template allocate<std::uint32_t>(count);
}
template <class Device>
auto take_numbers(const Device& device, std::uint64_t count) {
  return device.template allocate<std::uint64_t>(count);
}
/// Allocates a copy of an array of the host.
template <class Device, class T>
auto take_copy(const Device& device, std::span<const T> values) {
  auto copy = device.template allocate<T>(values.size());
  device.copy_in(values, copy.view());
  return copy;
}

/// The arrays behind GraphView and LabelView. Device is SimulatedDevice or CudaDevice; CountingDevice
/// (gpu/memory_plan.cpp) allocates nothing, and only counts the bytes.
template <class Device>
struct GraphArrays {
  template <class T>
  using Array = typename Device::template Array<T>;

  Array<std::uint64_t> offsets;
  Array<std::uint64_t> ends;        ///< empty if each row ends where the next one starts
  Array<std::uint32_t> neighbours;  ///< `entries` of all rows; the rest of the array is unused
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

/// Allocates the arrays for a graph of this size, in which this many labels have edges.
template <class Device>
GraphArrays<Device> take_graph_arrays(const Device& device, const DeviceGraphSize& size,
                                      std::uint64_t connected_labels) {
  return {.offsets = take_numbers(device, size.vertices + 1),
          .ends = take_numbers(device, size.own_ends ? size.vertices : 0),
          .neighbours = take_words(device, size.entries),
          .weights = device.template allocate<float>(size.weighted ? size.entries : 0),
          .first_neighbours = take_words(device, size.vertices),
          .word_degrees = take_words(device, words_for(size.vertices)),
          .first_pieces = take_words(device, size.long_rows + 1),
          .piece_rows = take_words(device, size.pieces),
          .labels = take_words(device, size.vertices),
          .connected = take_words(device, words_for(size.labels)),
          .before = take_words(device, words_for(size.labels)),
          .vertices = take_words(device, connected_labels),
          .entries = size.entries,
          .label_count = static_cast<std::uint32_t>(size.labels),
          .bounds = {}};
}

/// A graph on a device, copied from the host or built by kernel 1 on the device (gpu/build/graph_builder.hpp).
template <class Device>
class DeviceGraph {
 public:
  DeviceGraph(Device& device, const HostGraph& graph, ThreadTeam& threads)
      : DeviceGraph(copy_of(device, graph, make_tables(graph, threads))) {}
  explicit DeviceGraph(GraphArrays<Device> arrays) : arrays_(std::move(arrays)) {}

  [[nodiscard]] GraphView graph() const {
    return {.offsets = arrays_.offsets.constant(),
            .ends = ends(),
            .neighbours = arrays_.neighbours.constant().part(0, arrays_.entries),
            .first_neighbours = arrays_.first_neighbours.constant(),
            .word_degrees = arrays_.word_degrees.constant(),
            .first_pieces = arrays_.first_pieces.constant(),
            .piece_rows = arrays_.piece_rows.constant(),
            .bounds = arrays_.bounds};
  }
  /// The weights of the edges to the neighbours, if the graph has any.
  [[nodiscard]] ArrayView<const float> weights() const { return arrays_.weights.constant(); }
  [[nodiscard]] LabelView labels() const {
    return {arrays_.labels.constant(), arrays_.connected.constant(), arrays_.before.constant(),
            arrays_.vertices.constant(), arrays_.label_count};
  }
  [[nodiscard]] DeviceGraphSize size() const {
    return {.vertices = arrays_.bounds.vertices,
            .entries = arrays_.entries,
            .labels = arrays_.label_count,
            .long_rows = arrays_.bounds.long_rows,
            .pieces = arrays_.piece_rows.size(),
            .weighted = arrays_.weights.size() > 0,
            .own_ends = arrays_.ends.size() > 0};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t left_over = arrays_.neighbours.bytes() - arrays_.entries * word_bytes;
    return graph_bytes(size(), arrays_.vertices.size()) + left_over;
  }

 private:
  static GraphArrays<Device> copy_of(Device& device, const HostGraph& graph, const GraphTables& tables) {
    GraphArrays<Device> arrays = take_graph_arrays(device, size_of(graph), graph.vertices.size());
    arrays.bounds = graph.bounds;
    device.copy_in(graph.offsets, arrays.offsets.view());
    device.copy_in(graph.ends, arrays.ends.view());
    device.copy_in(graph.neighbours, arrays.neighbours.view());
    device.copy_in(graph.weights, arrays.weights.view());
    device.copy_in(tables.first_neighbours.span(), arrays.first_neighbours.view());
    device.copy_in(tables.word_degrees.span(), arrays.word_degrees.view());
    device.copy_in(std::span<const std::uint32_t>(tables.pieces.first), arrays.first_pieces.view());
    device.copy_in(std::span<const std::uint32_t>(tables.pieces.rows), arrays.piece_rows.view());
    device.copy_in(graph.labels, arrays.labels.view());
    device.copy_in(tables.connected.span(), arrays.connected.view());
    device.copy_in(tables.before.span(), arrays.before.view());
    device.copy_in(graph.vertices, arrays.vertices.view());
    return arrays;
  }

  [[nodiscard]] ArrayView<const std::uint64_t> ends() const {
    const ArrayView<const std::uint64_t> offsets = arrays_.offsets.constant();
    if (arrays_.ends.size() > 0 || offsets.size == 0) return arrays_.ends.constant();
    return offsets.part(1, offsets.size - 1);
  }

  GraphArrays<Device> arrays_;
};

}  // namespace breadth::gpu
