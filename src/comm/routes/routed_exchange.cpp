#include "comm/routes/routed_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/errors.hpp"

namespace breadth {

// Routes.

namespace {
/// Makes a rank's route. `hops` are those of the longest way between two groups of several ranks. hop(at, destination)
/// returns the next rank of a message; it is called only for messages from this rank and to it. A peer is a rank to
/// which this rank sends its own messages first, or from which it receives messages for itself. This is enough if all
/// messages that this rank forwards go between peers; other routes need more peers.
template <class Next>
Route route_of(const Groups& groups, int rank, std::vector<Hop> hops, Next&& hop) {
  if (groups.largest() == 1) std::erase(hops, Hop::inside);
  if (groups.count() == 1) hops = {Hop::inside};
  Route route{.hops = std::move(hops), .next = {}, .outside = {}};
  for (int other = 0; other < groups.ranks(); ++other) {
    const int next = other == rank ? rank : hop(rank, other);
    route.next.push_back(next);
    route.outside.push_back(groups.of(other) != groups.of(rank));
    if (other != rank && (next == other || hop(other, rank) == rank)) route.peers.push_back(other);
  }
  return route;
}
}  // namespace

Route local_route(const Groups& groups, int rank) {
  return route_of(groups, rank, {Hop::inside, Hop::across}, [&groups](int at, int destination) {
    if (groups.of(at) == groups.of(destination)) return destination;
    const auto members = groups.members(groups.of(at));
    const int forwarder = members[groups.lane(destination) % members.size()];
    return forwarder == at ? destination : forwarder;
  });
}

Route monitored_route(const Groups& groups, MonitorPolicy policy, std::span<const HeavyShare> shares, int rank) {
  const std::size_t own = groups.of(rank);
  const std::vector<int> here = monitors_of(policy, groups, shares, own);
  std::vector<int> there;  // by group: its monitor for this rank's group
  for (std::size_t group = 0; group < groups.count(); ++group) {
    there.push_back(monitors_of(policy, groups, shares, group)[own]);
  }
  return route_of(groups, rank, {Hop::inside, Hop::across, Hop::inside}, [&](int at, int destination) {
    const std::size_t from = groups.of(at);
    const std::size_t to = groups.of(destination);
    if (from == to) return destination;
    const int monitor = from == own ? here[to] : there[from];
    const int mirror = from == own ? there[to] : here[from];
    return at == monitor ? mirror : monitor;
  });
}

namespace {
constexpr std::array kinds{
    RouteKind{.policy = RoutePolicy::direct, .meaning = "direct"},
    RouteKind{.policy = RoutePolicy::local,
              .meaning = "through a group member",
              .source = "Pan et al. 2018, section V-B",
              .hops_inside = 1,
              .make = [](RouteInputs from) { return local_route(from.groups, from.rank); }},
    RouteKind{
        .policy = RoutePolicy::monitor,
        .meaning = "through a monitor",
        .source = "Gan & Zhang 2021, section 4.3",
        .hops_inside = 2,
        .monitors = true,
        .make = [](RouteInputs from) { return monitored_route(from.groups, from.monitors, from.shares, from.rank); }},
};
static_assert(kinds.size() == words_of(RoutePolicy{}).size());
}  // namespace

std::span<const RouteKind> route_kinds() { return kinds; }

const RouteKind& kind_of(RoutePolicy policy) { return *std::ranges::find(kinds, policy, &RouteKind::policy); }

// The exchange that forwards messages through other ranks.

namespace {
/// The header of each message in a packed message.
struct Address {
  std::uint32_t source;
  std::uint32_t destination;
  std::uint64_t bytes;
};

/// The space of a message in a packed message: messages start at multiples of 8 bytes.
constexpr std::size_t packed(std::size_t bytes) { return sizeof(Address) + (bytes + 7) / 8 * 8; }
}  // namespace

RoutedExchange::RoutedExchange(const Communicator& ranks, Route route, std::size_t message_bytes, const Make& make,
                               Handler handler, std::unique_ptr<MessageCombiner> combiner)
    : MessageExchange(ranks, message_bytes),
      rank_(ranks.rank()),
      route_(std::move(route)),
      packed_bytes_(packed(message_bytes)),
      handler_(std::move(handler)),
      combiner_(std::move(combiner)),
      open_(static_cast<std::size_t>(ranks.size())),
      carrier_(make(packed_bytes_, [this](int, std::span<std::byte> messages) { unpack(messages); })) {}

/// Called while the carrier is handling an arrival, so messages to be forwarded are only queued here.
void RoutedExchange::unpack(std::span<std::byte> messages) {
  while (!messages.empty()) {
    Address address{};
    if (messages.size() >= sizeof(address)) std::memcpy(&address, messages.data(), sizeof(address));
    if (address.bytes == 0 || address.bytes > messages.size() || packed(address.bytes) > messages.size() ||
        std::max(address.source, address.destination) >= open_.size()) {
      fail("a packed message of {} bytes has no address that can be read", messages.size());
    }
    const auto message = messages.subspan(sizeof(address), address.bytes);
    const auto destination = static_cast<int>(address.destination);
    if (destination == rank_) {
      handler_(static_cast<int>(address.source), message);
    } else if (combiner_ && route_.crosses(address.destination) && !route_.outside[address.source]) {
      combiner_->add(destination, message);
    } else {
      pack(static_cast<int>(address.source), destination, message);
    }
    messages = messages.subspan(packed(address.bytes));
  }
}

void RoutedExchange::pack(int source, int destination, std::span<const std::byte> message) {
  const int next = route_.next[static_cast<std::size_t>(destination)];
  std::vector<std::byte>& open = open_[static_cast<std::size_t>(next)];
  const std::size_t begin = open.size();
  const std::size_t end = begin + packed(message.size());
  if (end > packed_bytes_) {
    full_.emplace_back(next, std::move(open));
    open.clear();
    return pack(source, destination, message);
  }
  open.resize(end);
  const Address address{static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination), message.size()};
  std::memcpy(open.data() + begin, &address, sizeof(address));
  std::memcpy(open.data() + begin + sizeof(address), message.data(), message.size());
}

void RoutedExchange::send_full() {
  while (!full_.empty()) {
    const auto [next, messages] = std::move(full_.front());
    full_.pop_front();  // sending may queue more
    carrier_->send(next, messages);
  }
}

void RoutedExchange::send_open(Hop hop) {
  if (combiner_ && hop == Hop::across)
    combiner_->drain([this](int to, std::span<const std::byte> message) { pack(rank_, to, message); });
  for (std::size_t next = 0; next < open_.size(); ++next) {
    send_full();  // messages that were full first go first
    if (route_.outside[next] != (hop == Hop::across)) continue;
    const std::vector<std::byte> messages = std::exchange(open_[next], {});
    if (!messages.empty()) carrier_->send(static_cast<int>(next), messages);
  }
}

void RoutedExchange::send(int destination, std::span<const std::byte> message) {
  check(destination, message);
  if (combiner_ && route_.crosses(static_cast<std::size_t>(destination))) {
    std::vector<std::byte> copy(message.begin(), message.end());
    combiner_->add(destination, copy);
  } else {
    pack(rank_, destination, message);
  }
  send_full();
}

void RoutedExchange::poll() {
  carrier_->poll();
  send_full();
}

void RoutedExchange::finish() {
  for (const Hop hop : route_.hops) {
    send_open(hop);
    carrier_->finish();
  }
  const bool open = std::ranges::any_of(open_, [](const auto& messages) { return !messages.empty(); });
  if (open || !full_.empty() || (combiner_ && !combiner_->empty())) {
    fail("messages are still under way after {} hops", route_.hops.size());
  }
}

}  // namespace breadth
