// Searches of a graph that several devices have parts of: breadth-first, and for shortest paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/policy/search.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/node_place.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

// Breadth-first search.

/// One rank's part of an undirected graph in the memory of the host: vertices are hubs, of which every rank has a
/// replica and a share of the edges, and after them this rank's own, by falling degree. Vertices of other ranks that
/// own ones lead to are its ghosts: numbers from 0 on, rank after rank, each rank's from a multiple of 32 on.
struct HostPart {
  /// Of each row up to its end the neighbours that are vertices here, from there to the next row the ghosts. Labels are
  /// the graph's; what is in the order of labels is this rank's block. Only hubs are cut into pieces.
  HostGraph rows;
  std::uint32_t hub_bits = 0;                     ///< vertices before are hubs, or no vertices: a multiple of 64
  std::span<const std::uint32_t> ghost_vertices;  ///< of each ghost, its vertex on the rank that owns it
  std::span<const std::uint32_t> ghost_owners;    ///< of each 32 ghosts, that rank
  std::uint64_t incoming = 0;                     ///< ghosts of other ranks that are vertices here
  std::uint32_t ranks = 1;
  std::uint32_t rank = 0;
  DeviceTransport transport = DeviceTransport::staged;
};

/// What a part's arrays depend on.
PartSize size_of(const HostPart& part);
/// Bytes of the memory of a device that it takes with its search.
MemoryPlan plan_memory(const HostPart& part);

/// Says to a rank that a vertex of it has a neighbour in the frontier: the vertex, as that rank has it, in the lower 32
/// bits, above them the label that becomes its parent.
using Query = std::uint64_t;

/// What a level did on one device.
struct PartLevel {
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;  ///< vertices that got a parent here, hubs among them
  std::uint64_t edges = 0;    ///< of those that are new to the frontier here, to vertices here, by means of 32
};

/// Searches of a part, one at a time, led by the host step by step: a search is start(); for each level visit(), then
/// in any order take_queries() and answer(), join_hubs(); and in the end name_hubs(), set_hub_parents() and
/// name_parents(). Between ranks nothing waits on a device.
class PartSearch : public OnDevice {
 public:
  /// Forgets the last search. The frontier is this vertex; nothing where that is no_vertex.
  virtual void start(std::uint32_t source) = 0;
  /// Edges from a vertex to vertices here.
  [[nodiscard]] virtual std::uint64_t edges_of(std::uint32_t vertex) const = 0;
  /// What the last level found is the frontier. Visits its neighbours here, by a push or a pull, and notes the ghosts
  /// that it leads to for the first time, always by a push.
  virtual void visit(Direction direction) = 0;
  /// One query for each ghost that was noted since the last call, rank after rank, `counts` for each. They stay where
  /// they are, in memory of the host or, if the transport is direct, of the device, until the next call.
  [[nodiscard]] virtual std::span<const Query> take_queries(std::span<std::size_t> counts) = 0;
  /// Where queries of other ranks are to be put, HostPart::incoming at the most, in the same memory.
  [[nodiscard]] virtual std::span<Query> inbox() = 0;
  /// Visits what the first `count` of these ask for.
  virtual void answer(std::size_t count) = 0;
  /// The bits of the hubs that are visited here.
  virtual void copy_hubs(std::span<std::uint64_t> visited) const = 0;
  /// The same of all ranks: hubs that others visited join the next frontier.
  virtual void join_hubs(std::span<const std::uint64_t> visited) = 0;
  /// Since visit(), or start().
  [[nodiscard]] virtual PartLevel level() const = 0;

  /// The labels of the hubs' parents, of those that were visited here.
  virtual void name_hubs(std::span<std::uint32_t> parents) = 0;
  /// Hubs whose label this rank owns have these for their parents; it does not matter what the others have.
  virtual void set_hub_parents(std::span<const std::uint32_t> parents) = 0;
  /// Leaves the labels of parents in the order of labels in the memory of the device.
  virtual void name_parents() = 0;
  /// Copies these to the host: one a label, all bits set for none.
  virtual void copy_parents(std::span<std::uint32_t> parents) const = 0;
};

/// On the processor, as make_simulated_search.
std::unique_ptr<PartSearch> make_simulated_part(const HostPart& part, ThreadTeam& threads);
/// On the GPU that is this rank's.
std::unique_ptr<PartSearch> make_cuda_part(const HostPart& part, const NodePlace& place, ThreadTeam& threads);

// Shortest paths.

/// A path to a vertex: of another rank, as that has it, or a hub.
struct Relaxation {
  std::uint32_t vertex;
  std::uint32_t parent;         ///< the label before
  std::uint32_t distance_bits;  ///< of a float

  /// As gpu/sssp/path_phases.hpp has them.
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
class PartPaths : public OnDevice {
 public:
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
};

/// Bytes of the memory of a device that a part takes with its search for shortest paths.
MemoryPlan plan_paths_memory(const HostPart& part);

/// As of a PartSearch (gpu/part_search.hpp).
std::unique_ptr<PartPaths> make_simulated_part_paths(const HostPart& part, ThreadTeam& threads);
std::unique_ptr<PartPaths> make_cuda_part_paths(const HostPart& part, const NodePlace& place, ThreadTeam& threads);

}  // namespace breadth::gpu
