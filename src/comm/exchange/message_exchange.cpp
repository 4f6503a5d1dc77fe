#include "comm/exchange/message_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "core/stopwatch.hpp"

namespace breadth {

namespace {
constexpr std::size_t header_bytes = sizeof(std::uint64_t);

/// The space of a message in an outbox: messages start at multiples of 8 bytes.
constexpr std::size_t framed(std::size_t bytes) { return header_bytes + (bytes + 7) / 8 * 8; }

std::size_t message_size(const std::byte* header) {
  std::uint64_t size = 0;
  std::memcpy(&size, header, header_bytes);
  return size;
}
}  // namespace

BulkExchange::BulkExchange(const Communicator& ranks, std::size_t message_bytes, Handler handler,
                           std::size_t round_bytes)
    : MessageExchange(ranks, message_bytes),
      ranks_(ranks),
      handler_(std::move(handler)),
      piece_bytes_(round_bytes / static_cast<std::size_t>(std::max(1, ranks.size() - 1))),
      outboxes_(static_cast<std::size_t>(ranks.size())) {}

void BulkExchange::send(int destination, std::span<const std::byte> message) {
  check(destination, message);
  auto& [bytes, rounds] = outboxes_[static_cast<std::size_t>(destination)];
  const std::size_t begin = bytes.size();
  bytes.resize(begin + framed(message.size()));
  if (rounds.empty() || bytes.size() - rounds.back() > piece_bytes_) rounds.push_back(begin);
  const std::uint64_t size = message.size();
  std::memcpy(bytes.data() + begin, &size, header_bytes);
  std::memcpy(bytes.data() + begin + header_bytes, message.data(), message.size());
}

std::span<const std::byte> BulkExchange::Outbox::of_round(std::size_t round) const {
  if (round >= rounds.size()) return {};
  const std::size_t end = round + 1 < rounds.size() ? rounds[round + 1] : bytes.size();
  return std::span(bytes).subspan(rounds[round], end - rounds[round]);
}

void BulkExchange::exchange_round(std::size_t round) {
  const Stopwatch stopwatch;
  std::vector<std::size_t> counts;
  std::vector<std::byte> outgoing;
  for (std::size_t destination = 0; destination < outboxes_.size(); ++destination) {
    const std::span<const std::byte> piece = outboxes_[destination].of_round(round);
    outgoing.insert(outgoing.end(), piece.begin(), piece.end());
    counts.push_back(piece.size());
    if (!piece.empty()) count(static_cast<int>(destination), piece.size());
  }
  Received<std::byte> incoming = ranks_.all_to_all(std::span<const std::byte>(outgoing), counts);
  seconds_.send += stopwatch.seconds();
  incoming.for_each_rank(
      [&](std::size_t source, std::span<std::byte> messages) { handle(static_cast<int>(source), messages); });
}

void BulkExchange::handle(int source, std::span<std::byte> messages) {
  for (std::size_t begin = 0; begin < messages.size();) {
    const std::size_t size = message_size(messages.data() + begin);
    handler_(source, messages.subspan(begin + header_bytes, size));
    begin += framed(size);
  }
}

void BulkExchange::finish() {
  const Stopwatch stopwatch;
  std::uint64_t rounds = 0;
  for (const Outbox& outbox : outboxes_) rounds = std::max(rounds, std::uint64_t{outbox.rounds.size()});
  rounds = ranks_.all_reduce(rounds, Reduction::maximum);
  seconds_.finish += stopwatch.seconds();
  for (std::size_t round = 0; round < rounds; ++round) exchange_round(round);
  for (Outbox& outbox : outboxes_) {
    outbox.bytes.clear();
    outbox.rounds.clear();
  }
}

}  // namespace breadth
