// Routes of messages through ranks, and an exchange that forwards messages along a route.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/exchange/message_exchange.hpp"
#include "comm/routes/network.hpp"
#include "core/policy/search.hpp"

namespace breadth {

// Routes.

/// The kind of a hop: to a rank of the same group, or to another group.
enum class Hop { inside, across };

/// One rank's view of the routes: the next rank for each destination, for messages that this rank sends and for those
/// that it forwards. O(ranks) memory.
struct Route {
  std::vector<Hop> hops = {};   ///< the kinds of hops on the longest way; equal on every rank
  std::vector<int> next;        ///< by destination: the next rank; empty if every message goes directly
  std::vector<bool> outside;    ///< by rank: whether it is in another group
  std::vector<int> peers = {};  ///< the ranks that this one sends to or receives from, ascending

  [[nodiscard]] bool direct() const noexcept { return next.empty(); }
  /// Whether a message's next hop leads out of this rank's group.
  [[nodiscard]] bool crosses(std::size_t destination) const {
    return outside[static_cast<std::size_t>(next[destination])];
  }
};

/// "Local all2all" (Pan et al. 2018, section V-B): a message for another group goes first to the member of the sender's
/// group that has the receiver's lane, then across to the receiver. Each rank communicates with its group and with one
/// rank of each other group, so p ranks in groups of g form p^2 / g pairs between groups instead of p^2. In a smaller
/// group the lane is taken modulo the group's size.
Route local_route(const Groups& groups, int rank);

/// Group-based monitor communication (Gan & Zhang 2021, section 4.3): a message for another group goes to the sender
/// group's monitor for that group, then to the receiver group's monitor for the sender's group, then to the receiver.
/// One pair of ranks communicates between each pair of groups. `shares` has an entry for every rank and is equal on
/// every rank. O(groups * ranks) time.
Route monitored_route(const Groups& groups, MonitorPolicy policy, std::span<const HeavyShare> shares, int rank);

/// The inputs from which a route is made.
struct RouteInputs {
  const Groups& groups;
  int rank;
  MonitorPolicy monitors;
  std::span<const HeavyShare> shares;  ///< by rank; used by routes through monitors
};

/// The properties of a kind of route. On forwarding routes, all messages of a group for one receiver leave the group
/// from one rank, where queries for one target can be combined. A message crosses between groups once, and predictions
/// count it so (model/traffic_prediction.hpp).
struct RouteKind {
  RoutePolicy policy;
  const char* meaning;                        ///< "through a group member"; short: help lists all in one line
  const char* source = "";                    ///< the paper that it comes from, if any
  int hops_inside = 0;                        ///< hops inside groups on the longest way to another group
  bool monitors = false;                      ///< whether it uses monitors, which are elected by heavy vertices
  Route (*make)(RouteInputs from) = nullptr;  ///< makes a rank's route; nullptr if messages go directly
};

/// All kinds of routes, in the order of the enum.
std::span<const RouteKind> route_kinds();
const RouteKind& kind_of(RoutePolicy policy);

// The exchange that forwards messages through other ranks.

/// Combines the messages that wait at one rank to cross to other groups into fewer or smaller ones.
class MessageCombiner {
 public:
  using Emit = std::function<void(int destination, std::span<const std::byte> message)>;

  MessageCombiner() = default;
  virtual ~MessageCombiner() = default;
  MessageCombiner(const MessageCombiner&) = delete;
  MessageCombiner& operator=(const MessageCombiner&) = delete;

  /// Adds a message; its memory is not needed afterwards. Throws Error if the message cannot be read.
  virtual void add(int destination, std::span<std::byte> message) = 0;
  /// Emits the combined messages and becomes empty.
  virtual void drain(const Emit& emit) = 0;
  [[nodiscard]] virtual bool empty() const = 0;
};

/// Sends messages along a route, by a carrier: another exchange that moves them from one rank to the next. Messages
/// with one next rank travel in one packed message, each preceded by 16 bytes with its source, destination and size. A
/// packed message is sent when the next message no longer fits (there is room for one of the largest size), or when the
/// superstep ends. A superstep of this exchange takes one superstep of the carrier for each hop of the route, and
/// before it the waiting messages whose next hop is of that kind are sent. Used from one thread per rank.
///
/// With a combiner, a rank holds messages that cross to other groups until the end of the superstep, so that the
/// combiner sees all of them; their source then is the rank that combined them. Memory is bounded by the messages of a
/// superstep.
///
/// The traffic counts the messages that travel, for each hop, by next rank.
class RoutedExchange final : public MessageExchange {
 public:
  /// Makes the carrier: an exchange between peers for messages of at most `message_bytes` bytes.
  using Make = std::function<std::unique_ptr<MessageExchange>(std::size_t message_bytes, Handler handler)>;

  /// Messages have 1 to message_bytes bytes. The route must not be direct. Collective.
  RoutedExchange(const Communicator& ranks, Route route, std::size_t message_bytes, const Make& make, Handler handler,
                 std::unique_ptr<MessageCombiner> combiner = nullptr);

  void send(int destination, std::span<const std::byte> message) override;
  void poll() override;
  /// Collective. Throws Error if a message needed more hops than the route has.
  void finish() override;

  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept override { return carrier_->sent(); }
  [[nodiscard]] SentTraffic total() const noexcept override { return carrier_->total(); }
  [[nodiscard]] const ExchangeSeconds& seconds() const noexcept override { return carrier_->seconds(); }

 private:
  void unpack(std::span<std::byte> messages);
  void pack(int source, int destination, std::span<const std::byte> message);
  void send_full();
  void send_open(Hop hop);

  int rank_;
  Route route_;
  std::size_t packed_bytes_;  ///< the largest size of a packed message
  Handler handler_;
  std::unique_ptr<MessageCombiner> combiner_;
  std::vector<std::vector<std::byte>> open_;                 ///< by next rank: packed messages that are not full yet
  std::deque<std::pair<int, std::vector<std::byte>>> full_;  ///< full messages and their next ranks, oldest first
  std::unique_ptr<MessageExchange> carrier_;
};

}  // namespace breadth
