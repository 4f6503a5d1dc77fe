// Delta-stepping.
#pragma once

#include <type_traits>

#include "traverse/exchanged_buckets.hpp"
#include "traverse/local_buckets.hpp"
#include "traverse/relaxation_exchange.hpp"

namespace breadth {

/// Settles what can still be improved, bucket by bucket: in rounds that all ranks make together, or on one rank.
template <class Neighbour, class Exchange, class Distances>
using BucketSearch = std::conditional_t<std::is_same_v<Exchange, NoRelaxationExchange>, LocalBuckets<Neighbour>,
                                        ExchangedBuckets<Neighbour, Exchange, Distances>>;

}  // namespace breadth
