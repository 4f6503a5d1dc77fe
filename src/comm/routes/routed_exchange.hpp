// Routes of messages through ranks, and the exchange whose messages other ranks forward.
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

/// What a message does in a hop: go to a rank of the same group, or to another group.
enum class Hop { inside, across };

/// What one rank knows of the ways that messages take: for each destination the rank to hand them to, the same for
/// those that it makes and those that it forwards. O(ranks) memory.
struct Route {
  std::vector<Hop> hops = {};   ///< from rank to rank, on the longest way there is; the same on every rank
  std::vector<int> next;        ///< by destination; empty if every message goes straight to it
  std::vector<bool> outside;    ///< by rank: of another group
  std::vector<int> peers = {};  ///< the ranks that this one sends to or hears from, rising

  [[nodiscard]] bool direct() const noexcept { return next.empty(); }
  /// Whether a message's next hop leads out of this rank's group.
  [[nodiscard]] bool crosses(std::size_t destination) const {
    return outside[static_cast<std::size_t>(next[destination])];
  }
};

/// "Local all2all" (Pan et al. 2018, section V-B): a message for another group first goes to the member of the own
/// group whose lane is the receiver's, then across. Ranks talk to their group and to one rank of each other group, so
/// p ranks in groups of g make p^2 / g pairs between groups where they were p^2. In a smaller group the lane is taken
/// modulo its size.
Route local_route(const Groups& groups, int rank);

/// Group-based monitor communication (Gan & Zhang 2021, section 4.3): a message for another group goes to the own
/// group's monitor for that group, from there to that group's monitor for the own one, then to its receiver. Two ranks
/// of each pair of groups talk. `shares` has every rank's; the same on every rank. O(groups * ranks) time.
Route monitored_route(const Groups& groups, MonitorPolicy policy, std::span<const HeavyShare> shares, int rank);

/// What a route is made from.
struct RouteGround {
  const Groups& groups;
  int rank;
  MonitorPolicy monitors;
  std::span<const HeavyShare> shares;  ///< every rank's, of a route through monitors
};

/// A route: all that differs from one to another. What a group has for one receiver crosses from one rank, where
/// queries for one target can become one; and it crosses once, which is how predictions count it
/// (model/traffic_prediction.cpp).
struct RouteKind {
  RoutePolicy policy;
  const char* meaning;                      ///< "through a group member"; short, since one line of help has all
  const char* source = "";                  ///< the paper that it comes from, if any
  int hops_inside = 0;                      ///< inside groups, on the longest way to another group
  bool monitors = false;                    ///< whether it leads through monitors, whom heavy vertices elect
  Route (*make)(RouteGround on) = nullptr;  ///< a rank's own; nullptr where messages go straight to their receivers
};

/// All of them, in the order of the enum.
std::span<const RouteKind> route_kinds();
const RouteKind& kind_of(RoutePolicy policy);

// Messages that other ranks forward.

/// Makes fewer or smaller messages of those that wait at one rank to cross to other groups.
class MessageCombiner {
 public:
  using Emit = std::function<void(int destination, std::span<const std::byte> message)>;

  MessageCombiner() = default;
  virtual ~MessageCombiner() = default;
  MessageCombiner(const MessageCombiner&) = delete;
  MessageCombiner& operator=(const MessageCombiner&) = delete;

  /// Takes a message in; nothing of it is needed afterwards. Throws Error for one that it cannot read.
  virtual void add(int destination, std::span<std::byte> message) = 0;
  /// Hands out what became of them, and is empty.
  virtual void drain(const Emit& emit) = 0;
  [[nodiscard]] virtual bool empty() const = 0;
};

/// Sends messages by a route, over whatever exchange carries them from one rank to the next. What a rank has for the
/// same next rank travels in one message, behind 16 bytes each that say from where to where; such a message goes when
/// it is as large as the largest that is sent, or when the superstep ends. A superstep of this exchange is one of the
/// other for each hop of the route, in which what is left goes that does such a hop. Used from one thread a rank.
///
/// With a combiner what a group has for another waits for all of it, so that it sees the whole superstep; it then comes
/// from the rank that combined it. What waits is held in memory: at most what a superstep brings.
///
/// Counted as sent are the messages that travel, hop by hop, by next rank.
class RoutedExchange final : public MessageExchange {
 public:
  /// Makes the exchange that carries messages of at most so many bytes between peers.
  using Make = std::function<std::unique_ptr<MessageExchange>(std::size_t message_bytes, Handler handler)>;

  /// Messages have 1 to message_bytes bytes. Collective; the route is not direct.
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
  std::size_t packed_bytes_;  ///< of packed messages at the most
  Handler handler_;
  std::unique_ptr<MessageCombiner> combiner_;
  std::vector<std::vector<std::byte>> open_;                 ///< by next rank
  std::deque<std::pair<int, std::vector<std::byte>>> full_;  ///< with the next rank, in the order in which they filled
  std::unique_ptr<MessageExchange> carrier_;
};

}  // namespace breadth
