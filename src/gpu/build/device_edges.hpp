// An edge list in the memory of a device, and the graph that is built of it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpu/bfs/device_search.hpp"
#include "gpu/build/graph_builder.hpp"
#include "gpu/check/tree_checker.hpp"
#include "gpu/edges.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/tuples/tuple_blocks.hpp"

namespace breadth::gpu {

/// A graph that was built on a device. Device is SimulatedDevice or CudaDevice.
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

/// An edge list on a device. Device and Algorithms are CudaDevice with CudaAlgorithms, or SimulatedDevice with
/// SimulatedAlgorithms.
template <class Device, class Algorithms>
class DeviceEdges final : public Edges {
 public:
  DeviceEdges(Device device, const TupleSource& source, ThreadTeam& threads)
      : device_(std::move(device)), blocks_(device_, source, threads) {
    device_.wait();
  }

  [[nodiscard]] std::uint64_t size() const override { return blocks_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return blocks_.bytes(); }

  void copy_tuples(std::span<std::uint32_t> sources, std::span<std::uint32_t> targets,
                   std::span<float> weights) override {
    std::uint64_t first = 0;
    blocks_.for_each([&](const TupleView& block) {
      copy_out(block.sources, sources, first);
      copy_out(block.targets, targets, first);
      if (!weights.empty()) copy_out(block.weights, weights, first);
      first += block.size();
    });
  }

  std::uint64_t reserve(std::uint64_t labels) override {
    return device_.reserve(bytes_to_reserve(labels, 2 * blocks_.size(), device_.free_bytes()));
  }

  std::unique_ptr<BuiltGraph> build(const BuildSettings& settings) override {
    GraphBuilder<Device, Algorithms> builder(device_, blocks_, settings);
    auto graph = std::make_shared<const DeviceGraph<Device>>(builder.build());
    device_.wait();
    return std::make_unique<BuiltDeviceGraph<Device>>(device_, std::move(graph), builder.record());
  }

  TreeFindings check_tree(const ArrayView<const std::uint32_t>& parents, std::uint32_t root) override {
    return checker(parents.size, false).check(blocks_, parents, root);
  }
  TreeFindings check_tree(std::span<const std::uint32_t> parents, std::uint32_t root) override {
    const auto copy = take_copy(device_, parents);
    return check_tree(copy.constant(), root);
  }
  TreeFindings check_paths(std::span<const std::uint32_t> parents, std::span<const float> distances,
                           std::uint32_t root) override {
    const auto parents_there = take_copy(device_, parents);
    const auto distances_there = take_copy(device_, distances);
    return checker(parents.size(), true).check(blocks_, parents_there.constant(), distances_there.constant(), root);
  }

 private:
  TreeChecker<Device>& checker(std::uint64_t labels, bool with_distances) {
    if (!checker_ || !checker_->is_for(labels, with_distances)) {
      checker_.reset();
      require_check_memory(tree_check_bytes(labels, with_distances), device_.free_bytes(), device_.name());
      checker_.emplace(device_, labels, with_distances);
    }
    return *checker_;
  }

  template <class T>
  void copy_out(const ArrayView<T>& block, std::span<T> all, std::uint64_t first) const {
    device_.copy_out(ArrayView<const T>{block.data, block.size}, all.subspan(first, block.size));
  }

  Device device_;
  TupleBlocks<Device> blocks_;
  std::optional<TreeChecker<Device>> checker_;
};

}  // namespace breadth::gpu
