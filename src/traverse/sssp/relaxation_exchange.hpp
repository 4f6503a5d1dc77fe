// Coalesced relaxations between ranks: "your vertex is at most this far away".
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "comm/context.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/push_targets.hpp"
#include "traverse/exchange/query_exchange.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Relaxations of other ranks' vertices, sent as queries are (traverse/exchange/query_exchange.hpp): a parent's label,
/// then for each vertex the bits of its distance and its local id. Neither has its highest bit set.
template <class Neighbour>
class RelaxationExchange {
 public:
  /// Collective. Calls body(local id, distance, parent) on thread 0 for what other ranks send. The strategy's
  /// coalescing is in relaxations; its packets are runs or compressed, which keep a vertex and its distance together
  /// (else Error).
  template <class Body>
  RelaxationExchange(const Context& context, ExchangeStrategy strategy, Body&& body)
      : queries_(context, in_words(std::move(strategy)),
                 [body = std::forward<Body>(body)](QueryMessage<Neighbour> message) {
                   message.for_each_run([&](Neighbour parent, std::span<const Neighbour> pairs) {
                     for (std::size_t i = 0; i + 1 < pairs.size(); i += words) {
                       body(pairs[i + 1], std::bit_cast<float>(static_cast<std::uint32_t>(pairs[i])), parent);
                     }
                   });
                 }) {}

  void add(int thread, int owner, LocalVertex vertex, float distance, Neighbour parent) {
    const std::array<Neighbour, words> pair{std::bit_cast<std::uint32_t>(distance), vertex.value};
    queries_.add(thread, owner, parent, pair);
  }
  void progress() { queries_.progress(); }
  void leave(int thread, int workers) { queries_.leave(thread, workers); }
  void finish() { queries_.finish(); }
  [[nodiscard]] std::uint64_t messages() const noexcept { return queries_.messages(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return queries_.bytes(); }
  /// Relaxations that this rank sent.
  [[nodiscard]] std::uint64_t relaxations() const noexcept { return queries_.queries() / words; }
  /// All that was sent so far; of all-reduces it knows nothing.
  [[nodiscard]] CommunicationRecord record() const {
    return {.sent = {queries_.sent().begin(), queries_.sent().end()},
            .queries = relaxations(),
            .partial_packets = queries_.partial_packets(),
            .seconds = queries_.seconds()};
  }

 private:
  static constexpr std::size_t words = 2;  // of a relaxation

  static ExchangeStrategy in_words(ExchangeStrategy strategy) {
    strategy.queries = QueryKind::relaxations;
    strategy.coalescing *= words;
    return strategy;
  }

  QueryExchange<Neighbour> queries_;
};

/// In place of it on one rank, where nothing is sent.
struct NoRelaxationExchange {};

}  // namespace breadth
