#include "traverse/replication/replicated_distances.hpp"

#include <limits>

#include "comm/agreement.hpp"

namespace breadth {

namespace {
constexpr std::size_t at_a_time = std::size_t{1} << 14;
}

ReplicatedDistances::ReplicatedDistances(const Partition& partition, std::optional<Replication> how, const Nodes& nodes,
                                         const Context& context)
    : code_(partition.code()),
      hubs_end_(partition.hubs().end()),
      context_(context),
      counts_(context.ranks.all_gather(partition.local_count())),
      searched_(counts_) {
  if (how) {
    open(*how, nodes);
  } else {
    try {
      open(Replication::subgroups, nodes);
    } catch (const AgreedError&) {  // memory cannot be shared; thrown on all ranks
      open(Replication::allgather, nodes);
    }
  }
  for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
    noted_.push_back(shared_ ? !nodes.here(rank) : rank != own_rank());
  }
  if (!shared_) return;
  by_leaders_ = how == Replication::shared;
  lanes_ = by_leaders_ ? leader_lanes(nodes) : subgroup_lanes(nodes);
}

void ReplicatedDistances::open(Replication how, const Nodes& nodes) {
  replicator_ = std::make_unique<Replicator>(how, nodes);
  shared_ = replicator_->shares_in_queues();
  words_.emplace(replicator_->words(code_.bound() / floats_per_word, shared_));
  places_ = {reinterpret_cast<float*>(words_->span().data()), words_->size() * floats_per_word};
}

IndexRange ReplicatedDistances::own_places() const noexcept {
  const std::size_t first = own_rank() * code_.stride();
  return {first, first + counts_[own_rank()]};
}

void ReplicatedDistances::start(std::span<const std::uint32_t> start) {
  for (const std::size_t rank : replicator_->copied_ranks(shared_, true)) {
    parallel_fill(context_.threads, places_.subspan(rank * code_.stride(), counts_[rank]),
                  std::numeric_limits<float>::infinity());
  }
  synchronize();
  if (counts_.size() > 1) (void)share_list(start, context_.ranks.all_gather(start.size()));
}

ReplicatedDistances::Shared ReplicatedDistances::share(std::span<const std::uint32_t> changed, const Section& section) {
  const std::vector<std::size_t> counts = context_.ranks.all_gather(changed.size());
  Shared shared{.changed = sum_of(counts)};
  for (std::size_t rank = 0; rank < counts.size(); ++rank) shared.swept += part(section, rank).size();
  if (counts.size() == 1 || shared.changed == 0) return shared;
  const bool as_list = shared.changed * sizeof(Change) < shared.swept * sizeof(float);
  shared.bytes = as_list ? share_list(changed, counts) : share_section(section);
  return shared;
}

/// Returns the bytes that this rank sent.
std::uint64_t ReplicatedDistances::share_list(std::span<const std::uint32_t> changed,
                                              std::span<const std::size_t> counts) {
  if (seen_by_all()) {
    synchronize();
    return 0;
  }
  const IndexRange own = own_places();
  sent_.resize(changed.size());
  parallel_for(context_.threads, changed.size(), at_a_time, [&](std::size_t i) {
    const std::size_t global_id = own.begin + changed[i];
    sent_[i] = {static_cast<std::uint32_t>(global_id), places_[global_id]};
  });
  return shared_ ? tell_other_nodes(counts) : tell_all(counts);
}

std::uint64_t ReplicatedDistances::tell_all(std::span<const std::size_t> counts) {
  received_.resize(sum_of(counts));
  context_.ranks.all_gather(std::span<const Change>(sent_), std::span(received_), counts);
  take(received_);
  return sent_.size() * sizeof(Change) * (counts.size() - 1);
}

/// Sends the changes of this node's ranks to other nodes. Each lane moves those of one rank of every node; with
/// by_leaders_ the leaders have all lanes.
std::uint64_t ReplicatedDistances::tell_other_nodes(std::span<const std::size_t> counts) {
  const Nodes& nodes = replicator_->nodes();
  const std::span<const std::size_t> members = nodes.members(nodes.own());
  std::vector<std::size_t> counts_here;
  std::vector<std::size_t> places_here{0};
  for (const std::size_t rank : members) {
    counts_here.push_back(counts[rank]);
    places_here.push_back(places_here.back() + counts[rank]);
  }
  std::uint64_t bytes = 0;
  if (by_leaders_) {
    of_node_.resize(nodes.leads() ? places_here.back() : 0);
    places_here.pop_back();
    nodes.node().gather(std::span<const Change>(sent_), std::span(of_node_), counts_here, places_here, 0);
    if (!nodes.leads()) bytes += sent_.size() * sizeof(Change);
  }
  const auto own_place = static_cast<std::size_t>(nodes.node().rank());
  for (const InterNodeLane& lane : lanes_) {
    std::span<const Change> mine;
    if (by_leaders_ && lane.index < members.size()) {
      mine = std::span<const Change>(of_node_).subspan(places_here[lane.index], counts_here[lane.index]);
    } else if (lane.index == own_place) {
      mine = sent_;
    }
    std::vector<std::size_t> counts_of_lane;
    for (std::size_t node = 0; node < nodes.count(); ++node) {
      const std::span<const std::size_t> of_node = nodes.members(node);
      counts_of_lane.push_back(lane.index < of_node.size() ? counts[of_node[lane.index]] : 0);
    }
    received_.resize(sum_of(counts_of_lane));
    lane.ranks.all_gather(mine, std::span(received_), counts_of_lane);
    take(received_);
    bytes += mine.size_bytes() * (nodes.count() - 1);
  }
  synchronize();
  return bytes;
}

void ReplicatedDistances::take(std::span<const Change> changes) {
  parallel_for(context_.threads, changes.size(), at_a_time,
               [&](std::size_t i) { note(changes[i].global_id, changes[i].distance); });
}

/// Returns the bytes that this rank sent.
std::uint64_t ReplicatedDistances::share_section(const Section& section) {
  Parts parts;  // in words: if a part ends inside a word, the place beside it is sent too
  for (std::size_t rank = 0; rank < searched_.size(); ++rank) {
    const IndexRange range = part(section, rank);
    parts.places.push_back((rank * code_.stride() + range.begin) / floats_per_word);
    parts.counts.push_back((range.size() + floats_per_word - 1) / floats_per_word);
  }
  const IndexRange own = parts.range(own_rank());
  const std::span<const std::uint64_t> mine = words_->span().subspan(own.begin, own.size());
  return replicator_->queue_strategy()(mine, *words_, parts).bytes;
}

}  // namespace breadth
