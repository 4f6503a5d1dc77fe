// A breadth-first search of one part of a graph in the memory of a device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/bfs/search_phases.hpp"
#include "gpu/part_search.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/ranks/part_memory.hpp"

namespace breadth::gpu {

// Between devices: ghosts that a frontier leads to, the queries to their owners, and the owners' answers.

/// The ghosts of a part (gpu/part_search.hpp) in a search. A parent counts only if its ghost is reached.
struct GhostView {
  ArrayView<std::uint32_t> reached;         ///< one bit per ghost: whether a frontier led to it
  ArrayView<std::uint32_t> sent;            ///< one bit per ghost: whether it was sent to its owner
  ArrayView<std::uint32_t> parents;         ///< for each ghost, the vertex here that led to it first
  ArrayView<const std::uint32_t> vertices;  ///< the owner's vertex of each ghost
  ArrayView<const std::uint32_t> owners;    ///< the owner of each 32 ghosts

  /// Calls note(word, bits) for each word with ghosts that are reached and were not sent.
  template <class Warp, class Note>
  constexpr void each_unsent(const Warp& warp, Note&& note) const {
    const auto unsent = [&](const auto& word, const MaskOf<Warp>& there) {
      return warp.load(reached, word, there) - warp.load(sent, word, there);  // sent is a subset
    };
    each_word(warp, static_cast<std::uint32_t>(reached.size), unsent, note);
  }
  /// Reserves room for this many queries among those to the owner.
  template <class Warp>
  [[nodiscard]] constexpr std::uint64_t reserve(const Warp& warp, const ArrayView<std::uint64_t>& places,
                                                std::uint32_t word, std::uint32_t bits) const {
    return warp.reserve(places, warp.load_one(owners, word), warp.popcount(bits));
  }
};

/// Pushes from the queue's vertices to ghosts. A ghost is reached once in a search, however many edges lead to it, so
/// that its owner gets one query (Pan et al. 2018, section V-B, remove duplicates).
struct PushGhostsStep {
  GraphView graph;  ///< its rows lead to ghosts
  GhostView ghosts;
  QueueView front;
  ArrayView<std::uint64_t> sums;

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return sums; }

  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                        Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto ghost = warp.load_constant(graph.neighbours, places, mask);
    warp.store(ghosts.parents, ghost, vertices, set_bits(warp, ghosts.reached, ghost, mask));
  }
};

/// Counts the queries for each rank.
struct CountQueries {
  GhostView ghosts;
  ArrayView<std::uint64_t> counts;  ///< of each rank

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    ghosts.each_unsent(warp,
                       [&](std::uint32_t word, std::uint32_t bits) { (void)ghosts.reserve(warp, counts, word, bits); });
  }
};

/// Writes the queries, each rank's from its place on, and marks the ghosts as sent.
struct WriteQueries {
  GhostView ghosts;
  ArrayView<std::uint64_t> places;        ///< the place of each rank's next query
  ArrayView<const std::uint32_t> labels;  ///< of the vertices here
  ArrayView<std::uint64_t> queries;       ///< in the form of Query

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    ghosts.each_unsent(warp, [&](std::uint32_t word, std::uint32_t bits) { write(warp, word, bits); });
  }

 private:
  template <class Warp>
  constexpr void write(const Warp& warp, std::uint32_t word, std::uint32_t bits) const {
    const std::uint64_t place = ghosts.reserve(warp, places, word, bits);
    const NumbersOf<Warp> rank = warp.rank(bits);
    const MaskOf<Warp> wanted = warp.bits_of(bits);
    const auto ghost = warp.lane() + word * bits_per_word;
    const auto label = warp.load_constant(labels, warp.load(ghosts.parents, ghost, wanted), wanted);
    const auto vertex = warp.load_constant(ghosts.vertices, ghost, wanted);
    warp.store(queries, rank + place, warp.map(JoinHalves{}, label, vertex), wanted);
    const std::uint32_t reached = warp.load_one(ghosts.reached, word);
    warp.store(ghosts.sent, warp.same(word), warp.same(reached), warp.lane() == 0U);
  }
};

/// Visits the vertices that queries of other ranks ask for, unless they are visited. Several queries may ask for one
/// vertex.
struct VisitQueriedStep {
  ArrayView<const std::uint64_t> queries;
  GraphView graph;
  SearchView search;
  ArrayView<std::uint32_t> labelled;  ///< one bit per vertex: whether its parent is a label
  QueueView next;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto query = warp.load(queries, place, there);
    const auto vertex = warp.map(LowHalf{}, query);
    Tally<Warp> tally;
    const auto claimed = claim(warp, graph, search, next, vertex, warp.map(HighHalf{}, query), there, tally);
    if (!warp.any(claimed)) return;
    (void)warp.fetch_or(labelled, vertex / bits_per_word, warp.bit(vertex % bits_per_word), claimed);
    tally.add_to(warp, search.tallies);
  }
};
using VisitQueried = Each<VisitQueriedStep>;

// Replicas of hubs on several devices.

/// Visits the hubs that other ranks visited, and adds them to the next frontier. Other ranks know their parents. Here
/// each such hub is its own parent, so that the parent of every visited vertex is a vertex.
struct JoinHubs {
  GraphView graph;
  SearchView search;
  ArrayView<const std::uint32_t> masks;  ///< the bits of the hubs that any rank visited, this one included
  QueueView next;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    Tally<Warp> tally;
    const auto visit = [&](const auto& word, const MaskOf<Warp>& there) {
      const auto all = warp.load(masks, word, there);
      const auto added = all - warp.load(search.visited, word, there);  // visited is a subset
      warp.store(search.visited, word, all, there);
      const NumbersOf<Warp> count = warp.popcount(added);
      tally.edges = tally.edges + count * warp.load_constant(graph.word_degrees, word, there & (added != 0U));
      return added;
    };
    each_word(warp, static_cast<std::uint32_t>(masks.size), visit, [&](std::uint32_t word, std::uint32_t added) {
      const auto hub = warp.lane() + word * bits_per_word;
      const MaskOf<Warp> joins = warp.bits_of(added);
      warp.store(search.parents, hub, hub, joins);
      append(warp, graph, next, hub, joins);
    });
    tally.add_to(warp, search.tallies);
  }
};

/// Replaces the parents of the visited hubs by their labels.
struct HubParentsToLabels {
  SearchView search;
  ArrayView<std::uint32_t> labelled;      ///< one bit per vertex: whether its parent is a label
  ArrayView<const std::uint32_t> labels;  ///< of each vertex
  std::uint32_t hub_bits = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    for (std::uint32_t word = warp.index(); word < hub_bits / bits_per_word; word += warp.count()) {
      const MaskOf<Warp> visited = warp.bits_of(warp.load_one(search.visited, word));
      const auto hub = warp.lane() + word * bits_per_word;
      const auto parent = warp.load(search.parents, hub, visited);
      warp.store(search.parents, hub, warp.load_constant(labels, parent, visited), visited);
      warp.store(labelled, warp.same(word), warp.same(~0U), warp.lane() == 0U);
    }
  }
};

/// The memory of a search of a part on a device. Device is as for GraphArrays. Messages is StagedMessages or
/// DirectMessages.
template <class Device, template <class, class> class Messages>
struct PartSearchArrays {
  using Words = WordArray<Device>;

  const Device& device;
  DeviceGraphSize size;
  PartSize part;
  Words visited = take_words(device, words_for(size.vertices));
  Words found = take_words(device, words_for(size.vertices));
  Words labelled = take_words(device, words_for(size.vertices));
  Words parents = take_words(device, size.vertices);
  PartFrontiers<Device> frontiers{device, size};
  Words miss_sizes = take_words(device, miss_classes);
  NumberArray<Device> tallies = take_numbers(device, tally_kinds);
  Words reached = take_words(device, words_for(part.ghosts));
  Words sent = take_words(device, words_for(part.ghosts));
  Words ghost_parents = take_words(device, part.ghosts);
  /// For each rank, the number of queries, then the place of the next one.
  NumberArray<Device> places = take_numbers(device, part.ranks);
  Messages<Device, Query> queries{device, part.ghosts, part.incoming};
  Words masks = take_words(device, words_for(part.hub_bits));
  Words result = take_words(device, size.labels);
};

/// The search of a part: the phases of a search on one device, and those between ranks. Device is SimulatedDevice or
/// CudaDevice. Messages is StagedMessages or DirectMessages.
template <class Device, template <class, class> class Messages>
class DevicePartSearch final : public PartSearch {
  using Words = WordArray<Device>;

 public:
  DevicePartSearch(Device device, const HostPart& part, ThreadTeam& threads)
      : device_(std::move(device)),
        hub_bits_(part.hub_bits),
        graph_(device_, part.rows, threads),
        ghosts_(device_, part),
        arrays_{device_, graph_.size(), size_of(part)} {}

  void start(std::uint32_t source) override {
    for (Words* array : {&arrays_.visited, &arrays_.labelled, &arrays_.reached, &arrays_.sent})
      device_.clear(array->view());
    arrays_.frontiers.clear(device_);
    device_.clear(arrays_.tallies.view());
    if (source != no_vertex) device_.launch(StartSearch{graph_.graph(), view(), arrays_.frontiers.next(), source}, 1);
  }

  [[nodiscard]] std::uint64_t edges_of(std::uint32_t vertex) const override {
    const GraphView graph = graph_.graph();
    return device_.read(graph.ends, vertex) - device_.read(graph.offsets, vertex);
  }

  void visit(Direction direction) override {
    arrays_.frontiers.advance(device_);
    device_.clear(arrays_.tallies.view());
    if (direction == Direction::push) {
      push();
    } else {
      pull();
    }
    push_ghosts();
  }

  [[nodiscard]] std::span<const Query> take_queries(std::span<std::size_t> counts) override {
    const ArrayView<std::uint64_t> places = arrays_.places.view();
    return take_messages(device_, arrays_.queries, places, counts, warps_for(arrays_.reached.size()),
                         CountQueries{ghosts(), places},
                         WriteQueries{ghosts(), places, graph_.labels().labels, arrays_.queries.outgoing()});
  }

  [[nodiscard]] std::span<Query> inbox() override { return arrays_.queries.inbox(); }

  void visit_inbox(std::size_t count) override {
    if (count == 0) return;
    const ArrayView<const Query> queries = arrays_.queries.bring(device_, count);
    device_.launch(
        VisitQueried{{queries, graph_.graph(), view(), arrays_.labelled.view(), arrays_.frontiers.next()}, count},
        warps_for(count));
  }

  void copy_hubs(std::span<std::uint64_t> visited) const override {
    std::vector<std::uint32_t> bits(arrays_.masks.size());
    device_.copy_out(arrays_.visited.constant().part(0, bits.size()), std::span(bits));
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
    device_.copy_in(std::span<const std::uint32_t>(bits), arrays_.masks.view());
    device_.launch(JoinHubs{graph_.graph(), view(), arrays_.masks.constant(), arrays_.frontiers.next()},
                   arrays_.masks.size() / warp_lanes + 1);
  }

  [[nodiscard]] PartLevel level() const override { return level_of(device_, arrays_.tallies); }

  void write_hub_parents(std::span<std::uint32_t> parents) override {
    if (parents.empty()) return;
    device_.launch(HubParentsToLabels{view(), arrays_.labelled.view(), graph_.labels().labels, hub_bits_},
                   hub_bits_ / bits_per_word);
    device_.copy_out(arrays_.parents.constant().part(0, parents.size()), parents);
  }
  void set_hub_parents(std::span<const std::uint32_t> parents) override {
    device_.copy_in(parents, arrays_.parents.view());
  }

  void write_parents() override {
    device_.launch(WritePartParents{{{graph_.labels(), view(), arrays_.result.view()}, arrays_.labelled.constant()}},
                   arrays_.result.size() / bits_per_word + 1);
    device_.wait();
  }
  void copy_parents(std::span<std::uint32_t> parents) const override {
    device_.copy_out(arrays_.result.constant(), parents);
  }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return plan_part_memory(arrays_.size, arrays_.part).bytes();
  }

 private:
  void push() {
    const GraphView graph = graph_.graph();
    const PushStep step{graph, view(), arrays_.frontiers.front(), arrays_.frontiers.next(), graph.bounds.vertices};
    arrays_.frontiers.launch(device_, step, by_pieces);
  }

  /// Queues the vertices that a pull finds, because pushes to ghosts start from the queue. The next queue has the
  /// misses until then.
  void pull() {
    const GraphView graph = graph_.graph();
    const std::uint32_t end = graph.bounds.searched;
    const MissView misses{arrays_.frontiers.next().vertices, arrays_.miss_sizes.view()};
    const std::uint64_t warps = end / (bits_per_word * warp_lanes) + 1;
    device_.clear(misses.sizes);
    device_.launch(PullWords{graph, view(), misses, 0, end}, end / (bits_per_word * PullWords::warp_words) + 1);
    std::array<std::uint32_t, miss_classes> missed;
    device_.copy_out(arrays_.miss_sizes.constant(), std::span<std::uint32_t>(missed));
    if (missed[missed_by_warps] > 0) {
      device_.launch(PullRows<warp_lanes>{graph, view(), misses, missed_by_warps}, missed[missed_by_warps]);
    }
    if (missed[missed_by_groups] > 0) {
      device_.launch(PullRows<group_lanes>{graph, view(), misses},
                     std::uint64_t{missed[missed_by_groups]} * group_lanes / warp_lanes + 1);
    }
    device_.launch(SettlePull{{graph, view()}, 0, end}, warps);
    device_.launch(CollectFrontier{graph, view(), arrays_.frontiers.next()}, warps);
  }

  void push_ghosts() {
    if (arrays_.reached.size() == 0) return;
    const PushGhostsStep step{rows_beyond(graph_.graph()), ghosts(), arrays_.frontiers.front(), arrays_.tallies.view()};
    arrays_.frontiers.launch(device_, step, by_warps);
  }

  [[nodiscard]] SearchView view() {
    return {arrays_.visited.view(), arrays_.found.view(), arrays_.parents.view(), arrays_.tallies.view()};
  }
  [[nodiscard]] GhostView ghosts() {
    return {arrays_.reached.view(), arrays_.sent.view(), arrays_.ghost_parents.view(), ghosts_.vertices.constant(),
            ghosts_.owners.constant()};
  }

  Device device_;
  std::uint32_t hub_bits_;
  DeviceGraph<Device> graph_;
  GhostArrays<Device> ghosts_;
  PartSearchArrays<Device, Messages> arrays_;
};

}  // namespace breadth::gpu
