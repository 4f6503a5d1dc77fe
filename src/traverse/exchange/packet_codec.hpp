// From queries to what travels between ranks, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/query_message.hpp"

namespace breadth {

/// Writes and reads packets of one format (docs/communication.md has the bits). Packets are whole words of a
/// neighbour's width. O(queries) each way.
template <class Word>
class PacketCodec {
 public:
  PacketCodec() = default;
  virtual ~PacketCodec() = default;
  PacketCodec(const PacketCodec&) = delete;
  PacketCodec& operator=(const PacketCodec&) = delete;

  /// The most words that a packet of so many queries takes.
  [[nodiscard]] virtual std::size_t most_words(std::size_t queries) const = 0;
  /// Turns runs, the words of a QueryMessage, into a packet in the same place. Any thread; `scratch` is room of that
  /// thread's, kept between calls.
  virtual void encode(std::vector<Word>& words, std::vector<Word>& scratch) const = 0;
  /// The queries of a packet, which hold until the next call. Throws Error for what no encoder wrote; whether local ids
  /// exist is not looked at. One thread at a time.
  [[nodiscard]] virtual QueryMessage<Word> decode(std::span<Word> packet) = 0;
};

/// Throws Error for relaxations in pairs, which have no place for a distance.
template <class Word>
std::unique_ptr<PacketCodec<Word>> make_packet_codec(PacketFormat format, QueryKind queries = QueryKind::visits);

/// Packets of the compressed format (traverse/exchange/compressed_packet.cpp).
template <class Word>
std::unique_ptr<PacketCodec<Word>> make_compressed_packets();
/// The same for relaxations, two words each, the bits of a distance and a local id below 2^31. What comes out has one
/// for each vertex of a packet, that which brings it closest, by vertex (traverse/sssp/compressed_relaxations.cpp).
template <class Word>
std::unique_ptr<PacketCodec<Word>> make_compressed_relaxations();

}  // namespace breadth
