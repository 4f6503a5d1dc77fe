// Shortest paths in the memory of a device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "gpu/memory_plan.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/run_program.hpp"
#include "gpu/search.hpp"
#include "gpu/sssp/paths_control.hpp"

namespace breadth::gpu {

/// Device is SimulatedDevice or CudaDevice.
template <class Device>
class DevicePaths final : public Paths {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = Array<std::uint32_t>;

 public:
  /// Throws OutOfMemory where it does not fit, before it takes any memory.
  DevicePaths(Device device, const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads)
      : device_(with_room(std::move(device), graph, settings)),
        settings_(settings),
        graph_(device_, graph, threads),
        paths_(device_.template allocate<std::uint64_t>(graph.bounds.vertices)),
        stamps_(words(graph.bounds.vertices)),
        piled_(words(graph.bounds.vertices)),
        queues_{words(graph.bounds.vertices), words(graph.bounds.vertices)},
        pieces_{words(graph_.pieces()), words(graph_.pieces())},
        piles_{words(graph.bounds.vertices), words(graph.bounds.vertices)},
        queue_sizes_(words(counter_sets * row_classes)),
        tallies_(device_.template allocate<std::uint64_t>(counter_sets * tally_kinds)),
        pile_sizes_(words(counter_sets)),
        nearest_(words(counter_sets)),
        record_(device_.template allocate<LevelRecord>(settings.record_levels)),
        saved_(device_.template allocate<Saved<PathsState>>(1)),
        parents_(words(graph.label_count)),
        distances_(device_.template allocate<float>(graph.label_count)) {}

  SearchRecord run(const PathOrders& orders) override {
    SearchRecord record;
    run_program(device_, settings_.control, program_for(orders), saved_.constant(), record_.constant(), record);
    return record;
  }

  void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const override {
    device_.copy_out(parents_.constant(), parents);
    device_.copy_out(distances_.constant(), distances);
  }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_.bytes() + paths_.bytes() + stamps_.bytes() + piled_.bytes() + queues_[0].bytes() +
           queues_[1].bytes() + pieces_[0].bytes() + pieces_[1].bytes() + piles_[0].bytes() + piles_[1].bytes() +
           queue_sizes_.bytes() + tallies_.bytes() + pile_sizes_.bytes() + nearest_.bytes() + record_.bytes() +
           saved_.bytes() + parents_.bytes() + distances_.bytes();
  }

 private:
  static Device with_room(Device device, const HostGraph& graph, const SearchSettings& settings) {
    require_memory(plan_paths_memory(size_of(graph), settings.record_levels), device.free_bytes(), device.name());
    return device;
  }
  [[nodiscard]] Words words(std::size_t count) const { return device_.template allocate<std::uint32_t>(count); }

  PathsControl program_for(const PathOrders& orders) {
    Saved<PathsState>* const saved = saved_.view().data;
    const bool persistent = settings_.control == DeviceControl::persistent;
    return {.graph = graph_.graph(),
            .weights = graph_.weights(),
            .labels = graph_.labels(),
            .memory = {.state = {paths_.view(), stamps_.view(), piled_.view()},
                       .queues = {queues_[0].view(), queues_[1].view()},
                       .pieces = {pieces_[0].view(), pieces_[1].view()},
                       .piles = {piles_[0].view(), piles_[1].view()},
                       .counters = {.queue_sizes = queue_sizes_.view(), .tallies = tallies_.view()},
                       .pile_sizes = pile_sizes_.view(),
                       .nearest = nearest_.view(),
                       .record = record_.view(),
                       .saved = {&saved->state, 1},
                       .times = {saved->times, search_times},
                       .parents = parents_.view(),
                       .distances = distances_.view()},
            .orders = orders,
            .small_edges = persistent ? settings_.small_edges : 0};
  }

  Device device_;
  SearchSettings settings_;
  DeviceGraph<Device> graph_;
  Array<std::uint64_t> paths_;
  Words stamps_;
  Words piled_;
  std::array<Words, 2> queues_;
  std::array<Words, 2> pieces_;
  std::array<Words, 2> piles_;
  Words queue_sizes_;
  Array<std::uint64_t> tallies_;
  Words pile_sizes_;
  Words nearest_;
  Array<LevelRecord> record_;
  Array<Saved<PathsState>> saved_;
  Words parents_;
  Array<float> distances_;
};

}  // namespace breadth::gpu
