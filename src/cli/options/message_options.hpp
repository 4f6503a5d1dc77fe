// Options of messages between ranks.
#pragma once

#include <cstddef>
#include <optional>

#include "cli/options/option_set.hpp"
#include "traverse/bfs.hpp"

namespace breadth::cli {

/// When messages travel between ranks, and how these learn that no more comes: --exchange, --ending.
void add_exchange_options(OptionSet& options, ExchangePolicy& exchange, std::optional<Termination>& ending);
/// --coalescing, which every search has.
void add_coalescing_option(OptionSet& options, std::size_t& coalescing, std::size_t most);
/// How queries travel between ranks: --exchange, --ending, --packets, --coalescing, and the route options.
void add_message_options(OptionSet& options, BfsOptions& bfs);

}  // namespace breadth::cli
