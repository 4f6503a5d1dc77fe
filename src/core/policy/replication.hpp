// How what each rank has comes to every rank, and where that pays.
#pragma once

#include <cstdint>

#include "core/words.hpp"

namespace breadth {

// Frontiers of breadth-first searches.

/// The steps of Cui et al. 2012, fig. 9. What a rank adds to is the paper's out-queue, what all read the in-queue.
enum class Replication {
  allgather,  ///< every rank has all of it, by the MPI library's allgather
  leader,     ///< the same by way of leaders: gather on the node, allgather among leaders, broadcast (fig. 5a)
  shared_in,  ///< a node has it once: gather on the node, allgather among leaders; summaries as for `leader`
  shared,     ///< out-queues and summaries too are in memory of the node: allgather among leaders (fig. 5b)
  subgroups   ///< the same, every rank of a node moving its part at the same time (fig. 7)
};
constexpr auto words_of(Replication) {
  return word_list<Replication>({{Replication::allgather, "allgather"},
                                 {Replication::leader, "leader"},
                                 {Replication::shared_in, "shared-in"},
                                 {Replication::shared, "shared"},
                                 {Replication::subgroups, "subgroups"}});
}

/// Whether the ranks of a node have the in-queue once between them.
constexpr bool shares_in_queues(Replication how) { return how >= Replication::shared_in; }
/// Whether they share out-queues and summaries too.
constexpr bool shares_all(Replication how) { return how >= Replication::shared; }

/// Which bits of a bitmap of visited vertices ranks send each other when they share it once more.
enum class SharedBits {
  automatic,  ///< between several nodes, if there is no summary, as `unvisited`, else as `all`
  all,        ///< each rank its whole part, every time
  unvisited   ///< after the first time only those that were not set then: all know the others
};
constexpr auto words_of(SharedBits) {
  return word_list<SharedBits>(
      {{SharedBits::automatic, "auto"}, {SharedBits::all, "all"}, {SharedBits::unvisited, "unvisited"}});
}

/// Whether ranks on so many nodes leave out what all know. With a summary they send groups that have changed.
constexpr bool leaves_out_visited(SharedBits bits, std::uint64_t nodes, bool summarized) {
  if (summarized) return false;
  return bits == SharedBits::unvisited || (bits == SharedBits::automatic && nodes > 1);
}

// Distances of shortest paths.

/// Whether it pays that buckets know what others' vertices have, 4 bytes for each vertex with edges of the graph on
/// each node: where one has at least two edges from a node, of which one often comes in vain. `entries` are those of
/// all rows that are pushed along: an undirected edge is two.
constexpr bool worth_knowing_others(std::uint64_t nodes, std::uint64_t vertices, std::uint64_t entries) {
  return nodes == 1 || 2 * nodes * vertices <= entries;
}

}  // namespace breadth
