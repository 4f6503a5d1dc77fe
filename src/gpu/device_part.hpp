// A search of one part of a graph in the memory of a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device_graph.hpp"
#include "gpu/each.hpp"
#include "gpu/ghost_phases.hpp"
#include "gpu/hub_phases.hpp"
#include "gpu/part_search.hpp"
#include "gpu/pull_rows.hpp"
#include "gpu/pull_words.hpp"
#include "gpu/push_rows.hpp"
#include "gpu/query_memory.hpp"
#include "gpu/settle_pull.hpp"
#include "gpu/start_search.hpp"

namespace breadth::gpu {

/// Device is SimulatedDevice or CudaDevice, Queries StagedQueries or DirectQueries. The phases of a search on one
/// device, but for those between ranks.
template <class Device, template <class> class Queries>
class DevicePartSearch final : public PartSearch {
  template <class T>
  using Array = typename Device::template Array<T>;
  using Words = Array<std::uint32_t>;

 public:
  DevicePartSearch(Device device, const HostPart& part, ThreadTeam& threads)
      : device_(std::move(device)),
        hub_bits_(part.hub_bits),
        graph_(device_, part.rows, threads),
        ghost_vertices_(device_.copy_of(part.ghost_vertices)),
        ghost_owners_(device_.copy_of(part.ghost_owners)),
        visited_(words(bitmap_words())),
        found_(words(bitmap_words())),
        named_(words(bitmap_words())),
        parents_(words(vertices())),
        queues_{Queue(*this), Queue(*this)},
        miss_sizes_(words(miss_classes)),
        tallies_(numbers(tally_kinds)),
        reached_(words(part.ghost_owners.size())),
        told_(words(part.ghost_owners.size())),
        ghost_parents_(words(part.ghost_vertices.size())),
        places_(numbers(part.ranks)),
        queries_(device_, part.ghost_vertices.size(), part.incoming),
        masks_(words(hub_bits_ / bits_per_word)),
        result_(words(part.rows.label_count)) {}

  void start(std::uint32_t source) override {
    for (Words* array : {&visited_, &named_, &reached_, &told_, &queues_[0].sizes, &queues_[1].sizes}) {
      device_.clear(array->view());
    }
    device_.clear(tallies_.view());
    if (source != no_vertex) device_.launch(StartSearch{graph_.graph(), view(), next(), source}, 1);
  }

  [[nodiscard]] std::uint64_t edges_of(std::uint32_t vertex) const override {
    const GraphView graph = graph_.graph();
    return device_.read(graph.ends, vertex) - device_.read(graph.offsets, vertex);
  }

  void visit(Direction direction) override {
    front_ = 1 - front_;
    device_.clear(next().sizes);
    device_.clear(tallies_.view());
    std::array<std::uint32_t, row_classes> sizes;
    device_.copy_out(queues_[front_].sizes.constant(), std::span<std::uint32_t>(sizes));
    if (direction == Direction::push) {
      push(sizes);
    } else {
      pull();
    }
    push_ghosts(sizes);
  }

  [[nodiscard]] std::span<const Query> take_queries(std::span<std::size_t> counts) override {
    const ArrayView<std::uint64_t> places = places_.view();
    const std::uint64_t warps = reached_.size() / warp_lanes + 1;
    device_.clear(places);
    device_.launch(CountQueries{{ghosts(), places}}, warps);
    std::vector<std::uint64_t> of_ranks(counts.size());
    device_.copy_out(places_.constant(), std::span(of_ranks));
    std::copy(of_ranks.begin(), of_ranks.end(), counts.begin());
    std::exclusive_scan(of_ranks.begin(), of_ranks.end(), of_ranks.begin(), std::uint64_t{0});
    device_.copy_in(std::span<const std::uint64_t>(of_ranks), places);
    device_.launch(WriteQueries{{ghosts(), places, graph_.labels().labels, queries_.outgoing()}}, warps);
    return queries_.take(device_, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  }

  [[nodiscard]] std::span<Query> inbox() override { return queries_.inbox(); }

  void answer(std::size_t count) override {
    if (count == 0) return;
    const ArrayView<const Query> queries = queries_.bring(device_, count);
    device_.launch(AnswerQueries{{queries, graph_.graph(), view(), named_.view(), next()}, count}, warps_for(count));
  }

  void copy_hubs(std::span<std::uint64_t> visited) const override {
    std::vector<std::uint32_t> bits(masks_.size());
    device_.copy_out(ArrayView<const std::uint32_t>{visited_.constant().data, bits.size()}, std::span(bits));
    for (std::size_t word = 0; word < visited.size(); ++word) {
      visited[word] = bits[2 * word] | std::uint64_t{bits[2 * word + 1]} << bits_per_word;
    }
  }

  void join_hubs(std::span<const std::uint64_t> visited) override {
    if (visited.empty()) return;
    std::vector<std::uint32_t> bits;
    for (const std::uint64_t word : visited) {
      bits.push_back(static_cast<std::uint32_t>(word));
      bits.push_back(static_cast<std::uint32_t>(word >> bits_per_word));
    }
    device_.copy_in(std::span<const std::uint32_t>(bits), masks_.view());
    device_.launch(JoinHubs{graph_.graph(), view(), masks_.constant(), next()}, masks_.size() / warp_lanes + 1);
  }

  [[nodiscard]] PartLevel level() const override {
    std::array<std::uint64_t, tally_kinds> sums;
    device_.copy_out(tallies_.constant(), std::span<std::uint64_t>(sums));
    return {sums[edges_examined], sums[vertices_claimed], sums[edges_claimed]};
  }

  void name_hubs(std::span<std::uint32_t> parents) override {
    if (parents.empty()) return;
    device_.launch(NameHubs{view(), named_.view(), graph_.labels().labels, hub_bits_}, hub_bits_ / bits_per_word);
    device_.copy_out(ArrayView<const std::uint32_t>{parents_.constant().data, parents.size()}, parents);
  }
  void set_hub_parents(std::span<const std::uint32_t> parents) override { device_.copy_in(parents, parents_.view()); }

  void name_parents() override {
    device_.launch(NamePartParents{{graph_.labels(), view(), named_.constant(), result_.view()}},
                   result_.size() / bits_per_word + 1);
    device_.wait();
  }
  void copy_parents(std::span<std::uint32_t> parents) const override { device_.copy_out(result_.constant(), parents); }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    std::uint64_t bytes = graph_.bytes() + tallies_.bytes() + places_.bytes() + queries_.bytes();
    for (const Words* array : {&ghost_vertices_, &ghost_owners_, &visited_, &found_, &named_, &parents_, &miss_sizes_,
                               &reached_, &told_, &ghost_parents_, &masks_, &result_}) {
      bytes += array->bytes();
    }
    for (const Queue& queue : queues_) bytes += queue.vertices.bytes() + queue.pieces.bytes() + queue.sizes.bytes();
    return bytes;
  }

 private:
  struct Queue {
    explicit Queue(const DevicePartSearch& part)
        : vertices(part.words(part.vertices())),
          pieces(part.words(part.graph_.pieces())),
          sizes(part.words(row_classes)) {}

    Words vertices;
    Words pieces;
    Words sizes;
  };

  void push(const std::array<std::uint32_t, row_classes>& sizes) {
    const GraphView graph = graph_.graph();
    const PushStep step{graph, view(), front(), next(), graph.bounds.vertices};
    if (sizes[by_pieces] > 0) device_.launch(PushPieces{step}, sizes[by_pieces]);
    launch_rows<PushRows>(step, sizes);
  }

  /// What it finds is queued, since ghosts are pushed to from there. The next queue has the misses until then.
  void pull() {
    const GraphView graph = graph_.graph();
    const std::uint32_t end = graph.bounds.searched;
    const MissView misses{next().vertices, miss_sizes_.view()};
    const auto hub_words = static_cast<std::uint32_t>(std::min<std::uint64_t>(visited_.size(), device_.shared_words()));
    const std::uint64_t warps = end / (bits_per_word * warp_lanes) + 1;
    device_.clear(misses.sizes);
    device_.launch(PullWords{graph, view(), misses, 0, end, hub_words}, warps);
    std::array<std::uint32_t, miss_classes> missed;
    device_.copy_out(miss_sizes_.constant(), std::span<std::uint32_t>(missed));
    if (missed[missed_by_warps] > 0) {
      device_.launch(PullRows<warp_lanes>{graph, view(), misses, missed_by_warps}, missed[missed_by_warps]);
    }
    if (missed[missed_by_groups] > 0) {
      device_.launch(PullRows<group_lanes>{graph, view(), misses, missed_by_groups},
                     std::uint64_t{missed[missed_by_groups]} * group_lanes / warp_lanes + 1);
    }
    device_.launch(SettlePull{graph, view(), 0, end}, warps);
    device_.launch(CollectFrontier{graph, view(), next()}, warps);
  }

  /// Rows in pieces are hubs', which have no ghosts.
  void push_ghosts(const std::array<std::uint32_t, row_classes>& sizes) {
    if (reached_.size() == 0) return;
    launch_rows<PushGhosts>(PushGhostsStep{ghost_rows(), ghosts(), front(), tallies_.view()}, sizes);
  }

  /// Walks along the rows of the queue, class by class.
  template <template <std::uint32_t> class Rows, class Step>
  void launch_rows(const Step& step, const std::array<std::uint32_t, row_classes>& sizes) {
    if (sizes[by_warps] > 0) device_.launch(Rows<warp_lanes>{step, by_warps}, sizes[by_warps]);
    if (sizes[by_groups] > 0) {
      device_.launch(Rows<group_lanes>{step, by_groups},
                     std::uint64_t{sizes[by_groups]} * group_lanes / warp_lanes + 1);
    }
    if (sizes[by_lanes] > 0) device_.launch(Rows<1>{step, by_lanes}, sizes[by_lanes] / warp_lanes + 1);
  }

  /// The other part of each row.
  [[nodiscard]] GraphView ghost_rows() const {
    GraphView rows = graph_.graph();
    const ArrayView<const std::uint64_t> begins = rows.offsets;
    rows.offsets = rows.ends;
    rows.ends = {begins.data + 1, rows.ends.size};
    return rows;
  }

  [[nodiscard]] Words words(std::size_t count) const { return device_.template allocate<std::uint32_t>(count); }
  [[nodiscard]] Array<std::uint64_t> numbers(std::size_t count) const {
    return device_.template allocate<std::uint64_t>(count);
  }
  [[nodiscard]] std::uint32_t vertices() const { return graph_.bounds().vertices; }
  [[nodiscard]] std::size_t bitmap_words() const {
    return (std::size_t{vertices()} + bits_per_word - 1) / bits_per_word;
  }

  [[nodiscard]] SearchView view() { return {visited_.view(), found_.view(), parents_.view(), tallies_.view()}; }
  [[nodiscard]] GhostView ghosts() {
    return {reached_.view(), told_.view(), ghost_parents_.view(), ghost_vertices_.constant(), ghost_owners_.constant()};
  }
  [[nodiscard]] QueueView queue(std::size_t which) {
    return {queues_[which].vertices.view(), queues_[which].pieces.view(), queues_[which].sizes.view()};
  }
  [[nodiscard]] QueueView front() { return queue(front_); }
  [[nodiscard]] QueueView next() { return queue(1 - front_); }

  Device device_;
  std::uint32_t hub_bits_;
  DeviceGraph<Device> graph_;
  Words ghost_vertices_;
  Words ghost_owners_;
  Words visited_;
  Words found_;
  Words named_;
  Words parents_;
  std::array<Queue, 2> queues_;
  std::size_t front_ = 0;  ///< which queue has the frontier
  Words miss_sizes_;
  Array<std::uint64_t> tallies_;
  Words reached_;
  Words told_;
  Words ghost_parents_;
  Array<std::uint64_t> places_;  ///< of each rank: how many queries, then where the next one goes
  Queries<Device> queries_;
  Words masks_;
  Words result_;
};

/// By the part's transport, on this device.
template <class Device>
std::unique_ptr<PartSearch> make_part_search(Device device, const HostPart& part, ThreadTeam& threads) {
  if (part.transport == DeviceTransport::direct) {
    return std::make_unique<DevicePartSearch<Device, DirectQueries>>(std::move(device), part, threads);
  }
  return std::make_unique<DevicePartSearch<Device, StagedQueries>>(std::move(device), part, threads);
}

}  // namespace breadth::gpu
