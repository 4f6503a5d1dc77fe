// How far messages go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "comm/routes/groups.hpp"

namespace breadth {

/// Where a rank is attached to the network, from near to far. Each number tells apart what is in the same larger part:
/// chip 0 of board 1 is another one than chip 0 of board 2.
struct NetworkPlace {
  int chip = 0;     ///< routing chip (HFR-E)
  int board = 0;    ///< switchboard
  int bunch = 0;    ///< bunch of blades
  int cabinet = 0;  ///< compute frame
};

/// Hops by what they lead through: the terms of Gan & Zhang 2021, equation (5).
struct Hops {
  std::uint64_t chip = 0;     ///< HNR_hops
  std::uint64_t board = 0;    ///< NRM_hops
  std::uint64_t bunch = 0;    ///< BOB_hops
  std::uint64_t cabinet = 0;  ///< Cab_hops

  /// acc_hops, their sum.
  [[nodiscard]] std::uint64_t all() const noexcept { return chip + board + bunch + cabinet; }
  friend bool operator==(const Hops&, const Hops&) = default;
};

/// What a message passes on the shortest way up and down the tree of the network: one chip between ranks on the same
/// chip, else both their chips; then the board that they share, else both boards; and so on. 1 to 8 hops. The paper
/// names the terms and does not say how they are counted for a message.
Hops hops_between(const NetworkPlace& one, const NetworkPlace& other);

/// Places where nothing is known but groups: each has a chip, and one board joins all.
std::vector<NetworkPlace> places_of(const Groups& groups);

/// What a rank sent, by how far it went.
struct TrafficByDistance {
  SentTraffic inside_groups;
  SentTraffic between_groups;
  Hops hops;  ///< of all messages together
};

/// For what one rank sent to each rank (MessageExchange::sent). `places` has one for each rank.
TrafficByDistance by_distance(std::span<const SentTraffic> sent, int rank, const Groups& groups,
                              std::span<const NetworkPlace> places);

}  // namespace breadth
