// Shortest paths in one part of a graph in the memory of a device: paths to vertices of other devices, paths that these
// send, and the search.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "gpu/part_search.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/ranks/part_memory.hpp"
#include "gpu/sssp/path_phases.hpp"

namespace breadth::gpu {

/// Vertices that a part does not settle alone: first the hubs, whose replicas all ranks settle together, then the
/// ghosts (gpu/part_search.hpp).
struct DistantView {
  ArrayView<std::uint64_t> paths;           ///< the shortest path to each that was found here, with the parent's label
  ArrayView<std::uint32_t> unsent;          ///< one bit each: whether the path is shorter than those sent
  ArrayView<const std::uint32_t> vertices;  ///< the owner's vertex of each ghost
  ArrayView<const std::uint32_t> owners;    ///< the owner of each 32 ghosts
  std::uint32_t hub_bits = 0;               ///< number of bits before the first ghost
  std::uint32_t ranks = 1;                  ///< number of ranks, which also stands for the owner of hubs

  /// Notes the paths of the mask's lanes that are shorter than those known here.
  template <class Warp>
  constexpr void note(const Warp& warp, const WordsOf<Warp>& places, const FloatsOf<Warp>& distance,
                      const WordsOf<Warp>& parents, const MaskOf<Warp>& mask) const {
    const MaskOf<Warp> won = warp.improve(paths, places, distance, parents, mask);
    (void)warp.fetch_or(unsent, places / bits_per_word, warp.bit(places % bits_per_word), won);
  }
  /// Calls look(word, bits, paths) for each word with unsent paths.
  template <class Warp, class Look>
  constexpr void each_unsent(const Warp& warp, Look&& look) const {
    each_word(
        warp, static_cast<std::uint32_t>(unsent.size),
        [&](const auto& word, const MaskOf<Warp>& there) { return warp.load(unsent, word, there); },
        [&](std::uint32_t word, std::uint32_t bits) {
          look(word, bits, warp.load(paths, warp.lane() + word * bits_per_word, warp.bits_of(bits)));
        });
  }
};

/// Relaxes edges to vertices of this rank and to hubs. A hub comes closer only when all ranks know it, so that all its
/// replicas do at once, with one parent. Otherwise two hubs could be each other's parents.
struct RelaxPartStep : RelaxStep {
  ArrayView<const std::uint32_t> labels;  ///< of each vertex
  DistantView distant;

  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                        Tally<Warp>& tally) const {
    relax(warp, arrivals.state.paths, 0, vertices, places, mask, tally,
          [&](const auto& target, const auto& distance, const MaskOf<Warp>& closer) {
            const auto parent = warp.load_constant(labels, vertices, closer);
            const MaskOf<Warp> hub = closer & (target < distant.hub_bits);
            distant.note(warp, target, distance, parent, hub);
            arrivals.take(warp, target, distance, parent, closer & !hub, tally);
          });
  }
};

/// Relaxes edges to ghosts.
struct RelaxGhostsStep : RelaxPartStep {
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                        Tally<Warp>& tally) const {
    relax(warp, distant.paths, distant.hub_bits, vertices, places, mask, tally,
          [&](const auto& place, const auto& distance, const MaskOf<Warp>& closer) {
            distant.note(warp, place, distance, warp.load_constant(labels, vertices, closer), closer);
          });
  }
};

/// As FindNearest, among unsent paths.
struct FindNearestDistant {
  DistantView distant;
  ArrayView<std::uint32_t> nearest;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    distant.each_unsent(warp, [&](std::uint32_t /*word*/, std::uint32_t unsent, const auto& paths) {
      warp.raise(nearest, 0, warp.map(Nearness{}, warp.map(HighDistance{}, paths)), warp.bits_of(unsent));
    });
  }
};

/// The unsent paths that are shorter than the bound.
struct NearUnsent {
  DistantView distant;
  float bound = 0;
  ArrayView<std::uint64_t> places;  ///< for each rank, and for hubs

  /// Calls look(word, bits, unsent, paths) for each word with such paths. `paths` has all unsent paths of the word.
  template <class Warp, class Look>
  constexpr void each_near(const Warp& warp, Look&& look) const {
    distant.each_unsent(warp, [&](std::uint32_t word, std::uint32_t unsent, const auto& paths) {
      const auto distance = warp.map(HighDistance{}, paths);
      const std::uint32_t bits = warp.ballot(warp.bits_of(unsent) & (distance < warp.same_float(bound)));
      if (bits != 0) look(word, bits, unsent, paths);
    });
  }
  /// Reserves room for one relaxation per bit among those to the owner.
  template <class Warp>
  [[nodiscard]] constexpr std::uint64_t reserve(const Warp& warp, std::uint32_t word, std::uint32_t bits) const {
    const std::uint32_t hub_words = distant.hub_bits / bits_per_word;
    const std::uint32_t owner = word < hub_words ? distant.ranks : warp.load_one(distant.owners, word - hub_words);
    return warp.reserve(places, owner, warp.popcount(bits));
  }
};

/// Counts the relaxations for each rank, and for hubs.
struct CountRelaxations : NearUnsent {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    each_near(warp, [&](std::uint32_t word, std::uint32_t bits, std::uint32_t /*unsent*/, const auto& /*paths*/) {
      (void)reserve(warp, word, bits);
    });
  }
};

/// Writes the relaxations, each rank's from its place on, and marks the paths as sent.
struct WriteRelaxations : NearUnsent {
  ArrayView<Relaxation> relaxations;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    each_near(warp, [&](std::uint32_t word, std::uint32_t bits, std::uint32_t unsent, const auto& paths) {
      write(warp, word, bits, paths);
      warp.store(distant.unsent, warp.same(word), warp.same(unsent - bits), warp.lane() == 0U);
    });
  }

 private:
  template <class Warp, class Paths>
  constexpr void write(const Warp& warp, std::uint32_t word, std::uint32_t bits, const Paths& paths) const {
    const NumbersOf<Warp> rank = warp.rank(bits);
    const MaskOf<Warp> sent = warp.bits_of(bits);
    const auto place = warp.lane() + word * bits_per_word;
    auto vertex = place;
    if (word >= distant.hub_bits / bits_per_word) {
      vertex = warp.load_constant(distant.vertices, place - distant.hub_bits, sent);
    }
    const auto join = [](std::uint32_t of_vertex, std::uint64_t path) {
      return Relaxation{of_vertex, LowHalf{}(path), HighHalf{}(path)};
    };
    warp.store(relaxations, rank + reserve(warp, word, bits), warp.map(join, vertex, paths), sent);
  }
};

/// Takes the paths that other ranks send to this rank's vertices, or all ranks to hubs. Several may lead to one vertex.
struct TakeRelaxationsStep {
  ArrayView<const Relaxation> relaxations;
  Arrivals arrivals;
  ArrayView<std::uint64_t> tallies;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const auto relaxation = warp.load(relaxations, place, there);
    const auto vertex = warp.map([](const Relaxation& of_lane) { return of_lane.vertex; }, relaxation);
    const auto path = warp.map([](const Relaxation& of_lane) { return of_lane.path(); }, relaxation);
    const auto distance = warp.map(HighDistance{}, path);
    const MaskOf<Warp> closer = arrivals.closer(warp, arrivals.state.paths, vertex, distance, there);
    if (!warp.any(closer)) return;
    Tally<Warp> tally;
    arrivals.take(warp, vertex, distance, warp.map(LowHalf{}, path), closer, tally);
    tally.add_to(warp, tallies);
  }
};
using TakeRelaxations = Each<TakeRelaxationsStep>;

/// The memory of a search of a part on a device. Device is as for GraphArrays. Messages is StagedMessages or
/// DirectMessages.
template <class Device, template <class, class> class Messages>
struct PartPathArrays {
  using Words = WordArray<Device>;
  using Numbers = NumberArray<Device>;

  const Device& device;
  DeviceGraphSize size;
  PartSize part;
  Numbers paths = take_numbers(device, size.vertices);  ///< distances above the labels of parents
  Words stamps = take_words(device, size.vertices);
  Words is_far = take_words(device, size.vertices);
  PartFrontiers<Device> frontiers{device, size};
  std::array<Words, 2> far{take_words(device, size.vertices), take_words(device, size.vertices)};
  std::array<Words, 2> far_sizes{take_words(device, 1), take_words(device, 1)};
  Words nearest = take_words(device, 1);
  Numbers tallies = take_numbers(device, tally_kinds);
  Numbers distant_paths = take_numbers(device, part.hub_bits + part.ghosts);
  Words unsent = take_words(device, words_for(part.hub_bits) + words_for(part.ghosts));
  /// For each rank, and for hubs: the number of relaxations, then the place of the next one.
  Numbers places = take_numbers(device, part.ranks + 1);
  Messages<Device, Relaxation> relaxations{device, part.hub_bits + part.ghosts, std::max(part.hub_bits, part.incoming)};
  Words parents = take_words(device, size.labels);
  typename Device::template Array<float> distances = device.template allocate<float>(size.labels);
};

/// The search for shortest paths in a part: the phases on one device, and those between ranks. Device is
/// SimulatedDevice or CudaDevice. Messages is StagedMessages or DirectMessages.
template <class Device, template <class, class> class Messages>
class DevicePartPaths final : public PartPaths {
  using Words = WordArray<Device>;

 public:
  DevicePartPaths(Device device, const HostPart& part, ThreadTeam& threads)
      : device_(std::move(device)),
        hub_bits_(part.hub_bits),
        ranks_(part.ranks),
        counted_from_(part.rank == 0 ? 0 : part.hub_bits),
        graph_(device_, part.rows, threads),
        ghosts_(device_, part),
        arrays_{device_, graph_.size(), size_of(part)} {}

  void start(const PartPathArguments& arguments) override {
    most_ = arguments.max_distance;
    level_ = 0;
    for (Words* array : {&arrays_.stamps, &arrays_.is_far, &arrays_.unsent}) device_.clear(array->view());
    for (Words& size : arrays_.far_sizes) device_.clear(size.view());
    for (NumberArray<Device>* array : {&arrays_.paths, &arrays_.distant_paths}) {
      device_.launch(ClearPaths{{array->view()}, array->size()}, warps_for(array->size()));
    }
    arrays_.frontiers.clear(device_);
    if (arguments.source == no_vertex) return;
    device_.launch(
        StartPaths{graph_.graph(), state(), arrays_.frontiers.next(), arguments.source, arguments.source_label}, 1);
  }

  void relax(float bound) override {
    begin_step(bound);
    arrays_.frontiers.advance(device_);
    const RelaxPartStep step{
        {graph_.graph(), graph_.weights(), arrays_.frontiers.front(), arrivals(), arrays_.tallies.view()},
        graph_.labels().labels,
        distant()};
    arrays_.frontiers.launch(device_, step, by_pieces);
    if (ghosts_.vertices.size() == 0) return;
    RelaxGhostsStep beyond{step};
    beyond.graph = rows_beyond(beyond.graph);
    arrays_.frontiers.launch(device_, beyond, by_warps);
  }

  [[nodiscard]] float nearest(float settled) override {
    const std::uint32_t waiting = device_.read(arrays_.far_sizes[far_pile_].constant(), 0);
    device_.clear(arrays_.nearest.view());
    if (waiting > 0) device_.launch(FindNearest{state(), far(), arrays_.nearest.view(), settled}, warps_for(waiting));
    if (arrays_.unsent.size() > 0) {
      device_.launch(FindNearestDistant{distant(), arrays_.nearest.view()}, warps_for(arrays_.unsent.size()));
    }
    const std::uint32_t complement = device_.read(arrays_.nearest.constant(), 0);
    return complement == 0 ? std::numeric_limits<float>::infinity() : std::bit_cast<float>(~complement);
  }

  void open(float settled, float bound) override {
    begin_step(bound);
    arrays_.frontiers.advance(device_);  // from an empty one
    const FarView all = far();
    const std::uint32_t waiting = device_.read(all.size, 0);
    far_pile_ = 1 - far_pile_;
    device_.clear(far().size);
    if (waiting > 0) device_.launch(SplitFar{all, arrivals(), arrays_.tallies.view(), settled}, warps_for(waiting));
  }

  [[nodiscard]] std::span<const Relaxation> take_relaxations(std::span<std::size_t> counts) override {
    const NearUnsent near{distant(), bound_, arrays_.places.view()};
    const std::span<const Relaxation> all =
        take_messages(device_, arrays_.relaxations, near.places, counts, warps_for(arrays_.unsent.size()),
                      CountRelaxations{near}, WriteRelaxations{near, arrays_.relaxations.outgoing()});
    first_for_hubs_ = all.size() - counts.back();
    return all;
  }

  void copy_hubs(std::span<Relaxation> relaxations) const override {
    device_.copy_out(arrays_.relaxations.written().part(first_for_hubs_, relaxations.size()), relaxations);
  }

  [[nodiscard]] std::span<Relaxation> inbox() override { return arrays_.relaxations.inbox(); }

  void relax_inbox(std::size_t count) override {
    if (count > 0) take(arrays_.relaxations.bring(device_, count), count);
  }
  void take_hubs(std::span<const Relaxation> relaxations) override {
    if (!relaxations.empty()) take(arrays_.relaxations.put(device_, relaxations), relaxations.size());
  }

  [[nodiscard]] PartLevel level() const override { return level_of(device_, arrays_.tallies); }

  void write_tree() override {
    device_.launch(WritePartTree{{{graph_.labels(), state(), arrays_.parents.view(), arrays_.distances.view()}}},
                   arrays_.parents.size() / bits_per_word + 1);
    device_.wait();
  }
  void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const override {
    device_.copy_out(arrays_.parents.constant(), parents);
    device_.copy_out(arrays_.distances.constant(), distances);
  }

  [[nodiscard]] std::string device_name() const override { return device_.name(); }
  [[nodiscard]] std::uint64_t device_bytes() const override {
    return plan_part_paths_memory(arrays_.size, arrays_.part).bytes();
  }

 private:
  void begin_step(float bound) {
    bound_ = bound;
    ++level_;
    device_.clear(arrays_.tallies.view());
  }
  void take(const ArrayView<const Relaxation>& relaxations, std::size_t count) {
    device_.launch(TakeRelaxations{{relaxations, arrivals(), arrays_.tallies.view()}, count}, warps_for(count));
  }

  [[nodiscard]] PathView state() { return {arrays_.paths.view(), arrays_.stamps.view(), arrays_.is_far.view()}; }
  [[nodiscard]] FarView far() { return {arrays_.far[far_pile_].view(), arrays_.far_sizes[far_pile_].view()}; }
  [[nodiscard]] Arrivals arrivals() {
    return {graph_.graph(), state(), arrays_.frontiers.next(), far(), level_, bound_, most_, counted_from_};
  }
  [[nodiscard]] DistantView distant() {
    return {arrays_.distant_paths.view(),
            arrays_.unsent.view(),
            ghosts_.vertices.constant(),
            ghosts_.owners.constant(),
            hub_bits_,
            ranks_};
  }

  Device device_;
  std::uint32_t hub_bits_;
  std::uint32_t ranks_;
  std::uint32_t counted_from_;  ///< hubs are counted on one rank
  DeviceGraph<Device> graph_;
  GhostArrays<Device> ghosts_;
  PartPathArrays<Device, Messages> arrays_;
  std::size_t far_pile_ = 0;          ///< index of the far pile in which vertices wait
  std::uint64_t first_for_hubs_ = 0;  ///< index of the first one for hubs among the taken relaxations
  float bound_ = 0;
  float most_ = 0;
  std::uint32_t level_ = 0;  ///< number of the step, from 1 on
};

}  // namespace breadth::gpu
