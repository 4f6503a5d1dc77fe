// Shortest paths in one part of a graph in the memory of a device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/part_paths.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/ranks/distant_phases.hpp"
#include "gpu/ranks/message_memory.hpp"
#include "gpu/ranks/part_frontiers.hpp"
#include "gpu/sssp/split_pile.hpp"
#include "gpu/sssp/tree_phases.hpp"

namespace breadth::gpu {

/// Device is SimulatedDevice or CudaDevice, Messages StagedMessages or DirectMessages. The phases of shortest paths on
/// one device, and those between ranks.
template <class Device, template <class, class> class Messages>
class DevicePartPaths final : public PartPaths {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = Array<std::uint32_t>;

 public:
  DevicePartPaths(Device device, const HostPart& part, ThreadTeam& threads)
      : device_(std::move(device)),
        hub_bits_(part.hub_bits),
        ranks_(part.ranks),
        counted_from_(part.rank == 0 ? 0 : part.hub_bits),
        graph_(device_, part.rows, threads),
        ghost_vertices_(device_.copy_of(part.ghost_vertices)),
        ghost_owners_(device_.copy_of(part.ghost_owners)),
        paths_(numbers(graph_.bounds().vertices)),
        stamps_(words(graph_.bounds().vertices)),
        piled_(words(graph_.bounds().vertices)),
        frontiers_(device_, graph_.bounds().vertices, graph_.pieces()),
        piles_{words(graph_.bounds().vertices), words(graph_.bounds().vertices)},
        pile_sizes_{words(1), words(1)},
        nearest_(words(1)),
        tallies_(numbers(tally_kinds)),
        distant_paths_(numbers(part.hub_bits + part.ghost_vertices.size())),
        untold_(words(part.hub_bits / bits_per_word + part.ghost_owners.size())),
        places_(numbers(part.ranks + std::size_t{1})),
        relaxations_(device_, part.hub_bits + part.ghost_vertices.size(),
                     std::max<std::uint64_t>(part.hub_bits, part.incoming)),
        parents_(words(part.rows.label_count)),
        distances_(device_.template allocate<float>(part.rows.label_count)) {}

  void start(const PartPathOrders& orders) override {
    most_ = orders.most_distance;
    level_ = 0;
    for (Words* array : {&stamps_, &piled_, &untold_}) device_.clear(array->view());
    for (Words& size : pile_sizes_) device_.clear(size.view());
    for (Array<std::uint64_t>* array : {&paths_, &distant_paths_}) {
      device_.launch(ClearPaths{array->view()}, warps_for(array->size()));
    }
    frontiers_.clear(device_);
    if (orders.source == no_vertex) return;
    device_.launch(StartPaths{graph_.graph(), state(), frontiers_.next(), orders.source, orders.source_label}, 1);
  }

  void relax(float bound) override {
    begin_step(bound);
    frontiers_.advance(device_);
    const RelaxPartStep step{{graph_.graph(), graph_.weights(), frontiers_.front(), arrivals(), tallies_.view()},
                             graph_.labels().labels,
                             distant()};
    frontiers_.launch_pieces(device_, RelaxPartPieces{step});
    frontiers_.template launch_rows<RelaxPartRows>(device_, step);
    if (ghost_vertices_.size() == 0) return;
    RelaxGhostsStep beyond{step};
    beyond.graph = rows_beyond(beyond.graph);
    frontiers_.template launch_rows<RelaxGhosts>(device_, beyond);
  }

  [[nodiscard]] float nearest(float settled) override {
    const std::uint32_t piled = device_.read(pile_sizes_[pile_].constant(), 0);
    device_.clear(nearest_.view());
    if (piled > 0) device_.launch(FindNearest{state(), pile(), nearest_.view(), settled}, warps_for(piled));
    if (untold_.size() > 0) {
      device_.launch(FindNearestDistant{{distant(), nearest_.view()}}, warps_for(untold_.size()));
    }
    const std::uint32_t complement = device_.read(nearest_.constant(), 0);
    return complement == 0 ? std::numeric_limits<float>::infinity() : std::bit_cast<float>(~complement);
  }

  void open(float settled, float bound) override {
    begin_step(bound);
    frontiers_.advance(device_);  // from an empty one
    const PileView all = pile();
    const std::uint32_t piled = device_.read(all.size, 0);
    pile_ = 1 - pile_;
    device_.clear(pile().size);
    if (piled > 0) device_.launch(SplitPile{all, arrivals(), tallies_.view(), settled}, warps_for(piled));
  }

  [[nodiscard]] std::span<const Relaxation> take_relaxations(std::span<std::size_t> counts) override {
    const ArrayView<std::uint64_t> places = places_.view();
    const std::uint64_t warps = warps_for(untold_.size());
    std::vector<std::uint64_t> of_ranks(counts.size());
    if (untold_.size() > 0) {
      device_.clear(places);
      device_.launch(CountRelaxations{{{distant(), bound_, places}}}, warps);
      device_.copy_out(places_.constant(), std::span(of_ranks));
    }
    std::copy(of_ranks.begin(), of_ranks.end(), counts.begin());
    std::exclusive_scan(of_ranks.begin(), of_ranks.end(), of_ranks.begin(), std::uint64_t{0});
    first_for_hubs_ = of_ranks.back();
    const std::size_t count = first_for_hubs_ + counts.back();
    if (count > 0) {
      device_.copy_in(std::span<const std::uint64_t>(of_ranks), places);
      device_.launch(WriteRelaxations{{{distant(), bound_, places}, relaxations_.outgoing()}}, warps);
    }
    return relaxations_.take(device_, count);
  }

  void copy_hubs(std::span<Relaxation> relaxations) const override {
    relaxations_.copy_outgoing(device_, first_for_hubs_, relaxations);
  }

  [[nodiscard]] std::span<Relaxation> inbox() override { return relaxations_.inbox(); }

  void answer(std::size_t count) override {
    if (count > 0) take(relaxations_.bring(device_, count), count);
  }
  void take_hubs(std::span<const Relaxation> relaxations) override {
    if (!relaxations.empty()) take(relaxations_.put(device_, relaxations), relaxations.size());
  }

  [[nodiscard]] PartLevel level() const override {
    std::array<std::uint64_t, tally_kinds> sums;
    device_.copy_out(tallies_.constant(), std::span<std::uint64_t>(sums));
    return {sums[edges_examined], sums[vertices_claimed], sums[edges_claimed]};
  }

  void name_tree() override {
    device_.launch(NamePartTree{{{graph_.labels(), state(), parents_.view(), distances_.view()}}},
                   parents_.size() / bits_per_word + 1);
    device_.wait();
  }
  void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const override {
    device_.copy_out(parents_.constant(), parents);
    device_.copy_out(distances_.constant(), distances);
  }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    std::uint64_t bytes = graph_.bytes() + frontiers_.bytes() + relaxations_.bytes() + distances_.bytes();
    for (const Words* array : {&ghost_vertices_, &ghost_owners_, &stamps_, &piled_, &nearest_, &untold_, &parents_}) {
      bytes += array->bytes();
    }
    for (const Words& array : piles_) bytes += array.bytes();
    for (const Words& array : pile_sizes_) bytes += array.bytes();
    for (const Array<std::uint64_t>* array : {&paths_, &tallies_, &distant_paths_, &places_}) bytes += array->bytes();
    return bytes;
  }

 private:
  void begin_step(float bound) {
    bound_ = bound;
    ++level_;
    device_.clear(tallies_.view());
  }
  void take(const ArrayView<const Relaxation>& relaxations, std::size_t count) {
    device_.launch(TakeRelaxations{{relaxations, arrivals(), tallies_.view()}, count}, warps_for(count));
  }

  [[nodiscard]] Words words(std::size_t count) const { return device_.template allocate<std::uint32_t>(count); }
  [[nodiscard]] Array<std::uint64_t> numbers(std::size_t count) const {
    return device_.template allocate<std::uint64_t>(count);
  }
  [[nodiscard]] PathView state() { return {paths_.view(), stamps_.view(), piled_.view()}; }
  [[nodiscard]] PileView pile() { return {piles_[pile_].view(), pile_sizes_[pile_].view()}; }
  [[nodiscard]] Arrivals arrivals() {
    return {graph_.graph(), state(), frontiers_.next(), pile(), level_, bound_, most_, counted_from_};
  }
  [[nodiscard]] DistantView distant() {
    return {distant_paths_.view(),    untold_.view(), ghost_vertices_.constant(),
            ghost_owners_.constant(), hub_bits_,      ranks_};
  }

  Device device_;
  std::uint32_t hub_bits_;
  std::uint32_t ranks_;
  std::uint32_t counted_from_;  ///< hubs are counted on one rank
  DeviceGraph<Device> graph_;
  Words ghost_vertices_;
  Words ghost_owners_;
  Array<std::uint64_t> paths_;  ///< above labels
  Words stamps_;
  Words piled_;
  PartFrontiers<Device> frontiers_;
  std::array<Words, 2> piles_;
  std::array<Words, 2> pile_sizes_;
  std::size_t pile_ = 0;  ///< in which vertices wait
  Words nearest_;
  Array<std::uint64_t> tallies_;
  Array<std::uint64_t> distant_paths_;
  Words untold_;
  Array<std::uint64_t> places_;  ///< of each rank, and of hubs: how many relaxations, then where the next one goes
  Messages<Device, Relaxation> relaxations_;
  Words parents_;
  Array<float> distances_;
  std::uint64_t first_for_hubs_ = 0;  ///< of the relaxations that were taken
  float bound_ = 0;
  float most_ = 0;
  std::uint32_t level_ = 0;  ///< of the step, from 1 on
};

/// By the part's transport, on this device.
template <class Device>
std::unique_ptr<PartPaths> make_part_paths(Device device, const HostPart& part, ThreadTeam& threads) {
  if (stays_on_devices(part.transport)) {
    return std::make_unique<DevicePartPaths<Device, DirectMessages>>(std::move(device), part, threads);
  }
  return std::make_unique<DevicePartPaths<Device, StagedMessages>>(std::move(device), part, threads);
}

}  // namespace breadth::gpu
