// How ranks that send each other messages learn that no more comes.
#pragma once

namespace breadth {

/// How ranks learn that a superstep of a Mailbox ends.
enum class Termination {
  marks,      ///< an empty message to each peer says that no more comes: one step, ranks * peers messages
  consensus,  ///< sends are synchronous; who has seen all of its own arrive enters a barrier, and goes on receiving
              ///< until all have entered (Hoefler et al. 2010, "NBX"): ranks * log2(ranks) messages
  counts      ///< a non-blocking reduce-scatter tells each rank how many messages it was sent, and it receives until so
              ///< many have come: a number for each rank from each, in as few messages as the MPI library needs
};

/// Marks between few ranks, consensus between many; the same on every rank.
constexpr Termination termination_for(int ranks) {
  constexpr int most_marking = 32;
  return ranks <= most_marking ? Termination::marks : Termination::consensus;
}

}  // namespace breadth
