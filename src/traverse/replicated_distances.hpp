// Every rank's tentative distances, on every rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/parallel.hpp"
#include "graph/partition.hpp"
#include "traverse/replication.hpp"
#include "traverse/tentative_tree.hpp"

namespace breadth {

/// Keeps the places of a TentativeTree that other ranks own: what their vertices had when they last shared.
/// Memory: 4 bytes on each rank for each vertex of the graph.
class ReplicatedDistances {
 public:
  /// What was shared, by all ranks together.
  struct Shared {
    std::uint64_t changed = 0;
    std::uint64_t swept = 0;  ///< among so many
    std::uint64_t bytes = 0;  ///< sent from rank to rank
  };

  /// Vertices with local ids below `searched` on this rank are those through which others are reached. The tree and the
  /// context outlive this. Collective.
  ReplicatedDistances(TentativeTree<std::uint32_t>& tree, const Partition& partition, std::size_t searched,
                      const Context& context)
      : tree_(tree),
        code_(partition.code()),
        context_(context),
        counts_(context.ranks.all_gather(tree.size())),
        searched_(context.ranks.all_gather(searched)) {}

  /// Other ranks' vertices have no distances, but for those that they `start` from, local ids there: a pull asks for
  /// them as for others. Collective.
  void start(std::span<const std::uint32_t> start) {
    const auto own = static_cast<std::size_t>(context_.ranks.rank());
    for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
      if (rank == own) continue;
      parallel_fill(context_.threads, tree_.by_position().subspan(rank * code_.stride(), counts_[rank]),
                    TentativeTree<std::uint32_t>::unreached);
    }
    const std::vector<std::size_t> counts = context_.ranks.all_gather(start.size());
    if (counts.size() > 1) share_list(start, counts, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  }

  /// A part of each rank's vertices: of the first 1/2^shift of those that were searched through, the piece `piece`.
  struct Section {
    int shift = 0;
    std::size_t piece = 0;
    std::size_t pieces = 1;
  };
  /// Where this rank's part of a section is.
  [[nodiscard]] IndexRange own(const Section& section) const { return part(section, context_.ranks.rank()); }

  /// Tells all ranks the distances of `changed`, local ids, all of them in this rank's part of the section. What is
  /// shorter: a list of these, or all distances of the section. Collective.
  Shared share(std::span<const std::uint32_t> changed, const Section& section) {
    const std::vector<std::size_t> counts = context_.ranks.all_gather(changed.size());
    Shared shared;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      shared.changed += counts[rank];
      shared.swept += part(section, static_cast<int>(rank)).size();
    }
    if (counts.size() == 1 || shared.changed == 0) return shared;
    const bool as_list = shared.changed * sizeof(Change) < shared.swept * sizeof(float);
    if (as_list) {
      share_list(changed, counts, shared.changed);
    } else {
      share_all(section);
    }
    shared.bytes = (counts.size() - 1) * (as_list ? shared.changed * sizeof(Change) : shared.swept * sizeof(float));
    return shared;
  }

 private:
  struct Change {
    std::uint32_t position;
    float distance;
  };

  void share_list(std::span<const std::uint32_t> changed, std::span<const std::size_t> counts, std::size_t total) {
    constexpr std::size_t at_a_time = std::size_t{1} << 14;
    const auto first = static_cast<std::uint32_t>(own_place());
    sent_.resize(changed.size());
    parallel_for(context_.threads, changed.size(), at_a_time, [&](std::size_t i) {
      sent_[i] = {first + changed[i], tree_.distance(changed[i])};
    });
    received_.resize(total);
    context_.ranks.all_gather(std::span<const Change>(sent_), std::span(received_), counts);
    parallel_for(context_.threads, total, at_a_time,
                 [&](std::size_t i) { tree_.learn(received_[i].position, received_[i].distance); });
  }

  void share_all(const Section& section) {
    Parts parts;
    for (std::size_t rank = 0; rank < searched_.size(); ++rank) {
      const IndexRange range = part(section, static_cast<int>(rank));
      parts.places.push_back(rank * code_.stride() + range.begin);
      parts.counts.push_back(range.size());
    }
    const auto own = static_cast<std::size_t>(context_.ranks.rank());
    const std::span<float> all = tree_.by_position();
    context_.ranks.all_gather(std::span<const float>(all.subspan(parts.places[own], parts.counts[own])), all,
                              parts.counts, parts.places);
  }

  [[nodiscard]] IndexRange part(const Section& section, int rank) const {
    return even_share(searched_[static_cast<std::size_t>(rank)] >> section.shift, section.piece, section.pieces);
  }
  [[nodiscard]] std::size_t own_place() const {
    return static_cast<std::size_t>(context_.ranks.rank()) * code_.stride();
  }

  TentativeTree<std::uint32_t>& tree_;
  PositionCode code_;
  Context context_;
  std::vector<std::size_t> counts_;    ///< vertices of each rank
  std::vector<std::size_t> searched_;  ///< those of them that others are reached through
  std::vector<Change> sent_;
  std::vector<Change> received_;
};

}  // namespace breadth
