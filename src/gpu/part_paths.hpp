// Shortest paths in a graph that several devices have parts of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gpu/memory_plan.hpp"
#include "gpu/node_place.hpp"
#include "gpu/part_search.hpp"

namespace breadth::gpu {

/// Tells of a path to a vertex: of another rank, as that has it, or a hub.
struct Relaxation {
  std::uint32_t vertex;
  std::uint32_t parent;         ///< the label before
  std::uint32_t distance_bits;  ///< of a float

  /// As gpu/sssp/path_views.hpp has them.
  [[nodiscard]] constexpr std::uint64_t path() const { return std::uint64_t{distance_bits} << 32U | parent; }
};
static_assert(sizeof(Relaxation) == 12);

/// What a search is to know from its start.
struct PartPathOrders {
  std::uint32_t source = no_vertex;  ///< here: a hub has a replica on each rank, other vertices are one rank's
  std::uint32_t source_label = 0;
  float most_distance = 0;  ///< vertices farther away are not reached
};

/// Searches of a part for shortest paths, one at a time, led by the host step by step: a search is start(); then
/// relax() for each level of a bucket, and nearest() and open() for the next bucket; after each of these
/// take_relaxations(), answer() and take_hubs(); and in the end name_tree(). The part's rows have lengths. Between
/// ranks nothing waits on a device.
class PartPaths {
 public:
  virtual ~PartPaths() = default;

  /// Forgets the last search. The frontier is the source.
  virtual void start(const PartPathOrders& orders) = 0;
  /// What the last step found is the frontier. Relaxes its edges: vertices here that come closer than the bound are the
  /// next frontier, others wait; of paths to ghosts and hubs is noted what is new.
  virtual void relax(float bound) = 0;
  /// The least distance among vertices that wait, but for those below `settled`, and of noted paths that have not been
  /// sent; infinity where there are none.
  [[nodiscard]] virtual float nearest(float settled) = 0;
  /// The vertices that wait and are closer than the bound, but not below `settled`, are the next frontier.
  virtual void open(float settled, float bound) = 0;

  /// One relaxation for each path shorter than the last step's bound that was noted and not sent: rank after rank, with
  /// hubs last, `counts` for each of these, so ranks + 1 in all. They stay where they are, in memory of the host or, if
  /// the transport is direct, of the device, until the next answer().
  [[nodiscard]] virtual std::span<const Relaxation> take_relaxations(std::span<std::size_t> counts) = 0;
  /// The last of these, which are for hubs.
  virtual void copy_hubs(std::span<Relaxation> relaxations) const = 0;
  /// Where as many can be received as other ranks have ghosts here.
  [[nodiscard]] virtual std::span<Relaxation> inbox() = 0;
  /// Relaxes the first so many of these.
  virtual void answer(std::size_t count) = 0;
  /// Relaxes those for hubs, at most one for each, the same on every rank.
  virtual void take_hubs(std::span<const Relaxation> relaxations) = 0;

  /// What the last step did here, of hubs only on the first rank.
  [[nodiscard]] virtual PartLevel level() const = 0;
  /// Leaves distances and the labels of parents in the order of labels in the memory of the device.
  virtual void name_tree() = 0;
  /// Copies these to the host: one a label, infinity and all bits set for none.
  virtual void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const = 0;

  [[nodiscard]] virtual std::string device_name() const = 0;
  /// Bytes of its memory that part and search take.
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

/// Bytes of the memory of a device that a part takes with its search for shortest paths.
MemoryPlan plan_paths_memory(const HostPart& part);

/// As of a PartSearch (gpu/part_search.hpp).
std::unique_ptr<PartPaths> make_simulated_part_paths(const HostPart& part, ThreadTeam& threads);
std::unique_ptr<PartPaths> make_cuda_part_paths(const HostPart& part, const NodePlace& place, ThreadTeam& threads);

}  // namespace breadth::gpu
