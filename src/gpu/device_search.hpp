// A search in the memory of a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device_graph.hpp"
#include "gpu/host_grid.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/search_control.hpp"

namespace breadth::gpu {

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DeviceSearch final : public Search {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  /// Throws OutOfMemory where it does not fit, before it takes any memory.
  DeviceSearch(Device device, const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads)
      : device_(with_room(std::move(device), graph, settings)),
        settings_(settings),
        graph_(device_, graph, threads),
        visited_(device_.template allocate<std::uint32_t>(words(graph.bounds.vertices))),
        found_(device_.template allocate<std::uint32_t>(words(graph.bounds.vertices))),
        parents_(device_.template allocate<std::uint32_t>(graph.bounds.vertices)),
        queues_{Queue(device_, graph.bounds.vertices, graph_.pieces()),
                Queue(device_, graph.bounds.vertices, graph_.pieces())},
        queue_sizes_(device_.template allocate<std::uint32_t>(counter_sets * row_classes)),
        miss_sizes_(device_.template allocate<std::uint32_t>(counter_sets * miss_classes)),
        tallies_(device_.template allocate<std::uint64_t>(counter_sets * tally_kinds)),
        record_(device_.template allocate<LevelRecord>(settings.record_levels)),
        state_(device_.template allocate<SearchState>(1)),
        result_(device_.template allocate<std::uint32_t>(graph.label_count)) {}

  SearchRecord run(const SearchOrders& orders) override {
    SearchControl program = program_for(orders);
    SearchRecord record;
    for (;;) {
      carry_out(program);
      const SearchState state = device_.read(state_.constant(), 0);
      append_levels(record.levels, state.recorded);
      record.leaves_claimed = state.leaves_claimed;
      if (settings_.control == DeviceControl::persistent) ++record.launches;
      if (state.over) return record;
      program.goes_on = true;
    }
  }

  void copy_parents(std::span<std::uint32_t> parents) const override { device_.copy_out(result_.constant(), parents); }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_.bytes() + visited_.bytes() + found_.bytes() + parents_.bytes() + queues_[0].bytes() +
           queues_[1].bytes() + queue_sizes_.bytes() + miss_sizes_.bytes() + tallies_.bytes() + record_.bytes() +
           state_.bytes() + result_.bytes();
  }

 private:
  static Device with_room(Device device, const HostGraph& graph, const SearchSettings& settings) {
    require_memory(plan_memory(size_of(graph), settings.record_levels), device.free_bytes(), device.name());
    return device;
  }

  struct Queue {
    Queue(Device& device, std::uint64_t vertex_count, std::uint64_t piece_count)
        : vertices(device.template allocate<std::uint32_t>(vertex_count)),
          pieces(device.template allocate<std::uint32_t>(piece_count)) {}
    [[nodiscard]] std::uint64_t bytes() const { return vertices.bytes() + pieces.bytes(); }

    Array<std::uint32_t> vertices;
    Array<std::uint32_t> pieces;
  };

  static std::uint64_t words(std::uint64_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }

  SearchControl program_for(const SearchOrders& orders) {
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {.graph = graph_.graph(),
            .labels = graph_.labels(),
            .memory = {.visited = visited_.view(),
                       .found = found_.view(),
                       .parents = parents_.view(),
                       .queues = {queues_[0].vertices.view(), queues_[1].vertices.view()},
                       .pieces = {queues_[0].pieces.view(), queues_[1].pieces.view()},
                       .counters = {queue_sizes_.view(), miss_sizes_.view(), tallies_.view()},
                       .record = record_.view(),
                       .state = state_.view(),
                       .result = result_.view()},
            .orders = orders,
            .small_edges = persistent ? settings_.small_edges : 0,
            .hub_words = static_cast<std::uint32_t>(std::min<std::uint64_t>(visited_.size(), device_.shared_words()))};
  }

  void carry_out(const SearchControl& program) {
    if (settings_.control == DeviceControl::persistent) {
      device_.run(program);
    } else {
      HostGrid<Device> grid(device_);
      program.run(grid);
    }
  }

  void append_levels(std::vector<LevelRecord>& levels, std::size_t count) const {
    if (count == 0) return;
    levels.resize(levels.size() + count);
    const ArrayView<const LevelRecord> all = record_.constant();
    device_.copy_out(ArrayView<const LevelRecord>{all.data, count}, std::span(levels).last(count));
  }

  Device device_;
  SearchSettings settings_;
  DeviceGraph<Device> graph_;
  Array<std::uint32_t> visited_;
  Array<std::uint32_t> found_;
  Array<std::uint32_t> parents_;
  std::array<Queue, 2> queues_;
  Array<std::uint32_t> queue_sizes_;
  Array<std::uint32_t> miss_sizes_;
  Array<std::uint64_t> tallies_;
  Array<LevelRecord> record_;
  Array<SearchState> state_;
  Array<std::uint32_t> result_;
};

}  // namespace breadth::gpu
