// A graph in the memory of a device.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/graph_tables.hpp"
#include "gpu/name_parents.hpp"
#include "gpu/search.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// Copies a graph to a device once.
template <class Device>
class DeviceGraph {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  DeviceGraph(Device& device, const HostGraph& graph, ThreadTeam& threads)
      : DeviceGraph(device, graph, make_tables(graph, threads)) {}

  [[nodiscard]] GraphView graph() const {
    return {offsets_.constant(),
            neighbours_.constant(),
            first_neighbours_.constant(),
            word_degrees_.constant(),
            first_pieces_.constant(),
            piece_rows_.constant(),
            bounds_};
  }
  /// Beside the neighbours, where the graph has any.
  [[nodiscard]] ArrayView<const float> weights() const { return weights_.constant(); }
  [[nodiscard]] LabelView labels() const {
    return {labels_.constant(), connected_.constant(), before_.constant(), vertices_.constant(), label_count_};
  }
  [[nodiscard]] std::uint64_t pieces() const { return piece_rows_.size(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return offsets_.bytes() + neighbours_.bytes() + weights_.bytes() + first_neighbours_.bytes() +
           word_degrees_.bytes() + first_pieces_.bytes() + piece_rows_.bytes() + labels_.bytes() + connected_.bytes() +
           before_.bytes() + vertices_.bytes();
  }

 private:
  DeviceGraph(Device& device, const HostGraph& graph, const GraphTables& tables)
      : offsets_(device.copy_of(graph.offsets)),
        neighbours_(device.copy_of(graph.neighbours)),
        weights_(device.copy_of(graph.weights)),
        first_neighbours_(device.copy_of(tables.first_neighbours.span())),
        word_degrees_(device.copy_of(tables.word_degrees.span())),
        first_pieces_(device.copy_of(std::span<const std::uint32_t>(tables.first_pieces))),
        piece_rows_(device.copy_of(std::span<const std::uint32_t>(tables.piece_rows))),
        labels_(device.copy_of(graph.labels)),
        connected_(device.copy_of(tables.connected.span())),
        before_(device.copy_of(tables.before.span())),
        vertices_(device.copy_of(graph.vertices)),
        label_count_(graph.label_count),
        bounds_(graph.bounds) {}

  Array<std::uint64_t> offsets_;
  Array<std::uint32_t> neighbours_;
  Array<float> weights_;
  Array<std::uint32_t> first_neighbours_;
  Array<std::uint32_t> word_degrees_;
  Array<std::uint32_t> first_pieces_;
  Array<std::uint32_t> piece_rows_;
  Array<std::uint32_t> labels_;
  Array<std::uint32_t> connected_;
  Array<std::uint32_t> before_;
  Array<std::uint32_t> vertices_;
  std::uint32_t label_count_;
  RowBounds bounds_;
};

}  // namespace breadth::gpu
