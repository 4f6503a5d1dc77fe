#include "traverse/exchange/packet_codec.hpp"

#include <algorithm>
#include <cstring>

#include "core/errors.hpp"

namespace breadth {

namespace {
/// Queries travel as they are made.
template <class Word>
class RunPackets final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t most_words(std::size_t queries) const override { return 2 * queries; }
  void encode(std::vector<Word>&, std::vector<Word>&) const override {}
  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override { return QueryMessage<Word>(packet); }
};

/// A vertex and its possible parent in 8 bytes each, whatever the width of a neighbour.
struct Pair {
  std::uint64_t vertex;
  std::uint64_t parent;
};

template <class Word>
class PairPackets final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t most_words(std::size_t queries) const override { return words_a_pair * queries; }

  void encode(std::vector<Word>& words, std::vector<Word>& scratch) const override {
    scratch.resize(std::max(scratch.size(), most_words(words.size())));  // words are more than queries
    Word* end = scratch.data();
    QueryMessage<Word>(words).for_each_run([&](Word parent, std::span<const Word> targets) {
      for (const Word target : targets) {
        const Pair pair{target, parent};
        std::memcpy(end, &pair, sizeof(pair));
        end += words_a_pair;
      }
    });
    words.assign(scratch.data(), end);
  }

  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override {
    if (packet.size() % words_a_pair != 0) fail("a packet of {} bytes is not of whole pairs", packet.size_bytes());
    runs_.clear();
    for (; !packet.empty(); packet = packet.subspan(words_a_pair)) {
      Pair pair{};
      std::memcpy(&pair, packet.data(), sizeof(pair));
      if (pair.vertex >= QueryMessage<Word>::last_of_run || static_cast<Word>(pair.parent) != pair.parent) {
        fail("a packet has vertex {} with parent {}", pair.vertex, pair.parent);
      }
      runs_.add(static_cast<Word>(pair.parent), static_cast<Word>(pair.vertex));
    }
    runs_.end_run();
    return QueryMessage<Word>(runs_.words);
  }

 private:
  static constexpr std::size_t words_a_pair = sizeof(Pair) / sizeof(Word);
  QueryRuns<Word> runs_;
};
}  // namespace

template <class Word>
std::unique_ptr<PacketCodec<Word>> make_packet_codec(PacketFormat format, QueryKind queries) {
  switch (format) {
    case PacketFormat::runs: return std::make_unique<RunPackets<Word>>();
    case PacketFormat::pairs:
      if (queries == QueryKind::relaxations) fail("relaxations travel in runs or compressed, not in pairs");
      return std::make_unique<PairPackets<Word>>();
    case PacketFormat::compressed: return make_compressed_packets<Word>(queries);
  }
  fail("unknown packet format");
}

template std::unique_ptr<PacketCodec<std::uint32_t>> make_packet_codec(PacketFormat, QueryKind);
template std::unique_ptr<PacketCodec<std::uint64_t>> make_packet_codec(PacketFormat, QueryKind);

}  // namespace breadth
