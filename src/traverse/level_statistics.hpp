// What a search reports of each of its levels, and of what ranks send each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/policy/search.hpp"

namespace breadth {

// What ranks send each other.

/// What one rank sent, or all of them together: in a level, in a pass after the levels, or by an exchange so far.
struct Traffic {
  std::uint64_t messages = 0;  ///< point-to-point
  std::uint64_t bytes = 0;     ///< from rank to rank, collectives included
  /// Those of them that went to another node; nothing where that is not counted, as in pushes on several nodes.
  std::optional<std::uint64_t> bytes_between_nodes = {};
  /// Of a push, or relaxations, for vertices of other ranks; in a pull by messages, questions about such.
  std::uint64_t queries = 0;
  std::uint64_t answers = 0;         ///< to these questions: vertices that are in the frontier
  std::uint64_t question_bytes = 0;  ///< of `bytes`, those of questions

  /// Where one of both does not count what leaves a node, the sum does not either.
  Traffic& operator+=(const Traffic& other) {
    messages += other.messages;
    bytes += other.bytes;
    if (bytes_between_nodes && other.bytes_between_nodes) {
      *bytes_between_nodes += *other.bytes_between_nodes;
    } else {
      bytes_between_nodes.reset();
    }
    queries += other.queries;
    answers += other.answers;
    question_bytes += other.question_bytes;
    return *this;
  }
};

/// What an exchange has sent since an earlier look at it; it does not count what leaves a node.
inline Traffic since(const Traffic& earlier, const Traffic& now) {
  return {.messages = now.messages - earlier.messages,
          .bytes = now.bytes - earlier.bytes,
          .queries = now.queries - earlier.queries,
          .answers = now.answers - earlier.answers,
          .question_bytes = now.question_bytes - earlier.question_bytes};
}

/// None, between nodes neither.
inline constexpr Traffic no_traffic{.bytes_between_nodes = 0};

/// One rank's part in the pushes of all searches so far: what Fuentes et al. 2014 count and time (section IV).
struct CommunicationRecord {
  std::vector<SentTraffic> sent;      ///< to each rank: a row of the communication matrix; empty on one rank
  std::uint64_t queries = 0;          ///< sent to all
  std::uint64_t partial_packets = 0;  ///< of the packets, those sent at the end of a level without being full
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;  ///< in the all-reduce that ends a push level

  /// What was added since an earlier record of the same searches.
  [[nodiscard]] CommunicationRecord since(const CommunicationRecord& earlier) const {
    CommunicationRecord added{.sent = sent,
                              .queries = queries - earlier.queries,
                              .partial_packets = partial_packets - earlier.partial_packets,
                              .seconds = {.receive = seconds.receive - earlier.seconds.receive,
                                          .send = seconds.send - earlier.seconds.send,
                                          .finish = seconds.finish - earlier.seconds.finish},
                              .all_reduce_seconds = all_reduce_seconds - earlier.all_reduce_seconds};
    for (std::size_t rank = 0; rank < earlier.sent.size(); ++rank) {
      added.sent[rank].messages -= earlier.sent[rank].messages;
      added.sent[rank].bytes -= earlier.sent[rank].bytes;
    }
    return added;
  }
};

// Levels.

/// Seconds of one rank, by what it was doing (Cui et al. 2012, fig. 11).
struct LevelSeconds {
  double compute = 0;      ///< scanning edges and claiming vertices; in a push also what is sent and handled meanwhile
  double communicate = 0;  ///< moving frontiers, and in a push the messages that are left after the scan
  double wait = 0;         ///< waiting for slower ranks (`stall` in the paper)
  double convert = 0;      ///< changing the form of the frontier (`switch` in the paper and in the JSON)
};

/// Seconds that ranks waited in a level: the least, the mean and the most of a rank (Fuentes et al. 2014, fig. 4).
struct IdleSeconds {
  double least = 0;
  double mean = 0;
  double most = 0;
};

/// In how many ranks, or whether in one, a level pulls in each of the subgraphs that go their own ways
/// (traverse/papers/paper_searches.hpp).
struct SubgraphPulls {
  std::uint64_t hub_to_hub = 0;
  std::uint64_t hub_to_light = 0;
  std::uint64_t light_to_hub = 0;
};

/// One level of a search. Counts are sums over all ranks; seconds are those of rank 0.
struct LevelStatistics {
  bool fused = false;                     ///< threads went through it together (traverse/bfs/fused_levels.hpp)
  Direction direction = Direction::push;  ///< where subgraphs go their own ways, pull if any of them does on any rank
  std::uint64_t frontier = 0;             ///< vertices in the frontier that the level started from
  std::uint64_t edges_examined = 0;       ///< neighbours looked at
  std::uint64_t claimed = 0;              ///< vertices that got a parent
  std::uint64_t rounds = 0;               ///< exchanges that all ranks ended together in a bucket of distances
  Traffic traffic;
  std::optional<SubgraphPulls> pulling_ranks = {};  ///< where subgraphs go their own ways
  LevelSeconds seconds;
  IdleSeconds idle;
};

/// The pass after the last level that visits the vertices with one edge.
struct LeafPass {
  std::uint64_t claimed = 0;  ///< on all ranks
  Traffic traffic = no_traffic;
  LevelSeconds seconds;  ///< of rank 0
};

/// What searches on a device report beside their levels, of all so far.
struct DeviceRecord {
  std::string name;
  std::uint64_t bytes = 0;   ///< of the memory of all ranks' devices, for the graph and its search
  std::uint64_t copies = 0;  ///< of results to the host, one a search
  double copy_seconds = 0;   ///< that they took together; not in the searches' seconds
};

/// What a search on one rank's device took beside levels and leaves, by the device's own clock.
struct DeviceSeconds {
  double start = 0;  ///< clearing, until the first level
  double names = 0;  ///< writing the labels of parents, and distances
  double all = 0;    ///< the whole search, levels and leaves too
};

/// What gives light vertices their parents in the end (traverse/papers/separated_search.cpp), summed over all ranks.
struct SettledLights {
  std::uint64_t vertices = 0;  ///< that queries visited
  Traffic traffic;  ///< questions for the levels of their neighbours on other ranks, answers, parents' labels
};

}  // namespace breadth
