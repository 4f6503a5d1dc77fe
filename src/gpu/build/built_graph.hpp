// A graph that was built on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gpu/bfs/device_search.hpp"
#include "gpu/edges.hpp"
#include "gpu/phases/device_graph.hpp"

namespace breadth::gpu {

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class BuiltDeviceGraph final : public BuiltGraph {
 public:
  BuiltDeviceGraph(Device device, std::shared_ptr<const DeviceGraph<Device>> graph, const BuildRecord& record)
      : device_(std::move(device)), graph_(std::move(graph)), record_(record) {}

  [[nodiscard]] DeviceGraphSize size() const override { return graph_->size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return graph_->bytes(); }
  [[nodiscard]] const BuildRecord& record() const override { return record_; }
  [[nodiscard]] std::vector<std::uint32_t> connected() const override { return copied(graph_->labels().connected); }

  [[nodiscard]] GraphCopy copy() const override {
    const GraphView graph = graph_->graph();
    const LabelView labels = graph_->labels();
    return {.offsets = copied(graph.offsets),
            .neighbours = copied(graph.neighbours),
            .first_neighbours = copied(graph.first_neighbours),
            .word_degrees = copied(graph.word_degrees),
            .first_pieces = copied(graph.first_pieces),
            .piece_rows = copied(graph.piece_rows),
            .labels = copied(labels.labels),
            .connected = copied(labels.connected),
            .before = copied(labels.before),
            .vertices = copied(labels.vertices),
            .bounds = graph.bounds};
  }

  [[nodiscard]] std::unique_ptr<Search> search(const SearchSettings& settings) const override {
    return std::make_unique<DeviceSearch<Device>>(device_, graph_, settings);
  }

 private:
  template <class T>
  [[nodiscard]] std::vector<T> copied(const ArrayView<const T>& array) const {
    std::vector<T> values(array.size);
    device_.copy_out(array, std::span(values));
    return values;
  }

  Device device_;
  std::shared_ptr<const DeviceGraph<Device>> graph_;
  BuildRecord record_;
};

}  // namespace breadth::gpu
