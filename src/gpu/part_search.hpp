// Searches of a graph that is distributed over several devices: breadth-first, and for shortest paths.
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

/// One rank's part of an undirected graph in the memory of the host. Its vertices are the hubs, of which every rank has
/// a replica and a share of the edges, and after them the rank's own vertices by falling degree. Its ghosts are the
/// neighbours that other ranks own. Ghosts are numbered from 0, rank after rank; each rank's numbers begin at a
/// multiple of 32.
struct HostPart {
  /// Each row has the neighbours that are vertices here up to the row's end, then the ghosts up to the next row. Labels
  /// are those of the whole graph. Arrays in the order of labels have this rank's block of labels. Only the rows of
  /// hubs are cut into pieces.
  HostGraph rows;
  std::uint32_t hub_bits = 0;                     ///< lower ids are hubs, or unused: a multiple of 64
  std::span<const std::uint32_t> ghost_vertices;  ///< the vertex of each ghost on the rank that owns it
  std::span<const std::uint32_t> ghost_owners;    ///< the owner of each 32 ghosts
  std::uint64_t incoming = 0;                     ///< ghosts of other ranks that are vertices here
  std::uint32_t ranks = 1;
  std::uint32_t rank = 0;
  DeviceTransport transport = DeviceTransport::staged;
};

/// The numbers that the sizes of a part's arrays depend on.
PartSize size_of(const HostPart& part);
/// Bytes of a device's memory that a part takes with its search.
MemoryPlan plan_memory(const HostPart& part);

/// A message to a rank that one of its vertices has a neighbour in the frontier. The lower 32 bits are that rank's
/// number of the vertex. The upper 32 bits are the label that becomes its parent.
using Query = std::uint64_t;

/// The record of a level on one device.
struct PartLevel {
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;  ///< vertices that got a parent here, hubs included
  std::uint64_t edges = 0;    ///< edges from new frontier vertices to vertices here, from mean degrees of 32 vertices
};

/// Searches of a part, one at a time, controlled by the host step by step. A search calls start(); for each level
/// visit(), then take_queries() and visit_inbox(), and join_hubs() in any order; and at the end write_hub_parents(),
/// set_hub_parents() and write_parents(). No device waits for another rank.
class PartSearch : public OnDevice {
 public:
  /// Begins a new search. The frontier is the source, or empty for no_vertex.
  virtual void start(std::uint32_t source) = 0;
  /// The number of edges from a vertex to vertices here.
  [[nodiscard]] virtual std::uint64_t edges_of(std::uint32_t vertex) const = 0;
  /// Makes the vertices that the last level found the frontier. Visits the frontier's neighbours here by a push or a
  /// pull. Notes the ghosts that the frontier leads to for the first time, always by a push.
  virtual void visit(Direction direction) = 0;
  /// One query for each ghost noted since the last call, rank after rank; sets the number for each rank in `counts`.
  /// The queries are valid until the next call, in memory of the host or, if the transport is direct, of the device.
  [[nodiscard]] virtual std::span<const Query> take_queries(std::span<std::size_t> counts) = 0;
  /// The memory for queries from other ranks, of the host or device as in take_queries(). At most HostPart::incoming.
  [[nodiscard]] virtual std::span<Query> inbox() = 0;
  /// Visits the vertices of the first `count` queries in the inbox.
  virtual void visit_inbox(std::size_t count) = 0;
  /// Copies the bits of the hubs that are visited here.
  virtual void copy_hubs(std::span<std::uint64_t> visited) const = 0;
  /// Takes the bits of the hubs that are visited on any rank. Hubs visited by other ranks join the next frontier.
  virtual void join_hubs(std::span<const std::uint64_t> visited) = 0;
  /// The record of the steps since visit() or start().
  [[nodiscard]] virtual PartLevel level() const = 0;

  /// Writes the labels of the parents of the hubs that were visited here.
  virtual void write_hub_parents(std::span<std::uint32_t> parents) = 0;
  /// Sets the parents of the hubs whose labels this rank owns. Ignores those of other hubs.
  virtual void set_hub_parents(std::span<const std::uint32_t> parents) = 0;
  /// Leaves the labels of parents, in the order of labels, in the memory of the device.
  virtual void write_parents() = 0;
  /// Copies the labels of parents to the host: one per label, with all bits set for no parent.
  virtual void copy_parents(std::span<std::uint32_t> parents) const = 0;
};

/// Simulates a device on the processor, as make_simulated_search.
std::unique_ptr<PartSearch> make_simulated_part(const HostPart& part, ThreadTeam& threads);
/// Searches on this rank's GPU.
std::unique_ptr<PartSearch> make_cuda_part(const HostPart& part, const NodePlace& place, ThreadTeam& threads);

// Shortest paths.

/// A path to a vertex of another rank, or to a hub.
struct Relaxation {
  std::uint32_t vertex;         ///< by the number that its owner gives it
  std::uint32_t parent;         ///< the label of the previous vertex on the path
  std::uint32_t distance_bits;  ///< the bits of a float

  /// The path in the form of gpu/sssp/path_phases.hpp.
  [[nodiscard]] constexpr std::uint64_t path() const { return std::uint64_t{distance_bits} << 32U | parent; }
};
static_assert(sizeof(Relaxation) == 12);

/// The arguments of a search for shortest paths in a part.
struct PartPathArguments {
  std::uint32_t source = no_vertex;  ///< the source's vertex here: every rank has the hubs, one rank any other vertex
  std::uint32_t source_label = 0;
  float max_distance = 0;  ///< vertices farther away are not reached
};

/// Searches of a part for shortest paths, one at a time, controlled by the host step by step. A search calls start();
/// then relax() for each level of a bucket, and nearest() and open() for the next bucket; after each of these
/// take_relaxations(), relax_inbox() and take_hubs(); and at the end write_tree(). The part's rows have weights. No
/// device waits for another rank.
class PartPaths : public OnDevice {
 public:
  /// Begins a new search. The frontier is the source.
  virtual void start(const PartPathArguments& arguments) = 0;
  /// Makes the vertices that the last step found the frontier, and relaxes its edges. Vertices here that come closer
  /// than the bound become the next frontier; others wait. Notes new paths to ghosts and hubs.
  virtual void relax(float bound) = 0;
  /// The least distance among waiting vertices, except those below `settled`, and among noted paths that were not sent
  /// yet; infinity if there are none.
  [[nodiscard]] virtual float nearest(float settled) = 0;
  /// Makes the waiting vertices from `settled` up to the bound the next frontier.
  virtual void open(float settled, float bound) = 0;

  /// One relaxation for each noted path that is shorter than the last step's bound and was not sent yet: rank after
  /// rank, with those for hubs last. Sets the numbers for each rank and for hubs in `counts`, ranks + 1 in all. The
  /// relaxations are valid until the next relax_inbox(), in memory of the host or, if the transport is direct, of the
  /// device.
  [[nodiscard]] virtual std::span<const Relaxation> take_relaxations(std::span<std::size_t> counts) = 0;
  /// Copies the last of the taken relaxations, which are for hubs.
  virtual void copy_hubs(std::span<Relaxation> relaxations) const = 0;
  /// The memory for relaxations from other ranks, one for each of their ghosts that is a vertex here.
  [[nodiscard]] virtual std::span<Relaxation> inbox() = 0;
  /// Relaxes the first `count` relaxations in the inbox.
  virtual void relax_inbox(std::size_t count) = 0;
  /// Relaxes relaxations for hubs, at most one for each hub. Every rank gets the same ones.
  virtual void take_hubs(std::span<const Relaxation> relaxations) = 0;

  /// The record of the last step here. Only the first rank counts hubs.
  [[nodiscard]] virtual PartLevel level() const = 0;
  /// Leaves distances and the labels of parents, in the order of labels, in the memory of the device.
  virtual void write_tree() = 0;
  /// Copies distances and parents to the host: one per label, infinity and all bits set for an unreached label.
  virtual void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const = 0;
};

/// Bytes of a device's memory that a part takes with its search for shortest paths.
MemoryPlan plan_paths_memory(const HostPart& part);

/// As make_simulated_part and make_cuda_part.
std::unique_ptr<PartPaths> make_simulated_part_paths(const HostPart& part, ThreadTeam& threads);
std::unique_ptr<PartPaths> make_cuda_part_paths(const HostPart& part, const NodePlace& place, ThreadTeam& threads);

}  // namespace breadth::gpu
