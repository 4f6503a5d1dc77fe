// Statistics that a search reports: of each level, and of the messages between ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/policy/search.hpp"

namespace breadth {

// Traffic between ranks.

/// What one rank, or all ranks together, sent: in a level, in a pass after the levels, or by an exchange so far.
struct Traffic {
  std::uint64_t messages = 0;  ///< point-to-point
  std::uint64_t bytes = 0;     ///< from rank to rank, collectives included
  /// The bytes that went to another node; nothing if they are not counted, as in pushes on several nodes.
  std::optional<std::uint64_t> bytes_between_nodes = {};
  /// Queries of a push, or relaxations, for vertices of other ranks; in a pull by messages, questions about vertices of
  /// other ranks.
  std::uint64_t queries = 0;
  std::uint64_t answers = 0;         ///< to the questions: vertices that are in the frontier
  std::uint64_t question_bytes = 0;  ///< the part of `bytes` that is questions

  /// The sum has no bytes_between_nodes if one of the terms has none.
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

/// The traffic of an exchange since an earlier look at it. Bytes between nodes are not counted.
inline Traffic since(const Traffic& earlier, const Traffic& now) {
  return {.messages = now.messages - earlier.messages,
          .bytes = now.bytes - earlier.bytes,
          .queries = now.queries - earlier.queries,
          .answers = now.answers - earlier.answers,
          .question_bytes = now.question_bytes - earlier.question_bytes};
}

/// No traffic. Its bytes between nodes are counted and 0.
inline constexpr Traffic no_traffic{.bytes_between_nodes = 0};

/// One rank's part in the pushes of all searches so far: the counts and times of Fuentes et al. 2014 (section IV).
struct CommunicationRecord {
  std::vector<SentTraffic> sent;      ///< to each rank: a row of the communication matrix; empty on one rank
  std::uint64_t queries = 0;          ///< sent to all ranks
  std::uint64_t partial_packets = 0;  ///< packets sent at the end of a level without being full
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;  ///< in the all-reduce that ends a push level

  /// The difference to an earlier record of the same searches.
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

/// Seconds of one rank, by activity (Cui et al. 2012, fig. 11).
struct LevelSeconds {
  double compute = 0;      ///< scanning edges and claiming vertices; in a push also sending and receiving meanwhile
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

/// How many ranks pull in each of the degree-separated subgraphs in a level; for one rank 0 or 1
/// (traverse/papers/paper_searches.hpp).
struct SubgraphPulls {
  std::uint64_t hub_to_hub = 0;
  std::uint64_t hub_to_light = 0;
  std::uint64_t light_to_hub = 0;
};

/// One level of a search. Counts are sums over all ranks; seconds are those of rank 0.
struct LevelStatistics {
  bool fused = false;                     ///< carried out by FusedLevels (traverse/bfs/fused_levels.hpp)
  Direction direction = Direction::push;  ///< with degree-separated subgraphs, pull if any of them pulls on any rank
  std::uint64_t frontier = 0;             ///< vertices in the frontier that the level started from
  std::uint64_t edges_examined = 0;       ///< neighbours looked at
  std::uint64_t claimed = 0;              ///< vertices that got a parent
  std::uint64_t rounds = 0;               ///< in a bucket of distances, the exchanges that all ranks ended together
  Traffic traffic;
  std::optional<SubgraphPulls> pulling_ranks = {};  ///< with degree-separated subgraphs
  LevelSeconds seconds;
  IdleSeconds idle;
};

/// The pass after the last level that visits the vertices with one edge.
struct LeafPass {
  std::uint64_t claimed = 0;  ///< on all ranks
  Traffic traffic = no_traffic;
  LevelSeconds seconds;  ///< of rank 0
};

/// What searches on a device report besides their levels; sums over all searches so far.
struct DeviceRecord {
  std::string name;
  std::uint64_t bytes = 0;   ///< of memory on all ranks' devices, for the graph and its search
  std::uint64_t copies = 0;  ///< of results to the host, one per search
  double copy_seconds = 0;   ///< of all copies; not part of the searches' seconds
};

/// Seconds of a search on one rank's device besides levels and leaves, by the device's own clock.
struct DeviceSeconds {
  double start = 0;  ///< clearing, until the first level
  double names = 0;  ///< writing the labels of parents, and distances
  double all = 0;    ///< the whole search, levels and leaves included
};

/// The pass at the end that gives light vertices their parents (traverse/papers/separated_search.cpp), summed over all
/// ranks.
struct SettledLights {
  std::uint64_t vertices = 0;  ///< that queries visited
  Traffic traffic;             ///< questions for the levels of neighbours on other ranks, answers, parents' labels
};

}  // namespace breadth
