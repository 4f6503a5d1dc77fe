// The steps of a search as launches of phases, for any device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "gpu/device_graph.hpp"
#include "gpu/frontier_queue.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/name_parents.hpp"
#include "gpu/pull_rows.hpp"
#include "gpu/pull_words.hpp"
#include "gpu/push_rows.hpp"
#include "gpu/search.hpp"
#include "gpu/settle_pull.hpp"
#include "gpu/start_search.hpp"

namespace breadth::gpu {

/// A plain loop on the host launches the phases; a level ends with one copy of its sums to the host. Device is
/// SimulatedDevice or CudaDevice.
template <class Device>
class DeviceSearch final : public Search {
  template <class T>
  using Array = typename Device::template Array<T>;
  static constexpr std::uint32_t group = 8;

 public:
  /// Throws OutOfMemory where it does not fit, before it takes any memory.
  DeviceSearch(Device device, const HostGraph& graph, ThreadTeam& threads)
      : device_(with_room(std::move(device), graph)),
        graph_(device_, graph, threads),
        bounds_(graph.bounds),
        visited_(device_.template allocate<std::uint32_t>(words())),
        found_(device_.template allocate<std::uint32_t>(words())),
        parents_(device_.template allocate<std::uint32_t>(bounds_.vertices)),
        front_(device_, bounds_.vertices, graph_.pieces()),
        next_(device_, bounds_.vertices, graph_.pieces()),
        miss_sizes_(device_.template allocate<std::uint32_t>(miss_classes)),
        tallies_(device_.template allocate<std::uint64_t>(tally_kinds)),
        result_(device_.template allocate<std::uint32_t>(graph.label_count)) {}

  void clear() override { device_.clear(visited_); }

  void start(std::uint32_t source) override {
    clear();
    device_.clear(front_.sizes);
    device_.launch(StartSearch{graph_.graph(), search(), front_.view(), source}, 1);
    queued_ = true;
    frontier_ = 1;
  }

  LevelCounts push(std::uint32_t visit_before) override {
    if (!queued_) collect();
    device_.clear(tallies_);
    device_.clear(next_.sizes);
    const PushStep step{graph_.graph(), search(), front_.view(), next_.view(), visit_before};
    if (graph_.pieces() > 0) device_.launch(PushPieces{step}, graph_.pieces());
    device_.launch(PushRows<warp_lanes>{step, by_warps}, frontier_);
    device_.launch(PushRows<group>{step, by_groups}, frontier_ * group / warp_lanes + 1);
    device_.launch(PushRows<1>{step, by_lanes}, frontier_ / warp_lanes + 1);
    std::swap(front_, next_);
    queued_ = true;
    return end_level();
  }

  LevelCounts pull() override {
    device_.clear(tallies_);
    device_.clear(miss_sizes_);
    pull_words(0, bounds_.searched);
    if (bounds_.asked > 0)
      device_.launch(PullRows<warp_lanes>{graph_.graph(), search(), misses(), missed_by_warps}, bounds_.asked);
    device_.launch(PullRows<group>{graph_.graph(), search(), misses(), missed_by_groups},
                   (bounds_.longer - bounds_.asked) * std::uint64_t{group} / warp_lanes + 1);
    settle(0, bounds_.searched);
    queued_ = false;
    return end_level();
  }

  LevelCounts visit_leaves() override {
    device_.clear(tallies_);
    pull_words(bounds_.searched, bounds_.vertices);
    settle(bounds_.searched, bounds_.vertices);
    return end_level();
  }

  void name_parents() override {
    device_.launch(NameParents{graph_.labels(), search(), result_.view()}, result_.size() / bits_per_word + 1);
    device_.wait();
  }

  void copy_parents(std::span<std::uint32_t> parents) const override { device_.copy_out(result_, parents); }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return graph_.bytes() + visited_.bytes() + found_.bytes() + parents_.bytes() + front_.bytes() + next_.bytes() +
           miss_sizes_.bytes() + tallies_.bytes() + result_.bytes();
  }

 private:
  static Device with_room(Device device, const HostGraph& graph) {
    require_memory(plan_memory(graph), device.free_bytes(), device.name());
    return device;
  }

  struct Queue {
    Queue(Device& device, std::uint64_t vertex_count, std::uint64_t piece_count)
        : vertices(device.template allocate<std::uint32_t>(vertex_count)),
          pieces(device.template allocate<std::uint32_t>(piece_count)),
          sizes(device.template allocate<std::uint32_t>(row_classes)) {}
    [[nodiscard]] QueueView view() { return {vertices.view(), pieces.view(), sizes.view()}; }
    [[nodiscard]] std::uint64_t bytes() const { return vertices.bytes() + pieces.bytes() + sizes.bytes(); }

    Array<std::uint32_t> vertices;
    Array<std::uint32_t> pieces;
    Array<std::uint32_t> sizes;
  };

  [[nodiscard]] std::uint64_t words() const {
    return (std::uint64_t{bounds_.vertices} + bits_per_word - 1) / bits_per_word;
  }
  [[nodiscard]] SearchView search() { return {visited_.view(), found_.view(), parents_.view(), tallies_.view()}; }
  /// No push's queue is in use while a level pulls.
  [[nodiscard]] MissView misses() { return {next_.vertices.view(), miss_sizes_.view()}; }

  void collect() {
    device_.clear(front_.sizes);
    device_.launch(CollectFrontier{graph_.graph(), search(), front_.view()}, words() / warp_lanes + 1);
  }
  void pull_words(std::uint32_t begin, std::uint32_t end) {
    const auto hub_words = static_cast<std::uint32_t>(std::min<std::uint64_t>(words(), device_.shared_words()));
    device_.launch(PullWords{graph_.graph(), search(), misses(), begin, end, hub_words}, warps_for(begin, end));
  }
  void settle(std::uint32_t begin, std::uint32_t end) {
    device_.launch(SettlePull{graph_.graph(), search(), begin, end}, warps_for(begin, end));
  }
  /// Warps that take 32 words each.
  static std::uint64_t warps_for(std::uint32_t begin, std::uint32_t end) {
    return (end - begin) / (bits_per_word * warp_lanes) + 1;
  }

  LevelCounts end_level() {
    std::array<std::uint64_t, tally_kinds> sums{};
    device_.copy_out(tallies_, std::span<std::uint64_t>(sums));
    frontier_ = sums[vertices_claimed];
    return {sums[edges_examined], sums[vertices_claimed], sums[edges_claimed]};
  }

  Device device_;
  DeviceGraph<Device> graph_;
  RowBounds bounds_;
  Array<std::uint32_t> visited_;
  Array<std::uint32_t> found_;
  Array<std::uint32_t> parents_;
  Queue front_;
  Queue next_;
  Array<std::uint32_t> miss_sizes_;
  Array<std::uint64_t> tallies_;
  Array<std::uint32_t> result_;
  std::uint64_t frontier_ = 0;  ///< vertices in it
  bool queued_ = false;         ///< whether front_ holds it; else it is what found_ has
};

}  // namespace breadth::gpu
