// A search in the memory of a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "gpu/bfs/search_control.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/run_program.hpp"
#include "gpu/phases/table_phases.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DeviceSearch final : public Search {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  /// Of a graph that is copied to the device first. Throws OutOfMemory where both do not fit, before it takes any
  /// memory.
  DeviceSearch(Device device, const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads)
      : DeviceSearch(device, copied(device, graph, settings, threads), settings) {}
  /// Of a graph that is there. Throws OutOfMemory where there is no room for the search.
  DeviceSearch(Device device, std::shared_ptr<const DeviceGraph<Device>> graph, const SearchSettings& settings)
      : device_(with_room(std::move(device), *graph, settings)),
        settings_(settings),
        graph_(std::move(graph)),
        visited_(device_.template allocate<std::uint32_t>(words(vertices()))),
        found_(device_.template allocate<std::uint32_t>(words(vertices()))),
        parents_(device_.template allocate<std::uint32_t>(vertices())),
        queues_{Queue(device_, vertices(), graph_->pieces()), Queue(device_, vertices(), graph_->pieces())},
        queue_sizes_(device_.template allocate<std::uint32_t>(counter_sets * row_classes)),
        miss_sizes_(device_.template allocate<std::uint32_t>(counter_sets * miss_classes)),
        tallies_(device_.template allocate<std::uint64_t>(counter_sets * tally_kinds)),
        record_(device_.template allocate<LevelRecord>(settings.record_levels)),
        saved_(device_.template allocate<Saved<SearchState>>(1)),
        result_(device_.template allocate<std::uint32_t>(graph_->labels().count)) {}

  [[nodiscard]] std::uint32_t vertex_of(std::uint32_t label) override {
    // The place of the first parent, which the search writes later.
    if (vertices() == 0) return no_vertex;
    device_.launch(FindVertex{graph_->labels(), label, parents_.view()}, 1);
    return device_.read(parents_.constant(), 0);
  }

  SearchRecord run(const SearchOrders& orders) override {
    SearchRecord record;
    const SearchState end =
        run_program(device_, settings_.control, program_for(orders), saved_.constant(), record_.constant(), record);
    record.leaves_claimed = end.leaves_claimed;
    return record;
  }

  void copy_parents(std::span<std::uint32_t> parents) const override { device_.copy_out(result_.constant(), parents); }

  [[nodiscard]] ArrayView<const std::uint32_t> parents() const override { return result_.constant(); }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_->bytes() + visited_.bytes() + found_.bytes() + parents_.bytes() + queues_[0].bytes() +
           queues_[1].bytes() + queue_sizes_.bytes() + miss_sizes_.bytes() + tallies_.bytes() + record_.bytes() +
           saved_.bytes() + result_.bytes();
  }

 private:
  static std::shared_ptr<const DeviceGraph<Device>> copied(Device& device, const HostGraph& graph,
                                                           const SearchSettings& settings, ThreadTeam& threads) {
    require_memory(plan_memory(size_of(graph), settings.record_levels), device.free_bytes(), device.name());
    return std::make_shared<const DeviceGraph<Device>>(device, graph, threads);
  }
  static Device with_room(Device device, const DeviceGraph<Device>& graph, const SearchSettings& settings) {
    MemoryPlan plan = plan_memory(graph.size(), settings.record_levels);
    plan.graph = 0;
    require_memory(plan, device.free_bytes(), device.name());
    return device;
  }
  [[nodiscard]] std::uint32_t vertices() const { return graph_->bounds().vertices; }

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
    Saved<SearchState>* const saved = saved_.view().data;
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {.graph = graph_->graph(),
            .labels = graph_->labels(),
            .memory = {.visited = visited_.view(),
                       .found = found_.view(),
                       .parents = parents_.view(),
                       .queues = {queues_[0].vertices.view(), queues_[1].vertices.view()},
                       .pieces = {queues_[0].pieces.view(), queues_[1].pieces.view()},
                       .counters = {queue_sizes_.view(), miss_sizes_.view(), tallies_.view()},
                       .record = record_.view(),
                       .state = {&saved->state, 1},
                       .times = {saved->times, search_times},
                       .result = result_.view()},
            .orders = orders,
            .small_edges = persistent ? settings_.small_edges : 0,
            .hub_words = static_cast<std::uint32_t>(std::min<std::uint64_t>(visited_.size(), device_.shared_words()))};
  }

  Device device_;
  SearchSettings settings_;
  std::shared_ptr<const DeviceGraph<Device>> graph_;
  Array<std::uint32_t> visited_;
  Array<std::uint32_t> found_;
  Array<std::uint32_t> parents_;
  std::array<Queue, 2> queues_;
  Array<std::uint32_t> queue_sizes_;
  Array<std::uint32_t> miss_sizes_;
  Array<std::uint64_t> tallies_;
  Array<LevelRecord> record_;
  Array<Saved<SearchState>> saved_;
  Array<std::uint32_t> result_;
};

}  // namespace breadth::gpu
