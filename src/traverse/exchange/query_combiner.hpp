// One query a vertex.
#pragma once

#include <cstddef>
#include <memory>

#include "comm/routes/routed_exchange.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth {

/// Leaves of packets of queries one for each target ("uniquify", Pan et al. 2018, section V-B): the one with the
/// smallest parent or, of relaxations (traverse/sssp/relaxation_exchange.hpp), the one with the smallest distance. What
/// comes out is in packets of at most `coalescing` queries, by parent. Nothing for Combining::none. O(q log q) for q
/// queries of a superstep; holds at most twice as many as there are targets, or some thousands.
template <class Word>
std::unique_ptr<MessageCombiner> make_query_combiner(Combining combining, PacketFormat format, std::size_t coalescing);

}  // namespace breadth
