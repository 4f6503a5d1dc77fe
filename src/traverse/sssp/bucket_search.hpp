// Delta-stepping as a part of other searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "graph/partition.hpp"
#include "traverse/communication.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/sssp.hpp"
#include "traverse/sssp/exchanged_buckets.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/local_buckets.hpp"
#include "traverse/sssp/relaxation_exchange.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Parents go by their labels.
template <class Neighbour>
class LabelNames {
 public:
  /// The partition outlives this.
  explicit LabelNames(const Partition& partition) : partition_(&partition) {}

  [[nodiscard]] Neighbour operator()(std::uint32_t vertex) const {
    return static_cast<Neighbour>(partition_->label(LocalVertex{vertex}).value);
  }
  /// Always inlined: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::uint32_t vertex) const {
    __builtin_prefetch(partition_->offset_of_local().data() + vertex);
  }

 private:
  const Partition* partition_;
};

/// LocalBuckets in the place of ExchangedBuckets.
template <class Neighbour>
class OneRankBuckets {
 public:
  /// All of them outlive the search, on one rank.
  template <class Distances>
  OneRankBuckets(TentativeTree<Neighbour>& tree, Distances&, HubBounds<Neighbour>& hubs,
                 const Adjacency<Neighbour>& rows, const Partition& partition, const SsspOptions& options,
                 const Context& context, const ExchangeStrategy&)
      : hubs_(hubs), buckets_(tree, LabelNames<Neighbour>(partition), rows, options, context) {}

  void run(std::span<const std::uint32_t> start, double delta, std::vector<LevelStatistics>& levels) {
    buckets_.run(start, delta, levels);
    // Replicas on one rank are the hubs themselves.
    for (std::size_t hub = 0; hub < hubs_.count(); ++hub) hubs_.know(hub);
  }

  /// On one rank nothing is sent.
  [[nodiscard]] CommunicationRecord communication() const { return {}; }

 private:
  HubBounds<Neighbour>& hubs_;
  LocalBuckets<Neighbour, TentativeTree<Neighbour>, LabelNames<Neighbour>> buckets_;
};

/// Settles what can still be improved, bucket by bucket: in rounds that all ranks make together, or on one rank.
template <class Neighbour, class Exchange, class Distances>
using BucketSearch = std::conditional_t<std::is_same_v<Exchange, NoRelaxationExchange>, OneRankBuckets<Neighbour>,
                                        ExchangedBuckets<Neighbour, Exchange, Distances>>;

}  // namespace breadth
