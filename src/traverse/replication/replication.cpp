#include "traverse/replication/replication.hpp"

#include <algorithm>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "core/errors.hpp"

namespace breadth {

namespace {
constexpr std::uint64_t word_bytes = sizeof(std::uint64_t);

/// The traffic of bytes sent inside nodes and between nodes.
Traffic sent(std::uint64_t inside_nodes, std::uint64_t between_nodes) {
  return {.bytes = inside_nodes + between_nodes, .bytes_between_nodes = between_nodes};
}

/// The library's all-gather between all ranks: sends m (p - 1) bytes in all, for m bytes on p ranks (Cui et al. 2012,
/// eq. 1).
Replicator::Strategy library_allgather(const Nodes& nodes) {
  return [&nodes](std::span<const std::uint64_t> mine, Replicator::Words& all, const Parts& parts) {
    nodes.all().all_gather(mine, all.span(), parts.counts, parts.places);
    const std::size_t here = nodes.members(nodes.own()).size();
    return sent(mine.size_bytes() * (here - 1), mine.size_bytes() * (parts.counts.size() - here));
  };
}

/// An all-gather between nodes, by lanes: sends m (N - 1) bytes in all on N nodes, whichever ranks send them (eq. 2).
class BetweenNodes {
 public:
  BetweenNodes(const Nodes& nodes, std::vector<InterNodeLane> lanes) : nodes_(nodes), lanes_(std::move(lanes)) {}

  /// Runs the all-gather. The parts of this node must be in place. Returns the bytes that this rank sent.
  [[nodiscard]] std::uint64_t run(std::span<std::uint64_t> all, const Parts& parts) const {
    std::uint64_t bytes = 0;
    for (const InterNodeLane& lane : lanes_) {
      const Parts of_lane = parts_of(lane, parts);
      const IndexRange own = of_lane.range(nodes_.own());
      const std::span<const std::uint64_t> mine = all.subspan(own.begin, own.size());
      lane.ranks.all_gather(mine, all, of_lane.counts, of_lane.places);
      bytes += mine.size_bytes() * (nodes_.count() - 1);
    }
    return bytes;
  }

 private:
  /// For each node the part of the rank that the lane is for; empty if the node has fewer ranks.
  [[nodiscard]] Parts parts_of(const InterNodeLane& lane, const Parts& parts) const {
    Parts of_lane{std::vector<std::size_t>(nodes_.count(), 0), std::vector<std::size_t>(nodes_.count(), 0)};
    for (std::size_t node = 0; node < nodes_.count(); ++node) {
      const std::span<const std::size_t> members = nodes_.members(node);
      if (lane.index >= members.size()) continue;
      of_lane.counts[node] = parts.counts[members[lane.index]];
      of_lane.places[node] = parts.places[members[lane.index]];
    }
    return of_lane;
  }

  const Nodes& nodes_;
  std::vector<InterNodeLane> lanes_;
};

/// Brings all parts to every leader: a gather on each node, then an all-gather between leaders.
class ToLeaders {
 public:
  explicit ToLeaders(const Nodes& nodes) : nodes_(nodes), leaders_(nodes, leader_lanes(nodes)) {}

  [[nodiscard]] Traffic run(std::span<const std::uint64_t> mine, std::span<std::uint64_t> all,
                            const Parts& parts) const {
    Parts here;
    for (const std::size_t rank : nodes_.members(nodes_.own())) {
      here.counts.push_back(parts.counts[rank]);
      here.places.push_back(parts.places[rank]);
    }
    nodes_.node().gather(mine, all, here.counts, here.places, 0);
    return sent(nodes_.leads() ? 0 : mine.size_bytes(), leaders_.run(all, parts));
  }

 private:
  const Nodes& nodes_;
  BetweenNodes leaders_;
};

/// Broadcasts all parts from the leader to its node, adjacent parts together. Returns the bytes that this rank sent.
std::uint64_t broadcast_on_node(std::span<std::uint64_t> all, const Parts& parts, const Nodes& nodes) {
  std::uint64_t words = 0;
  for (std::size_t rank = 0; rank < parts.counts.size();) {
    const std::size_t begin = parts.places[rank];
    std::size_t end = begin;
    for (; rank < parts.counts.size() && parts.places[rank] == end; ++rank) end += parts.counts[rank];
    nodes.node().broadcast(all.subspan(begin, end - begin), 0);
    words += end - begin;
  }
  const auto receivers = static_cast<std::uint64_t>(nodes.node().size() - 1);
  return nodes.leads() ? words * word_bytes * receivers : 0;
}

/// All-gather to leaders, then a broadcast on each node (fig. 5a).
Replicator::Strategy leader_allgather(const Nodes& nodes) {
  return [&nodes, to_leaders = ToLeaders(nodes)](std::span<const std::uint64_t> mine, Replicator::Words& all,
                                                 const Parts& parts) {
    Traffic traffic = to_leaders.run(mine, all.span(), parts);
    traffic.bytes += broadcast_on_node(all.span(), parts, nodes);
    return traffic;
  };
}

/// All-gather to leaders, into the array that the ranks of a node share.
Replicator::Strategy shared_in_queue(const Nodes& nodes) {
  return
      [to_leaders = ToLeaders(nodes)](std::span<const std::uint64_t> mine, Replicator::Words& all, const Parts& parts) {
        const Traffic traffic = to_leaders.run(mine, all.span(), parts);
        all.barrier();
        return traffic;
      };
}

/// For ranks that have written their parts to the array that their node shares: only an all-gather between nodes, if
/// there are several, by leaders (fig. 5b) or by every rank for its part (fig. 7).
Replicator::Strategy shared_queues(const Nodes& nodes, std::vector<InterNodeLane> lanes) {
  return [&nodes, between_nodes = BetweenNodes(nodes, std::move(lanes))](std::span<const std::uint64_t>,
                                                                         Replicator::Words& all, const Parts& parts) {
    all.barrier();  // a leader sends what others have written
    if (nodes.count() == 1) return no_traffic;
    const std::uint64_t bytes = between_nodes.run(all.span(), parts);
    all.barrier();
    return sent(0, bytes);
  };
}

Replicator::Strategy make_strategy(Replication how, const Nodes& nodes) {
  switch (how) {
    case Replication::allgather: return library_allgather(nodes);
    case Replication::leader: return leader_allgather(nodes);
    case Replication::shared_in: return shared_in_queue(nodes);
    case Replication::shared: return shared_queues(nodes, leader_lanes(nodes));
    case Replication::subgroups: return shared_queues(nodes, subgroup_lanes(nodes));
  }
  fail("unknown way of replicating");
}
}  // namespace

Replicator::Replicator(Replication how, const Nodes& nodes)
    : how_(nodes.all().size() == 1 ? Replication::allgather : how),
      nodes_(nodes),
      self_(nodes.all().split(nodes.all().rank(), 0)),
      queue_strategy_(make_strategy(how_, nodes_)),
      summary_strategy_(make_strategy(how_ == Replication::shared_in ? Replication::leader : how_, nodes_)) {}

Replicator::Replicator(const ReplicationOptions& options, const Communicator& ranks)
    : Replicator(options.how, Nodes(ranks, options.ranks_per_node)) {}

Replicator::Words Replicator::words(std::size_t count, bool shared) const {
  return run_together(nodes_.all(), [&] {  // the ranks of a node fail together, those of other nodes may succeed
    try {
      return Words(shared ? nodes_.node() : self_, count);
    } catch (const Error& error) {
      if (!shared) throw;
      fail("the ranks of this node cannot share memory: {}; use --replicate allgather or --replicate leader",
           error.what());
    }
  });
}

std::vector<std::size_t> Replicator::copied_ranks(bool shared, bool written_in_place) const {
  const auto sharers = static_cast<std::size_t>(shared ? nodes_.node().size() : 1);
  const auto share = static_cast<std::size_t>(shared ? nodes_.node().rank() : 0);
  std::vector<std::size_t> copied;
  std::size_t others = 0;
  for (std::size_t rank = 0; rank < rank_count(); ++rank) {
    const bool writes_here = written_in_place && (shared ? nodes_.here(rank) : rank == own_rank());
    if (!writes_here && others++ % sharers == share) copied.push_back(rank);
  }
  return copied;
}

ReplicatedWords::ReplicatedWords(const Replicator& replicator, Role role, std::size_t size, std::size_t part_size)
    : replicator_(replicator),
      strategy_(role == Role::queue ? replicator.queue_strategy() : replicator.summary_strategy()),
      shared_(role == Role::queue ? replicator.shares_in_queues() : replicator.shares_all()),
      in_place_(!shared_ || replicator.shares_all()),
      all_(replicator.words(size, shared_)),
      own_(in_place_ ? 0 : part_size),
      copied_ranks_(replicator.copied_ranks(shared_, in_place_)) {}

Traffic ReplicatedWords::replicate(const Parts& parts) {
  return strategy_(part(parts.range(replicator_.own_rank())), all_, parts);
}

void ReplicatedWords::clear() {
  const std::span<std::uint64_t> share = all_.share();
  std::fill(share.begin(), share.end(), 0);
  std::fill(own_.begin(), own_.end(), 0);
  all_.barrier();
}

// Masks of hubs.

MaskReduction::MaskReduction(HubMaskPolicy how, const Nodes& nodes)
    : nodes_(nodes),
      two_phase_(how == HubMaskPolicy::two_phase || how == HubMaskPolicy::two_phase_nonblocking),
      takes_part_(!two_phase_ || nodes.leads()),
      others_(two_phase_ ? leaders_of(nodes) : nodes.all()) {
  if (how == HubMaskPolicy::nonblocking || how == HubMaskPolicy::two_phase_nonblocking) pending_.emplace(others_);
}

void MaskReduction::start(std::span<std::uint64_t> masks) {
  masks_ = masks;
  if (!pending_) return;
  combine_inside();
  if (takes_part_) pending_->start(masks_);
}

Traffic MaskReduction::finish() {
  if (!pending_) combine_inside();
  if (takes_part_) {
    if (pending_) {
      pending_->finish();
    } else {
      others_.all_reduce(masks_, Reduction::bitwise_or);
    }
  }
  if (two_phase_) nodes_.node().broadcast(masks_, 0);
  return traffic();
}

void MaskReduction::combine_inside() const {
  if (two_phase_) nodes_.node().all_reduce(masks_, Reduction::bitwise_or);
}

Traffic MaskReduction::traffic() const {
  const std::uint64_t size = masks_.size_bytes();
  if (!two_phase_) {
    const std::uint64_t bytes = all_reduce_bytes(size, static_cast<std::uint64_t>(nodes_.all().size()));
    return {.bytes = bytes, .bytes_between_nodes = nodes_.bytes_between(bytes)};
  }
  const auto here = static_cast<std::uint64_t>(nodes_.node().size());
  const std::uint64_t inside = all_reduce_bytes(size, here) + (nodes_.leads() ? (here - 1) * size : 0);
  return sent(inside, nodes_.leads() ? all_reduce_bytes(size, nodes_.count()) : 0);
}

}  // namespace breadth
